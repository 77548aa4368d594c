import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../src/core/text/redact.ts';

/** `node bench/redact.ts <folder of transcripts> [--show KIND]`: redaction of every text beside JSON.parse of its line. */
const [folder, flag, shown] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node bench/redact.ts <folder of .jsonl transcripts> [--show KIND]');
  process.exit(2);
}

function textsIn(value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, into);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) textsIn(item, into);
}

const counts: Record<string, number> = {};
const total = { bytes: 0, texts: 0, chars: 0, parse: 0, redact: 0, found: 0, longest: 0 };
// The first round warms both up; only the second is measured.
for (const measured of [false, true]) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.jsonl'),
  )) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    const texts: string[] = [];
    for (const line of lines) {
      const from = performance.now();
      let parsed: unknown;
      try {
        parsed = JSON.parse(line);
      } catch {
        continue;
      }
      if (measured) total.parse += performance.now() - from;
      if (measured) total.bytes += Buffer.byteLength(line);
      textsIn(parsed, texts);
    }
    const from = performance.now();
    const results = texts.map((text) => redact(text));
    if (!measured) continue;
    total.redact += performance.now() - from;
    results.forEach((result, i) => {
      const text = texts[i]!;
      total.texts++;
      total.chars += text.length;
      total.longest = Math.max(total.longest, text.length);
      if (result.text === text) return;
      total.found++;
      for (const [kind, count] of Object.entries(result.counts)) counts[kind] = (counts[kind] ?? 0) + count;
      if (flag === '--show') show(name, result.text);
    });
  }
}

/** What stands around each replacement, to judge false alarms by eye; the secret itself is never printed. */
function show(name: string, text: string): void {
  for (const match of text.matchAll(/\[redacted:([a-z-]+)\]/g)) {
    if (shown !== undefined && match[1] !== shown) continue;
    const around = text.slice(Math.max(0, match.index - 60), match.index + match[0].length + 30);
    console.log(`${name.slice(-20)}  ${JSON.stringify(around)}`);
  }
}

const rate = (size: number, ms: number) => (size / 1e6 / (ms / 1000)).toFixed(0);
console.table({
  'JSON.parse of every line': { 'MB/s': rate(total.bytes, total.parse), ms: total.parse.toFixed(0) },
  'redact of every text': { 'MB/s': rate(total.chars, total.redact), ms: total.redact.toFixed(0) },
});
console.log(
  `${total.texts} texts, ${(total.chars / 1e6).toFixed(1)} M characters, longest ${total.longest}; ` +
    `redact takes ${((total.redact / total.parse) * 100).toFixed(0)} % of JSON.parse; ${total.found} texts with a secret`,
);
console.table(counts);
