import { ledgerFile } from '../../src/adapters/model/ledger-file.ts';
import { openModels } from '../../src/adapters/model/open-models.ts';
import type { FakeModelServer } from './fake-model-server.ts';
import { makeWorld, type TestWorld } from './world.ts';

export const FAKE_KEY = 'sk-ant-fake-dummy';

/** A world whose models all answer on loopback. Nothing waits; `pauses` has the times it would have waited. */
export function makeModelWorld(fake: FakeModelServer): TestWorld & { pauses: number[] } {
  const world = makeWorld();
  const pauses: number[] = [];
  const models = openModels({
    archive: world.places.archive,
    home: world.places.home,
    keys: { anthropic: FAKE_KEY, openai: undefined, other: undefined },
    anthropicUrl: fake.url,
    agentVariables: {},
    command: 'no-such-command-here',
  });
  const pause = async (ms: number) => void pauses.push(ms);
  return { ...world, models: { ...models, pause }, ledger: ledgerFile(world.places.archive), pauses };
}
