import { expect, test } from 'vitest';
import { jobText } from './job-text.ts';

const nobody = () => undefined;

test('a job is described in a sentence, with titles where they are known', () => {
  const compress = { kind: 'compress', subject: '-home-ada-shop/0f0e0d0c-1111-2222-3333-444455556666' };
  expect(jobText(compress, () => 'Fix the rounding')).toBe('Compressing Fix the rounding');
  expect(jobText(compress, nobody)).toBe('Compressing 0f0e0d0c');
  expect(jobText({ kind: 'verify', subject: 'all projects' }, nobody)).toBe('Verifying all projects');
  expect(jobText({ kind: 'import', subject: '/home/ada/shop.keepsake.gz' }, nobody)).toBe(
    'Importing shop.keepsake.gz',
  );
});

test('work of a model is described with its purpose', () => {
  expect(jobText({ kind: 'model for exchanges, concepts', subject: 'shop' }, nobody)).toBe(
    'Asking a model for exchanges, concepts of shop',
  );
  expect(jobText({ kind: 'migrate memory', subject: 'shop' }, nobody)).toBe(
    'Migrating older memory files of shop',
  );
});

test('an unknown kind is described by its name', () => {
  expect(jobText({ kind: 'tidy', subject: 'shop' }, nobody)).toBe('Tidy: shop');
});
