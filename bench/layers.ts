// The layers above L1: what they add to ingesting, and the cost of one more turn in a short and in a very long session.
import { existsSync, readFileSync } from 'node:fs';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import { conceptsOf } from '../src/core/layers/concepts/concepts.ts';
import { exchangeRecords } from '../src/core/layers/exchanges/records.ts';
import { factsOf } from '../src/core/layers/facts/facts.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';
import { isMain, mebibytes, median, table } from './bench-table.ts';
import { oneMoreTurn } from './one-more-turn.ts';

const ROUNDS = 5;

export async function run([folder, what]: string[]): Promise<void> {
  if (!folder || !existsSync(folder))
    throw new Error('Missing folder of transcripts. Usage: npm run bench -- layers DIR [ingest|turn]');
  if (what !== 'turn') await ingesting(folder);
  if (what !== 'ingest') await oneMoreTurn();
}

async function ingesting(folder: string): Promise<void> {
  const files = (await openTranscripts().find(folder, [])).map(({ path }) => readFileSync(path));
  const bytes = files.reduce((sum, file) => sum + file.length, 0);
  const times = new Map<string, number[]>();
  const timed = <T>(name: string, work: () => T): T => {
    const start = performance.now();
    const made = work();
    times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    return made;
  };
  let exchanges = 0;
  for (let round = 0; round < ROUNDS; round++) {
    timed('baseline: JSON.parse of every line', () => files.forEach(parseAll));
    const refined = timed('L1', () => files.map(refine));
    const sessions = timed('L2', () =>
      refined.map((lines, place) => ({
        sessionId: `s${place}`,
        exchanges: exchangeRecords(`s${place}`, lines),
      })),
    );
    const concepts = timed('L3', () => conceptsOf(sessions));
    timed('L4', () => factsOf(sessions, concepts));
    exchanges = sessions.reduce((sum, it) => sum + it.exchanges.length, 0);
  }
  const ms = (name: string) => median(times.get(name) ?? []);
  const base = ms('baseline: JSON.parse of every line');
  const rows: [string, number][] = [['baseline: JSON.parse of every line', base]];
  let sum = 0;
  for (const name of ['L1', 'L2', 'L3', 'L4']) {
    sum += ms(name);
    rows.push([`${rows.length === 1 ? '' : 'up to '}${name}`, sum]);
  }
  console.log(
    `${files.length} files, ${mebibytes(bytes)} MiB, ${exchanges} exchanges as one project, median of ${ROUNDS} rounds\n`,
  );
  table(
    ['in memory', 'ms', 'MiB/s', 'speed relative to the baseline'],
    rows.map(([name, took]) => [
      name,
      took.toFixed(0),
      (bytes / 1048576 / (took / 1000)).toFixed(0),
      `${(base / took).toFixed(2)}x`,
    ]),
  );
}

function* linesOf(bytes: Buffer): Generator<[line: Buffer, at: number]> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const stop = end === -1 ? bytes.length : end;
    if (stop > at) yield [bytes.subarray(at, stop), at];
    at = stop + 1;
  }
}

function parseAll(bytes: Buffer): void {
  for (const [line] of linesOf(bytes)) {
    try {
      JSON.parse(line.toString('utf8'));
    } catch {
      // A glued or torn line: the baseline skips it.
    }
  }
}

function refine(bytes: Buffer): L1Line[] {
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  let text = '';
  for (const [line, at] of linesOf(bytes))
    text += foldLine({ state, seen, sessionId: 'bench', extent: 'paragraph' }, line, at, false) || '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as L1Line]));
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
