// Reads one line of 1 GB between two good ones in a separate process: its peak memory, and what it still finds.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';
import { isMain, mebibytes, table } from './bench-table.ts';

const GIB = 1 << 30;
const LINE = (n: number) =>
  `{"type":"user","message":{"role":"user","content":"words ${n}"},"uuid":"u${n}","timestamp":"2026-03-01T00:00:00Z","cwd":"/srv/shop","sessionId":"huge"}\n`;

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    const path = join(folder, 'huge.jsonl');
    writeHuge(path);
    const floor = peak([
      '-e',
      'console.log(JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024 }))',
    ]);
    const read = peak([import.meta.filename, '--read', path]);
    table(
      ['process', 'peak MiB'],
      [
        ['node -e 0 (baseline)', mebibytes(floor.peak)],
        [
          `reading: ${read.human} human messages found, ${read.oversize} line over the limit reported`,
          mebibytes(read.peak),
        ],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type ChildReport = { peak: number; human?: number; oversize?: number };

function peak(args: string[]): ChildReport {
  return JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout) as ChildReport;
}

function writeHuge(path: string): void {
  const file = openSync(path, 'w');
  writeSync(file, `${LINE(1)}{"type":"user","message":{"role":"user","content":"`);
  const block = Buffer.alloc(1 << 20, 'x');
  for (let written = 0; written < GIB; written += block.length) writeSync(file, block);
  writeSync(file, `"}}\n${LINE(2)}`);
  closeSync(file);
}

/** Runs in a separate process, so that nothing else is counted. */
async function readOnly(path: string): Promise<void> {
  const state = newSessionState('claude-code');
  const seen = new SeenIds();
  const summary = await openTranscripts().readLines(path, 0, (line, at, last) => {
    return foldLine({ state, seen, sessionId: 'huge', extent: 'paragraph' }, line, at, last) !== false;
  });
  const report: ChildReport = {
    peak: process.resourceUsage().maxRSS * 1024,
    human: state.facts.counts.human,
    oversize: summary.oversize.length,
  };
  console.log(JSON.stringify(report));
}

if (isMain(import.meta.url)) await (process.argv[2] === '--read' ? readOnly(process.argv[3]!) : run());
