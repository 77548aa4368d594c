import { expect, test } from 'vitest';
import { type CompressForm, compressProblem, readyServices } from './compress-form.ts';

const form: CompressForm = {
  scope: 'all',
  engine: 'model',
  model: 'opus',
  mode: 'uniform',
  ratio: 10,
  aggressiveness: '',
  preset: 'standard',
  tiers: [],
  keepit: 'decay',
  distance: '',
  skipFirst: '',
};
const models = (service: string, ...ready: string[]) => ({
  service,
  services: ['anthropic', 'claude', 'openai'].map((it) => ({
    service: it,
    ready: ready.includes(it),
    message: '',
  })),
});

test('a version by a model can be created only through a service that is ready', () => {
  expect(compressProblem(form, models('auto'))).toMatch(/^No version can be created: no model is set up\./);
  expect(compressProblem(form, models('auto', 'claude'))).toBeUndefined();
  expect(compressProblem({ ...form, engine: 'offline' }, models('auto'))).toBeUndefined();
});

test('where the settings name a service, another one does not help', () => {
  expect(readyServices(models('anthropic', 'claude'))).toEqual([]);
  expect(readyServices(models('auto', 'claude', 'openai'))).toEqual(['claude', 'openai']);
});
