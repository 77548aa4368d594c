import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { SyncReport } from '../sync-report.ts';
import { syncChanges } from './sync-changes.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
let world: TestWorld;
let shop: string;
let file: string;
let nothing: SyncReport;
beforeEach(async () => {
  world = makeWorld();
  shop = join(world.places.home, 'shop');
  mkdirSync(join(shop, '_memory'), { recursive: true });
  writeFileSync(join(shop, '_memory', 'page.md'), '# Page\n');
  file = join(world.projects, `${ID}.jsonl`);
  writeFileSync(file, transcript(shop, ID, [{ you: 'From now on always lock the door.', agent: 'Yes.' }]));
  mkdirSync(join(world.projects, ID, 'subagents'), { recursive: true });
  writeFileSync(join(world.projects, ID, 'subagents', 'agent-a1.jsonl'), '{}\n');
  await syncChanges(world);
  nothing = await syncChanges(world);
  // The first that finds nothing to do may still have settled something.
  await syncChanges(world);
});
afterEach(() => world.remove());

/** A sync asks for the projects; who only looks does not. */
async function looksOnly(): Promise<boolean> {
  let asked = false;
  const projects = () => {
    asked = true;
    return world.archive.projects();
  };
  const report = await syncChanges({ ...world, archive: { ...world.archive, projects } });
  if (!asked) expect(report).toEqual(nothing);
  return !asked;
}

const inArchive = (...names: string[]) => join(world.places.archive, ...names);
const project = () => inArchive('projects', readdirSync(inArchive('projects'))[0]!);

test('a sync after one that found nothing to do only checks, and reports the same', async () => {
  expect(nothing).toMatchObject({ found: 1, same: 1, added: 0, problems: [], notes: [] });
  expect([await looksOnly(), await looksOnly()]).toEqual([true, true]);
});

describe('is noticed:', () => {
  const CHANGES: Record<string, () => void> = {
    'a transcript that grew': () => appendFileSync(file, transcript(shop, ID, [{}, { you: 'More.' }])),
    'a new transcript': () => writeFileSync(file.replace('aaaaaaaa', 'bbbbbbbb'), '{}\n'),
    'a transcript that is gone': () => rmSync(file),
    'a subagent that went on': () =>
      appendFileSync(join(world.projects, ID, 'subagents', 'agent-a1.jsonl'), '{}\n'),
    'a tool result beside a session': () => {
      mkdirSync(join(world.projects, ID, 'tool-results'));
      writeFileSync(join(world.projects, ID, 'tool-results', 'x.txt'), 'x');
    },
    'a refined file that is gone': () => {
      const folder = join(project(), 'memory', 'sessions');
      rmSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.l1.jsonl'))!));
    },
    'an archived copy that is gone': () => rmSync(join(project(), 'originals', `${ID}.jsonl`)),
    'a record that changed': () => appendFileSync(join(project(), 'manifest.log'), '\n'),
    'memory.md that was edited in place': () => appendFileSync(join(project(), 'memory', 'memory.md'), 'x'),
    'an index that is gone': () => rmSync(inArchive('index.sqlite')),
    'a setting': () => writeFileSync(inArchive('config.json'), '{"hooks":{"startTokens":900}}'),
    'a project that is not to be recorded': () => writeFileSync(join(shop, '.keepsake-ignore'), ''),
    'a folder above that is not to be recorded': () =>
      writeFileSync(join(world.places.home, '.keepsake-ignore'), ''),
    'a repository': () => mkdirSync(join(shop, '.git')),
    'a page of the journal that was edited': () =>
      appendFileSync(join(shop, '_memory', 'page.md'), 'More.\n'),
    'a session of another agent': () => {
      mkdirSync(join(world.places.home, 'codex', 'sessions'), { recursive: true });
      writeFileSync(join(world.places.home, 'codex', 'sessions', 'rollout-1.jsonl'), '{}\n');
    },
    'damage that somebody found': () => rmSync(inArchive('cache', 'last-sync.json')),
  };
  test.each(Object.keys(CHANGES))('%s', async (name) => {
    expect(await looksOnly()).toBe(true);
    CHANGES[name]!();
    expect(await looksOnly()).toBe(false);
  });

  test('that an hour went by', async () => {
    const { clock } = world;
    world = { ...world, clock: { ...clock, millis: () => clock.millis() + 3_600_000 } };
    expect(await looksOnly()).toBe(false);
  });
});

test('with a retention schedule every sync checks the time of versions', async () => {
  writeFileSync(inArchive('config.json'), '{"autoDecay":{"schedule":"daily"}}');
  for (let n = 0; n < 4; n++) expect(await looksOnly()).toBe(false);
});
