import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeCounts, redact } from '../src/core/text/redact.ts';

/** `npm run bench -- redact [DIR] [--show]`: redacts every text of the transcripts; the baseline is JSON.parse of the same lines. */
export async function run(args: string[]): Promise<void> {
  const [folder] = args.filter((arg) => !arg.startsWith('--'));
  const lines = folder === undefined ? madeUpLines() : linesBelow(folder);
  if (folder === undefined) console.log('No folder of transcripts given: using 20 MB of made-up lines.');
  const totals = { bytes: 0, chars: 0, texts: 0, parse: 0, redact: 0, found: 0 };
  const counts: Record<string, number> = {};
  // The first round only warms up; the second is measured.
  for (const measured of [false, true]) {
    for (const batch of batches(lines)) {
      const start = spent();
      const objects = batch.map(parse);
      const parsed = spent();
      const texts: string[] = [];
      for (const object of objects) textsIn(object, texts);
      const from = spent();
      const results = texts.map((text) => redact(text));
      const to = spent();
      if (!measured) continue;
      totals.parse += parsed - start;
      totals.redact += to - from;
      for (const line of batch) totals.bytes += Buffer.byteLength(line);
      results.forEach((result, i) => {
        totals.texts++;
        totals.chars += texts[i]!.length;
        if (result.text !== texts[i]) totals.found++;
        mergeCounts(counts, result.counts);
        if (args.includes('--show')) show(result.text);
      });
    }
  }
  const rate = (size: number, ms: number) => Math.round(size / 1e3 / ms);
  console.table({
    'JSON.parse of every line': { 'MB/s': rate(totals.bytes, totals.parse), ms: Math.round(totals.parse) },
    'redact of every text': { 'MB/s': rate(totals.chars, totals.redact), ms: Math.round(totals.redact) },
  });
  console.log(`redact / JSON.parse of the same lines: ${(totals.redact / totals.parse).toFixed(2)}`);
  console.log(
    `${totals.texts} texts, ${(totals.chars / 1e6).toFixed(1)} M characters, ${totals.found} with a secret`,
    counts,
  );
  growth();
}

/** CPU time in milliseconds, which does not include other work on the machine. */
function spent(): number {
  return process.cpuUsage().user / 1000;
}

/** How the time grows when a hostile text doubles: 2 is linear, 4 is quadratic. */
function growth(): void {
  const table: Record<string, { 'ms for 1 MB': number; 'times for 2 MB': string }> = {};
  for (const piece of [
    'password=',
    'eyJ.',
    'a://a:',
    '-----BEGIN PRIVATE KEY-----',
    'cookie: a=',
    'curl -u ',
    'passpass',
    'mysql -pabcd ',
    'password is ',
    'key: ',
    '&sig=',
    'a_A1b',
    'key_A1b2-',
    'login aB3',
    'a:aB3dE6@h',
    'tool -p aB3dE6 ',
    'echo aB3dE6 |',
    '<<< aB3',
  ]) {
    const text = piece.repeat(Math.ceil(1e6 / piece.length));
    const [once, twice] = [text, text + text].map((hostile) =>
      Math.min(time(hostile), time(hostile), time(hostile)),
    );
    table[piece] = { 'ms for 1 MB': Math.round(once!), 'times for 2 MB': (twice! / once!).toFixed(1) };
  }
  console.table(table);
}

function time(text: string): number {
  const from = spent();
  redact(text);
  return spent() - from;
}

/** Prints the text around each replacement, so that a person can spot false alarms; the secret is never printed. */
function show(text: string): void {
  for (const match of text.matchAll(/\[redacted:[a-z-]+\]/g)) {
    console.log(
      JSON.stringify(text.slice(Math.max(0, match.index - 60), match.index + match[0].length + 30)),
    );
  }
}

function linesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  );
  return files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
}

function madeUpLines(): string[] {
  const text = `The tests pass now, and the build is green; see src/core/text/lines.ts:42 for the change.
  for (let start = 0; start <= text.length; start = end + 1) lines.push(text.slice(start, end));
Each session keeps its own copy, so nothing is lost. More at https://host/path?page=2 and in the notes.
`;
  const line = JSON.stringify({
    type: 'user',
    message: { content: text.repeat(40) },
    toolUseResult: { ok: true },
  });
  return new Array<string>(Math.ceil(20e6 / line.length)).fill(line);
}

function* batches(lines: string[]): Generator<string[]> {
  for (let i = 0; i < lines.length; i += 500) yield lines.slice(i, i + 500);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, into);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) textsIn(item, into);
}
