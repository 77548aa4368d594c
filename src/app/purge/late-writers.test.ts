import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filesHolding } from '../../../test/faults/kept-entries.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { openArchive } from '../../adapters/archive-fs/open-archive.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { saveJournalFile } from '../journal/save.ts';
import { planSummary } from '../journal/summarize.ts';
import { verify } from '../maintenance/verify.ts';
import { orFault } from '../or-fault.ts';
import { refineAll } from '../rolling/refine.ts';
import { sync } from '../sync/sync.ts';
import type { World } from '../world.ts';
import { type PurgeTarget, preparePurge } from './purge.ts';

const WORD = 'heronokafor';
const ID = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
/** In two sentences of one message: what quotes one of them does not hold the message. */
const SAID = 'quartzlantern';
const QUOTED = 'verdigrisbowl';
const OTHERS: Record<number, string> = {
  3: `Always keep the ${SAID} prices in cents, never in floats.\n\nWe decided to use one ${SAID} table for all of the baskets.`,
  5: `Always use the "${QUOTED}" table for baskets, never another one.`,
};

let world: TestWorld;
let source: string;
let root: string;
let shop: ProjectId;
beforeEach(async () => {
  world = makeWorld();
  root = join(world.places.home, 'shop');
  mkdirSync(root);
  world.places.cwd = root;
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const turns = Array.from({ length: 8 }, (_, n) => ({
    you: OTHERS[n] ?? `Look at ${WORD} ${n}: its prices stay in cents.`,
    agent: `I changed src/${WORD}${n}.ts. The tests pass.`,
  }));
  source = join(folder, `${ID}.jsonl`);
  writeFileSync(source, transcript(root, ID, turns));
  await sync(world);
  [shop] = (await world.archive.projects()) as [ProjectId];
});
afterEach(() => world.remove());

const PURGES: [string, string, PurgeTarget][] = [
  ['a text', WORD, { kind: 'text', text: WORD }],
  ['a text in quotation marks', QUOTED, { kind: 'text', text: `the "${QUOTED}" table` }],
];
const MESSAGE: (typeof PURGES)[number] = ['a message', SAID, { kind: 'message', message: `${ID}-user-3` }];
/** Who writes sentences of what was read, once. */
const QUOTING = ['compose', 'compress', 'summarize'];

/** Another process, in which someone purges it when this one is about to make its nth change. */
function purgedBefore(nth: number, target: PurgeTarget) {
  let [steps, isHeld] = [0, false];
  const archive = openArchive(world.places.archive, { now: world.clock.now });
  const before = <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (async (...args: A) => {
      if (!isHeld && ++steps === nth) await (await preparePurge(world, target)).carryOut();
      return work(...args);
    }) as (...args: A) => Promise<R>;
  const { files } = archive;
  const [write, create, writeAt] = [before(files.write), before(files.create), before(files.writeAt)];
  const late: World = {
    ...world,
    projectFiles: { ...world.projectFiles, write: before(world.projectFiles.write) },
    archive: {
      ...archive,
      files: { ...files, write, create, writeAt },
      change: before(archive.change),
      // Nobody purges while another process holds the lock.
      exclusive: (held) =>
        archive.exclusive(async () => {
          isHeld = true;
          return held().finally(() => {
            isHeld = false;
          });
        }),
    },
  };
  return { late, wasPurged: () => steps >= nth };
}

const WRITERS: [string, (late: World) => Promise<unknown>][] = [
  ['compose', (late) => compose(late, 'basket', { budget: 220, sessions: [ID] })],
  ['compress', (late) => compressSession(late, { project: shop, session: ID }, { ratio: 3 })],
  ['memory refine-all', (late) => refineAll(late, shop)],
  [
    'summarize',
    async (late) => {
      const { journal, plan } = await planSummary(late, { id: ID });
      await saveJournalFile(late, journal, plan, { approve: true, note: 'Summarized.', sessionId: ID });
    },
  ],
  [
    'sync',
    (late) => {
      appendFileSync(
        source,
        transcript(root, ID, [{ you: `And ${WORD} once more.` }]).replaceAll(`${ID}-`, 'x-'),
      );
      return sync(late);
    },
  ],
];

describe.each(WRITERS)('%s while another process purges', (name, work) => {
  describe.each(QUOTING.includes(name) ? [...PURGES, MESSAGE] : PURGES)('%s', (_, word, target) => {
    test.each([1, 2, 3, 4])('before its change %i: it does not come back, and all is sound', async (nth) => {
      expect(filesHolding(world.places.archive, [word])).not.toEqual([]);
      const { late, wasPurged } = purgedBefore(nth, target);
      const fault = await orFault(work(late));
      await late.archive.close();
      expect(wasPurged()).toBe(true);
      if (fault instanceof Fault) expect(fault.code).toBe('changed-meanwhile');
      expect(filesHolding(world.places.archive, [word])).toEqual([]);
      expect(filesHolding(root, [word])).toEqual([]);
      await sync(world);
      expect((await verify(world)).problems).toEqual([]);
      expect(filesHolding(world.places.archive, [word])).toEqual([]);
    });
  });
});
