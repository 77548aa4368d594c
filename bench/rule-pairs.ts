// Pairs of lasting sentences of one project from two sessions: which state one rule in different words; the baseline compares shared words.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, isSameWish, negates, wishOf } from '../src/core/layers/facts/polarity.ts';
import { isPastedLine } from '../src/core/statements/read/own-lines.ts';
import { sentencesOf } from '../src/core/text/sentences.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';

type Place = [file: string, src: number, sentence: number];
/** 1: the same rule; -1: the later asks for the opposite; 0: two different rules. */
type Label = -1 | 0 | 1;
type Pair = { first: string; second: string; label: Label };

/** With this share of words in common, the baseline treats two sentences as one (it merged 6 of 417). */
const WORDS_ALONE = 0.6;

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folders of the sessions that the labels refer to. Usage: npm run bench -- rule-pairs DIR ...',
    );
  const path = join(import.meta.dirname, 'pair-labels.json');
  const { pairs } = JSON.parse(readFileSync(path, 'utf8')) as { pairs: [Place, Place, Label][] };
  const sentence = sentencesIn(folders);
  const found = pairs.flatMap(([a, b, label]): Pair[] => {
    const [first, second] = [sentence(a), sentence(b)];
    return first === undefined || second === undefined ? [] : [{ first, second, label }];
  });
  const missing = pairs.length - found.length;
  console.log(`${found.length} labeled pairs${missing > 0 ? `, ${missing} not found` : ''}\n`);
  table(
    ['way', 'labeled', 'found', 'right', 'precision', 'recall'],
    [
      figures('one rule: 60% of the words shared', found, 1, sharesWords),
      figures('one rule: wishes', found, 1, (a, b) => isSameWish(wishOf(a), wishOf(b))),
      figures('contrary: wishes', found, -1, (a, b) => negates(wishOf(a), wishOf(b))),
    ],
  );
}

function figures(
  way: string,
  pairs: Pair[],
  label: Label,
  matches: (a: string, b: string) => boolean,
): string[] {
  const found = pairs.filter(({ first, second }) => matches(first, second));
  const right = found.filter((pair) => pair.label === label).length;
  const all = pairs.filter((pair) => pair.label === label).length;
  const share = (of: number) => (of === 0 ? '-' : (right / of).toFixed(2));
  return [way, String(all), String(found.length), String(right), share(found.length), share(all)];
}

function sharesWords(first: string, second: string): boolean {
  const [a, b] = [contentOf(first), contentOf(second)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared >= WORDS_ALONE * (a.size + b.size - shared);
}

function sentencesIn(folders: string[]): (place: Place) => string | undefined {
  const paths = new Map<string, string>();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) paths.set(entry.name, join(entry.parentPath, entry.name));
  const texts = new Map<string, Map<number, string>>();
  return ([file, src, at]) => {
    const path = paths.get(file);
    if (path === undefined) return undefined;
    const said = texts.get(file) ?? new Map(linesOf(path).map((line) => [line.src, line.text ?? '']));
    texts.set(file, said);
    const own = (said.get(src) ?? '').split('\n').filter((line) => !isPastedLine(line));
    return sentencesOf(own.join('\n'))[at];
  };
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
