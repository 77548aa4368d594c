// Speed of reading and refining real transcripts; the baseline is a newline scan with JSON.parse of every line.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import type { SessionState } from '../src/app/intake/session-state.ts';
import { readLine } from '../src/core/transcript/read-line.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';
import { isMain, mebibytes, median, percentile, table } from './bench-table.ts';

const ROUNDS = 9;

export async function run(args: string[]): Promise<void> {
  const folder = args[0];
  if (!folder) throw new Error('Missing folder of transcripts. Usage: npm run bench -- read DIR');
  const transcripts = openTranscripts();
  const files = await transcripts.find(folder, []);
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const ways: Record<string, (path: string) => Promise<unknown>> = {
    'baseline: newline scan + JSON.parse of every line': floor,
    'read: entries, no refining': (path) => readOnly(path),
    'read and refine (L1, markers, facts)': (path) => refineFile(path),
    'read, refine and hash every byte': async (path) => {
      await refineFile(path);
      hashFile(path);
    },
  };
  // All ways take turns on each file, so that a busy machine affects them equally; a file counts with its median.
  const sums = new Map(Object.keys(ways).map((name) => [name, 0]));
  for (const file of files) {
    const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const start = performance.now();
        await way(file.path);
        times.get(name)!.push(performance.now() - start);
      }
    }
    for (const [name, list] of times) sums.set(name, sums.get(name)! + median(list));
  }
  const base = sums.get('baseline: newline scan + JSON.parse of every line')!;
  console.log(`${files.length} files, ${mebibytes(bytes)} MiB, a file's median of ${ROUNDS} rounds\n`);
  table(
    ['way', 'ms', 'MiB/s', 'speed relative to the baseline'],
    [...sums].map(([name, ms]) => {
      return [name, ms.toFixed(0), (bytes / 1048576 / (ms / 1000)).toFixed(0), `${(base / ms).toFixed(2)}x`];
    }),
  );
  await shares(files);

  async function readOnly(path: string): Promise<void> {
    await transcripts.readLines(
      path,
      0,
      (line, at, last) => !readLine('claude-code', line, at, last).bad || !last,
    );
  }

  async function refineFile(path: string): Promise<{ state: SessionState; text: string }> {
    const state = newSessionState('claude-code');
    const seen = new SeenIds();
    const parts: string[] = [];
    await transcripts.readLines(path, 0, (line, at, last) => {
      const text = foldLine({ state, seen, sessionId: 'bench', extent: 'paragraph' }, line, at, last);
      if (text === false) return false;
      parts.push(text);
      return true;
    });
    return { state, text: parts.join('') };
  }

  async function shares(list: typeof files): Promise<void> {
    const each: number[] = [];
    const skipped: Record<string, number> = {};
    const total = { l1: 0, human: 0, queued: 0, bad: 0, duplicate: 0, lines: 0, redactions: 0, markers: 0 };
    for (const file of list) {
      const { state, text } = await refineFile(file.path);
      const size = Buffer.byteLength(text);
      each.push((100 * size) / file.size);
      total.l1 += size;
      total.human += state.facts.counts.human;
      total.queued += state.facts.counts.queued;
      total.bad += state.lines.bad;
      total.duplicate += state.lines.duplicate;
      total.lines += state.lines.total;
      total.markers += state.markers.length;
      total.redactions += Object.values(state.refine.redactions).reduce((sum, count) => sum + count, 0);
      for (const [kind, count] of Object.entries(state.lines.skipped))
        skipped[kind] = (skipped[kind] ?? 0) + count;
    }
    const share = (p: number) => `${percentile(each, p).toFixed(2)}%`;
    console.log('');
    table(
      ['L1 share of the bytes', ''],
      [
        ['together', `${((100 * total.l1) / bytes).toFixed(2)}%`],
        ['p10', share(10)],
        ['median', share(50)],
        ['p90', share(90)],
      ],
    );
    console.log('');
    table(
      ['lines and messages', ''],
      [
        ...Object.entries(total).map(([name, count]) => [name, String(count)]),
        ...Object.entries(skipped).map(([kind, count]) => [`skipped: ${kind}`, String(count)]),
      ],
    );
  }
}

async function floor(path: string): Promise<number> {
  const bytes = readFileSync(path);
  let lines = 0;
  let from = 0;
  while (from < bytes.length) {
    let end = bytes.indexOf(0x0a, from);
    if (end === -1) end = bytes.length;
    if (end > from) {
      try {
        JSON.parse(bytes.toString('utf8', from, end));
        lines++;
      } catch {
        // A glued or torn line: the baseline skips it.
      }
    }
    from = end + 1;
  }
  return lines;
}

function hashFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
