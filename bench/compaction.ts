// After the client's own compactions: which rules, decisions, open items and files the summary lost, and which of them our repair restores.
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { packWithin } from '../src/app/answer/text.ts';
import { repairPieces, repairTitle } from '../src/app/inject/compaction.ts';
import type { Keepable } from '../src/core/inject/keepable.ts';
import { keepableIn, repairOf } from '../src/core/inject/repair.ts';
import { statementsOf } from '../src/core/statements/statements-of.ts';
import { contentWords } from '../src/core/text/plain-text.ts';
import { loadTokenCounter, type TokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import { readSession } from './session-turns.ts';

const BUDGET = 1000;
const KINDS: readonly Keepable['kind'][] = ['rule', 'decision', 'open', 'file', 'command'];
/** A text contains an item if this many characters in a row contain this share of its words; the repair itself decides in another way. */
const SIZE = 600;
const SHARE = 0.6;

type Tally = { standing: number; lost: number; back: number };

export async function run(args: string[]): Promise<void> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const budget = Number(args.find((arg) => arg.startsWith('--budget='))?.slice(9) ?? BUDGET);
  if (folders.length === 0)
    throw new Error(
      'Missing folders of transcripts (one per project). Usage: npm run bench -- compaction DIR ... [--budget=1000] [--print]',
    );
  const count = await loadTokenCounter();
  const all = new Map<string, Map<Keepable['kind'], Tally>>();
  const sizes: number[] = [];
  let ms = 0;
  for (const folder of folders) {
    const name = folder.split('/').slice(-2).join('/');
    for (const { path } of await openTranscripts().find(folder, []))
      for (const one of compactions(path, count)) {
        const start = performance.now();
        const before = keepableIn(one.lines, statementsOf(one.lines));
        const pieces = repairPieces(repairOf(one.summary, before), (ts) => ts.slice(0, 16));
        const { text } = await packWithin(repairTitle(pieces), pieces, budget);
        ms += performance.now() - start;
        sizes.push(count(text));
        if (args.includes('--print')) console.log(`=== ${path}\n${text}\n`);
        for (const group of [name, 'all'])
          for (const item of unique(before)) note(all, group, item.kind, one.summary, text, item);
      }
  }
  const most = sizes.reduce((largest, size) => Math.max(largest, size), 0);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
  console.log(
    `${sizes.length} compactions; repair within ${budget} tokens: ${mean.toFixed(0)} on average, ${most} at most; ${(ms / Math.max(1, sizes.length)).toFixed(0)} ms each\n`,
  );
  table(
    ['project', 'kind', 'standing', 'lost by the summary', 'of these restored'],
    [...all].flatMap(([group, kinds]) =>
      KINDS.flatMap((kind) => {
        const tally = kinds.get(kind);
        if (!tally) return [];
        const { standing, lost, back } = tally;
        return [[group, kind, String(standing), share(lost, standing), share(back, lost)]];
      }),
    ),
  );
}

/** Each summary of a session with the lines before it. */
function compactions(path: string, count: TokenCounter) {
  const { lines, summaries } = readSession(path, count);
  return summaries
    .filter(({ text, upTo }) => text.length > 200 && upTo > 0)
    .map(({ text, upTo }) => ({ summary: text, lines: lines.slice(0, upTo) }));
}

function note(
  all: Map<string, Map<Keepable['kind'], Tally>>,
  group: string,
  kind: Keepable['kind'],
  ...[summary, repair, item]: [string, string, Keepable]
): void {
  const kinds = all.get(group) ?? new Map<Keepable['kind'], Tally>();
  all.set(group, kinds);
  const tally = kinds.get(kind) ?? { standing: 0, lost: 0, back: 0 };
  kinds.set(kind, tally);
  tally.standing++;
  if (holds(summary, item)) return;
  tally.lost++;
  if (holds(repair, item)) tally.back++;
}

function unique(items: readonly Keepable[]): Keepable[] {
  return [...new Map(items.map((item) => [`${item.kind} ${item.text.toLowerCase()}`, item])).values()];
}

function holds(text: string, { kind, text: words }: Keepable): boolean {
  const plain = text.toLowerCase().replace(/\s+/g, ' ');
  if (kind === 'file') return plain.includes(words.slice(words.lastIndexOf('/') + 1).toLowerCase());
  if (kind === 'command') return plain.includes(words.toLowerCase().replace(/\s+/g, ' '));
  const wanted = contentWords(words);
  if (wanted.size === 0) return true;
  for (let at = 0; at === 0 || at < plain.length - SIZE / 2; at += SIZE / 4) {
    const near = contentWords(plain.slice(at, at + SIZE));
    if ([...wanted].filter((word) => near.has(word)).length >= SHARE * wanted.size) return true;
  }
  return false;
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / Math.max(1, whole)).toFixed(0)}%)`;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
