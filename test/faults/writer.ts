// A process that registers growing sessions until it is killed, and prints on stdout what was acknowledged.
import { appendFileSync, writeFileSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { newProjectChange } from '../../src/core/model/change.ts';
import { toProjectId, toSessionId } from '../../src/core/model/ids.ts';

export const PROJECT = toProjectId('-faults');
const SESSIONS = 12;
/** Bytes per line of the derived file. */
export const L1_LINE = 8;

/** A write that was acknowledged to a writer. */
export type Ack = { id: string; round: number; bytes: number; gen: number; uuid: string };

type Args = { root: string; sources: string; lane: string; rounds: number; maxLogLines: number };

async function write({ root, sources, lane, rounds, maxLogLines }: Args): Promise<void> {
  const archive = openArchive(root, {
    now: () => '2026-01-01T00:00:00.000Z',
    maxLogLines,
    lockWaitMs: 60_000,
  });
  const known = (await archive.open(PROJECT))?.manifest.sessions ?? {};
  const roundOf = new Map(
    Object.entries(known).map(([id, record]) => [id, (record as unknown as Ack).round]),
  );
  for (let n = 0; rounds === 0 || n < rounds; n++) {
    const id = rounds === 0 ? `${lane}-${Math.floor(Math.random() * SESSIONS)}` : `${lane}-${n}`;
    const round = (roundOf.get(id) ?? 0) + 1;
    const uuid = `${id}-${round}-${process.pid}-${n}`;
    const source = join(sources, `${id}.jsonl`);
    const line = `${JSON.stringify({ uuid, text: 'x'.repeat(Math.random() * 5000) })}\n`;
    // Sometimes replaces the first session of a lane, which the archive must merge.
    if (id.endsWith('-0') && Math.random() < 0.3) writeFileSync(source, line);
    else appendFileSync(source, line);
    const { after } = await archive.originals.absorb(PROJECT, `${id}.jsonl`, { path: source }, 'copy');
    const l1 = `memory/${id}.l1`;
    await archive.files.writeAt(
      PROJECT,
      l1,
      (round - 1) * L1_LINE,
      `${String(round).padStart(L1_LINE - 1)}\n`,
    );
    await archive.files.write(PROJECT, `memory/${id}.md`, `begin ${round}\n${'m'.repeat(2000)}\nend`);
    const { gen } = await archive.change(
      PROJECT,
      [
        newProjectChange({
          projectId: PROJECT,
          originalPath: '/faults',
          displayName: 'faults',
          createdAt: 't',
        }),
        { at: ['sessions', id], merge: { sessionId: id, round, bytes: after, l1 } },
      ],
      [{ at: 't', action: 'register', sessionId: toSessionId(id), note: uuid }],
    );
    roundOf.set(id, round);
    writeSync(1, `${JSON.stringify({ id, round, bytes: after, gen, uuid } satisfies Ack)}\n`);
    if (Math.random() < 0.1) await archive.fold(PROJECT);
  }
  await archive.close();
}

if (import.meta.main) {
  // Node stores compiled code only at a regular end, and this process is killed.
  flushCompileCache();
  const [root = '', sources = '', lane = '', rounds = '0', maxLogLines = '8'] = process.argv.slice(2);
  await write({ root, sources, lane, rounds: Number(rounds), maxLogLines: Number(maxLogLines) });
}
