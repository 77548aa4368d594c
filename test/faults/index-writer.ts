// A process that fills the index until it is killed or done, and prints on stdout what was acknowledged.
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import { Fault } from '../../src/core/model/fault.ts';
import { indexUpdate } from '../made/index-update.ts';

/** Two sources of a lane always grow together, so that a half update is visible. */
export const PAIR = ['left', 'right'] as const;
/** All lanes write to this source and must take turns. */
export const SHARED = 'shared';
/** A word in every line. */
export const EVERYWHERE = 'everywhere';

export type IndexAck = { lane: string; to: number; conflicts: number };

async function write(path: string, lane: string, rounds: number, mostLines: number): Promise<void> {
  const index = openSearchIndex(path, { waitMs: 60_000, piece: 2000 });
  let conflicts = 0;
  const standing = async (name: string) =>
    (await index.cursors()).get(`-home-ada-app/session/${name}`)?.to ?? 0;
  for (let round = 0; rounds === 0 || round < rounds; round++) {
    const texts = Array.from(
      { length: 1 + Math.floor(Math.random() * mostLines) },
      (_, n) => `${EVERYWHERE} ${lane} r${round}n${n}p${process.pid} word${n % 50}`,
    );
    const from = await standing(`${lane}-${PAIR[0]}`);
    // Sometimes restarts the source, which deletes its lines.
    const start = Math.random() < 0.1 ? 0 : from;
    const pair = PAIR.map((side) => indexUpdate(`${lane}-${side}`, start, texts));
    await index.update(pair, { [lane]: String(pair[0]!.to) });
    while (rounds > 0) {
      const shared = indexUpdate(SHARED, await standing(SHARED), [`${EVERYWHERE} ${lane}`]);
      // Another lane could restart it at the same moment.
      if (shared.from === 0) break;
      try {
        await index.update([shared]);
        break;
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'conflict') throw error;
        conflicts++;
      }
    }
    writeSync(1, `${JSON.stringify({ lane, to: pair[0]!.to, conflicts } satisfies IndexAck)}\n`);
    if (Math.random() < 0.3) await index.tidy();
  }
  await index.close();
}

if (import.meta.main) {
  // Node stores compiled code only at a regular end, and this process is killed.
  flushCompileCache();
  const [path = '', lane = '', rounds = '0', mostLines = '10'] = process.argv.slice(2);
  await write(path, lane, Number(rounds), Number(mostLines));
}
