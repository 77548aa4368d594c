// The layers above L1: what they add to ingesting, and what one more turn costs in a short and in a very long session.
import { existsSync, readFileSync } from 'node:fs';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/fold-session.ts';
import { sessionExchanges } from '../src/app/layers-exchanges.ts';
import { newSessionState } from '../src/app/session-state.ts';
import { conceptsOf } from '../src/core/layers/concepts.ts';
import { exchangeRecords, extendRecords } from '../src/core/layers/exchange-records.ts';
import { factsOf } from '../src/core/layers/facts.ts';
import type { ProjectId } from '../src/core/model/ids.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, mebibytes, median, table } from './bench-table.ts';

const ROUNDS = 5;
const PROJECT = '-bench' as ProjectId;

export async function run([folder]: string[]): Promise<void> {
  if (!folder || !existsSync(folder))
    throw new Error('Give the folder of transcripts: npm run bench -- layers DIR');
  await ingesting(folder);
  await oneMoreTurn();
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
    timed('floor: JSON.parse of every line', () => files.forEach(parseAll));
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
  const base = ms('floor: JSON.parse of every line');
  const rows: [string, number][] = [['floor: JSON.parse of every line', base]];
  let sum = 0;
  for (const name of ['L1', 'L2', 'L3', 'L4']) {
    sum += ms(name);
    rows.push([`${rows.length === 1 ? '' : 'up to '}${name}`, sum]);
  }
  console.log(
    `${files.length} files, ${mebibytes(bytes)} MiB, ${exchanges} exchanges as one project, median of ${ROUNDS} rounds\n`,
  );
  table(
    ['in memory', 'ms', 'MiB/s', 'speed against the floor'],
    rows.map(([name, took]) => [
      name,
      took.toFixed(0),
      (bytes / 1048576 / (took / 1000)).toFixed(0),
      `${(base / took).toFixed(2)}x`,
    ]),
  );
}

/** The work on the new exchange alone, and with the session's file read and written around it. */
async function oneMoreTurn(): Promise<void> {
  const rows: string[][] = [];
  for (const turns of [100, 10_000, 100_000]) {
    const lines = conversation(turns);
    const known = exchangeRecords('long', lines);
    const tail = lines.filter((line) => line.src >= known.at(-2)!.src);
    const more = [...tail, ...conversation(2).map((line) => ({ ...line, src: line.src + turns * 10 }))];
    const core = median(Array.from({ length: 21 }, () => clocked(() => extendRecords('long', known, more))));
    const world = makeWorld();
    try {
      const l1 = { file: 'memory/sessions/long.l1.jsonl', lines: lines.length, bytes: 0 };
      const session = { sessionId: 'long', l1, engine: 1 };
      const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
      await world.archive.files.write(PROJECT, l1.file, text);
      l1.bytes = Buffer.byteLength(text);
      await sessionExchanges(world, PROJECT, session);
      const whole: number[] = [];
      for (let round = 0; round < 5; round++) {
        const added = `${JSON.stringify({ ...lines[round % 2]!, src: (turns + round) * 10 })}\n`;
        await world.archive.files.writeAt(PROJECT, l1.file, l1.bytes, added);
        l1.bytes += Buffer.byteLength(added);
        const start = performance.now();
        await sessionExchanges(world, PROJECT, session);
        whole.push(performance.now() - start);
      }
      rows.push([String(turns), core.toFixed(2), median(whole).toFixed(1)]);
    } finally {
      await world.remove();
    }
  }
  console.log('');
  table(['one more turn in a session of so many', 'made, ms', 'with its file read and written, ms'], rows);
}

function conversation(turns: number): L1Line[] {
  return Array.from({ length: turns }, (_, turn) => ({
    ts: '2026-01-05T10:00:00Z',
    role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text:
      turn % 2 === 0
        ? `Change part ${turn} of the basket.`
        : `Changed part ${turn} of the basket in src/part${turn}.ts.`,
    src: turn * 10,
  }));
}

function clocked(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
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
      // A glued or torn line: the floor does without it.
    }
  }
}

function refine(bytes: Buffer): L1Line[] {
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  let text = '';
  for (const [line, at] of linesOf(bytes))
    text += foldLine(state, seen, { sessionId: 'bench', extent: 'paragraph' }, line, at, false) || '';
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as L1Line]));
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
