import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentSources } from '../../src/adapters/agents/agent-sources.ts';
import { AGENT_FILES } from '../../src/adapters/agents/agent-table.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { ingestFiles } from '../../src/app/intake/ingest-files.ts';
import { verify } from '../../src/app/maintenance/verify.ts';
import { sessionsBelow } from '../../src/app/sync/find-everywhere.ts';
import { newReport } from '../../src/app/sync-report.ts';
import type { AskedAgent, OtherAgent } from '../../src/core/model/agent.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { SessionRecord } from '../../src/core/model/session.ts';
import type { FoundTranscript } from '../../src/ports/transcripts.ts';
import { changedBetween, hashes } from '../clients/file-hashes.ts';
import { MUTATED_WORDS, mutatedBytes, mutatedText, numbersFrom } from '../made/mutated-file.ts';
import { readMutated } from '../made/read-mutated.ts';
import { makeWorld, type TestWorld } from '../made/world.ts';
import { seedFrom } from './fault-report.ts';
import { madeSources, type ReaderSource, realSources } from './reader-sources.ts';

const FILES = 2000;
const BATCH = 100;
/** One batch in this many is archived; the others run through the same stages without an archive. */
const EVERY = 10;
/** More batches than cores: most of the time is spent waiting for files. */
const AT_ONCE = 4;
const WIDTHS = [16, 10];
/** SQLite's errors for a file that is no longer a database or has lost its table. */
const DAMAGED =
  /malformed|not a database|no such (?:table|column)|disk image|SQL logic error|file is encrypted/;

/** Results for the files of one reader. `unspoken`: the file contains no message or call any more, and the session says so. */
type Outcomes = {
  whole: number;
  inPart: number;
  unspoken: number;
  refused: number;
  archived: number;
  empty: string[];
  crashed: string[];
};

/**
 * Archives damaged files of every reader. Each must be read, read in part with a count, or refused. No session may lose all words
 * of its file, no unexpected error may occur, and no file may change.
 */
export async function runReaders([files, seed, ...more]: string[]): Promise<boolean> {
  const count = Number(files ?? FILES);
  const start = seedFrom(seed ?? '1');
  const folder = more.find((it) => it.includes('/'));
  const asked = more.filter((it) => it !== folder);
  const sources = (folder === undefined ? madeSources() : realSources(folder)).filter(
    ({ agent, kind }) => asked.length === 0 || asked.includes(agent) || asked.includes(kind),
  );
  print([
    'reader',
    'form',
    'files',
    'whole',
    'in part',
    'unspoken',
    'refused',
    'empty',
    'crashed',
    'archive',
  ]);
  let isGood = true;
  for (const source of sources) {
    const out = await runSource(source, count, numbersFrom(start + source.agent.length * 7919));
    const { whole, inPart, unspoken, refused, archived, empty, crashed } = out;
    print([
      source.agent,
      source.kind,
      count,
      ...[whole, inPart, unspoken, refused, empty.length, crashed.length, archived],
    ]);
    for (const text of [...empty, ...crashed].slice(0, 5)) console.log(`  ${text}`);
    isGood &&= empty.length === 0 && crashed.length === 0;
  }
  return isGood;
}

async function runSource(source: ReaderSource, count: number, draw: () => number): Promise<Outcomes> {
  const out: Outcomes = { whole: 0, inPart: 0, unspoken: 0, refused: 0, archived: 0, empty: [], crashed: [] };
  const batches: (() => Promise<void>)[] = [];
  for (let done = 0; done < count; done += BATCH) {
    const bodies = Array.from({ length: Math.min(BATCH, count - done) }, () => damaged(source, draw));
    const isArchived = (done / BATCH) % EVERY === 0;
    if (isArchived) out.archived += bodies.length;
    batches.push(async () => {
      if (isArchived) await runBatch(source, bodies, { out, done });
      else if (source.kind === 'database') await readDatabases(source, bodies, { out, done });
      else for (const [at, body] of bodies.entries()) readOnly(source, body, { out, at: done + at });
    });
  }
  const next = async () => {
    for (let run = batches.shift(); run; run = batches.shift()) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return out;
}

function damaged({ kind, bodies }: ReaderSource, draw: () => number): Buffer {
  const body = bodies[Math.floor(draw() * bodies.length)] ?? Buffer.alloc(0);
  return kind === 'database'
    ? mutatedBytes(body, draw)
    : Buffer.from(mutatedText(body.toString('utf8'), draw));
}

function readOnly(source: ReaderSource, body: Buffer, { out, at }: { out: Outcomes; at: number }): void {
  const name = `${source.agent} ${source.kind} ${at}`;
  try {
    const outcome = readMutated(linesOf(source, body.toString('utf8')));
    if (outcome === 'empty') out.empty.push(`${name}: nothing was read and nothing was counted`);
    else out[outcome]++;
  } catch (error) {
    out.crashed.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

/** By its finder and its stage, as a sync would, and no further. */
async function readDatabases(
  source: ReaderSource,
  bodies: Buffer[],
  { out, done }: { out: Outcomes; done: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-databases-'));
  const agents = agentSources(join(folder, 'staged'));
  const agent = source.agent as OtherAgent | AskedAgent;
  const doubtful: Buffer[] = [];
  try {
    for (const [at, body] of bodies.entries()) {
      const name = `${source.agent} ${source.kind} ${done + at}`;
      const place = join(folder, `f${at}`);
      mkdirSync(place);
      writeFileSync(join(place, source.name), body);
      const path = source.agent === 'opencode' ? place : join(place, source.name);
      const outcomes = new Set<string>();
      try {
        for (const file of await agents.find(agent, path, [], Date.now())) {
          const staged = await file.stage?.();
          const text = readFileSync(staged?.path ?? '', 'utf8');
          outcomes.add(readMutated(text.split('\n').map((line) => Buffer.from(line))));
          await staged?.remove();
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!DAMAGED.test(message)) out.crashed.push(`${name}: ${message}`);
      }
      const best = (['whole', 'inPart', 'unspoken'] as const).find((it) => outcomes.has(it));
      // Whether such a session would be shown, only an archive knows.
      if (outcomes.has('empty') || best === 'unspoken') doubtful.push(body);
      else out[best ?? 'refused']++;
      if (readdirSync(place).length !== 1 || !readFileSync(join(place, source.name)).equals(body))
        out.crashed.push(`${name}: changed by reading`);
      rmSync(place, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  out.archived += doubtful.length;
  if (doubtful.length > 0) await runBatch(source, doubtful, { out, done });
}

/** The lines that the archive would keep of a document. */
function linesOf({ agent, kind, name }: ReaderSource, text: string): Buffer[] {
  if (kind !== 'document') return text.split('\n').map((line) => Buffer.from(line));
  const { document } = AGENT_FILES[agent as keyof typeof AGENT_FILES];
  const rows = document?.rows({ text, path: `/srv/shop/${name}`, isEnded: true }) ?? [];
  return [...[...rows].map((row) => Buffer.from(JSON.stringify(row))), Buffer.alloc(0)];
}

async function runBatch(
  source: ReaderSource,
  bodies: Buffer[],
  { out, done }: { out: Outcomes; done: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-readers-'));
  const world = makeWorld(join(folder, 'world'));
  const place = (at: number) => join(folder, 'files', `f${at}`);
  const session = (path: string) => `s${/[\\/]f(\d+)[\\/]/.exec(path)?.[1] ?? ''}` as SessionId;
  try {
    for (const [at, body] of bodies.entries()) {
      mkdirSync(place(at), { recursive: true });
      writeFileSync(join(place(at), source.name), body);
    }
    const before = hashes(join(folder, 'files'));
    const report = newReport();
    const found: FoundTranscript[] = [];
    for (const at of bodies.keys()) found.push(...(await foundIn(world, source, place(at))));
    await ingestFiles(world, found, report, { explicit: true, sessionOf: ({ path }) => session(path) });
    const rows = new Map((await allSessions(world)).map((row) => [row.sessionId, row]));
    for (const [at, body] of bodies.entries()) {
      const name = `${source.agent} ${source.kind} ${done + at}`;
      const row = rows.get(`s${at}` as SessionId);
      const problem = report.problems.find(({ path }) => session(path) === `s${at}`);
      if (problem && /could not be imported/.test(problem.message) && !DAMAGED.test(problem.message))
        out.crashed.push(`${name}: ${problem.message}`);
      else if (row === undefined) out.refused++;
      else note(out, row, { name, hasWords: MUTATED_WORDS.test(body.toString('utf8')) });
    }
    for (const path of changedBetween(before, hashes(join(folder, 'files'))))
      out.crashed.push(`${path} was changed`);
    const { problems } = await verify(world);
    for (const it of problems) out.crashed.push(`archive: ${JSON.stringify(it)}`);
  } catch (error) {
    out.crashed.push(`batch at ${done}: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await world.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Uses the agent's finder if files are known by their place, otherwise their contents. */
async function foundIn(world: TestWorld, source: ReaderSource, place: string): Promise<FoundTranscript[]> {
  if (source.kind !== 'database') return sessionsBelow(world, place, []);
  const path = source.agent === 'opencode' ? place : join(place, source.name);
  const agent = source.agent as OtherAgent | AskedAgent;
  return (await world.agents?.find(agent, path, [], world.clock.millis())) ?? [];
}

function note(
  out: Outcomes,
  { metadata: { counts, lines } }: SessionRecord,
  { name, hasWords }: { name: string; hasWords: boolean },
): void {
  const odd = lines.bad + lines.oversize + Object.values(lines.unknown).reduce((sum, it) => sum + it, 0);
  const said = counts.human + counts.queued + counts.assistant + counts.toolCalls + (lines.odd?.length ?? 0);
  if (said > 0) out[odd > 0 ? 'inPart' : 'whole']++;
  else if (odd > 0 || !hasWords) out.unspoken++;
  else out.empty.push(`${name}: nothing was read and nothing was counted`);
}

function print(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, at) => `${cell}`.padEnd(WIDTHS[at] ?? 9)).join(' '));
}
