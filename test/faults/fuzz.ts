import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ingestFiles } from '../../src/app/intake/ingest-files.ts';
import { verify } from '../../src/app/maintenance/verify.ts';
import { newReport } from '../../src/app/sync-report.ts';
import { WRITERS } from '../made/agent-sessions.ts';
import { happenings } from '../made/happening.ts';
import { makeWorld } from '../made/world.ts';
import { anyOf, chance } from './chance.ts';
import { printReport, seedFrom } from './fault-report.ts';
import { type Broken, nothingBroken, sumOf } from './laws.ts';
import { Life, sessionNamed } from './life.ts';
import { mutateLine } from './mutate-line.ts';

const LINES_OF_A_FILE = 2000;
const FILES_OF_A_BATCH = 10;
/** One line in this many is good and must be kept. */
const GOOD = 20;
const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'claude-code');

export type FuzzReport = { lines: number; good: number; files: number; bytes: number; broken: Broken };

function fixtureLines(): string[] {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFileSync(join(FIXTURES, name), 'utf8'));
  return texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 2);
}

/** Files of every agent, with damaged lines: good lines must stay, and copies must equal the files. */
export async function fuzzLines(
  lines: number,
  seed: number,
  onBatch?: (done: number) => void,
): Promise<FuzzReport> {
  process.umask(0o077);
  const draw = chance(seed);
  const claude = fixtureLines();
  const others = Object.values(WRITERS).map((write) =>
    fc
      .sample(happenings, { numRuns: 40, seed })
      .flatMap((list) => write(list).map((line) => JSON.stringify(line))),
  );
  const report: FuzzReport = { lines: 0, good: 0, files: 0, bytes: 0, broken: nothingBroken() };
  for (let batch = 0; report.lines < lines; batch++) {
    const work = mkdtempSync(join(tmpdir(), 'keepsake-fuzz-'));
    const life = new Life(work);
    const folder = join(work, 'claude', 'projects', '-shop');
    mkdirSync(folder, { recursive: true });
    mkdirSync(life.folder());
    const words: string[] = [];
    for (let file = 0; file < FILES_OF_A_BATCH && report.lines < lines; file++) {
      const session = sessionNamed(batch * 100 + file + 1);
      const isClaude = file < 7;
      const pool = isClaude ? claude : others[file % others.length]!;
      const pieces: Buffer[] = [];
      for (let n = 0; n < LINES_OF_A_FILE; n++) {
        if (isClaude && n % GOOD === 0) {
          const word = `good${batch}x${file}x${n}line`;
          words.push(word);
          pieces.push(Buffer.from(goodLine(life, session, word)));
        } else pieces.push(mutateLine(anyOf(pool, draw), draw));
        pieces.push(Buffer.from('\n'));
      }
      const bytes = Buffer.concat(pieces);
      writeFileSync(join(folder, `${session}.jsonl`), bytes);
      report.lines += LINES_OF_A_FILE;
      report.bytes += bytes.length;
      report.files++;
    }
    report.good += words.length;
    const where = (text: string) => `seed ${seed} batch ${batch}: ${text}`;
    const broken = await brokenBy(work, words);
    report.broken = sumOf(report.broken, {
      lost: broken.lost.map(where),
      corrupt: broken.corrupt.map(where),
      back: [],
    });
    onBatch?.(report.lines);
    rmSync(work, { recursive: true, force: true });
  }
  return report;
}

function goodLine(life: Life, sessionId: string, word: string): string {
  return JSON.stringify({
    type: 'user',
    uuid: `u-${word}`,
    parentUuid: null,
    userType: 'external',
    isSidechain: false,
    cwd: life.folder(),
    sessionId,
    timestamp: '2026-01-05T10:00:00.000Z',
    message: { role: 'user', content: `Please look at ${word} once more.` },
  });
}

async function brokenBy(work: string, words: string[]): Promise<Broken> {
  const broken = nothingBroken();
  const world = makeWorld(work);
  const found = await world.transcripts.find(world.projects, []);
  const report = newReport();
  report.found = found.length;
  try {
    await ingestFiles(world, found, report, {});
    for (const { path, message } of report.problems) broken.corrupt.push(`${path}: ${message}`);
    const { problems } = await verify(world);
    for (const { level, subject, message } of problems)
      if (level === 'error') broken.corrupt.push(`${subject}: ${message}`);
  } catch (error) {
    broken.corrupt.push(`ended with ${(error as Error).stack?.slice(0, 500)}`);
  }
  const projects = join(work, 'archive', 'projects');
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' });
  const kept = new Set(
    files
      .filter((name) => name.endsWith('.l1.jsonl'))
      .flatMap((name) => readFileSync(join(projects, name), 'utf8').match(/good\w+line/g) ?? []),
  );
  for (const word of words) if (!kept.has(word)) broken.lost.push(word);
  for (const { path } of found) {
    const copy = files.find((name) => name.endsWith(`originals/${path.slice(path.lastIndexOf('/') + 1)}`));
    if (copy && !readFileSync(join(projects, copy)).equals(readFileSync(path)))
      broken.corrupt.push(`${copy} differs from its source`);
  }
  await world.remove();
  return broken;
}

/** [LINES] [SEED] */
export async function runFuzz([lines = '1000000', asked]: string[]): Promise<boolean> {
  const began = performance.now();
  const report = await fuzzLines(Number(lines), seedFrom(asked), (done) =>
    console.error(`${done} of ${lines} lines`),
  );
  return printReport(
    [
      ['lines', report.lines],
      ['of these, good lines that must be in L1', report.good],
      ['files', report.files],
      ['MiB', (report.bytes / 1048576).toFixed(1)],
      ['seconds', Math.round((performance.now() - began) / 1000)],
    ],
    report.broken,
  );
}
