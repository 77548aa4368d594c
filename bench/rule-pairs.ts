// Pairs of lasting sentences of one project, said in two sessions: which are one rule in other words, beside shared words alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentOf, isSameWish, negates, wishOf } from '../src/core/layers/facts/polarity.ts';
import { isPastedLine } from '../src/core/statements/read/own-lines.ts';
import { sentencesOf } from '../src/core/text/sentences.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';

type Place = [file: string, src: number, sentence: number];
/** 1: one rule; -1: the later asks for the contrary; 0: two things. */
type Label = -1 | 0 | 1;
type Pair = { first: string; second: string; label: Label };

/** So large a share of all words in common makes two sentences one: what merged 6 of 417 before. */
const WORDS_ALONE = 0.6;

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !existsSync(folder)))
    throw new Error(
      'Give the folders of the sessions that the labels speak of: npm run bench -- rule-pairs DIR ...',
    );
  const path = join(import.meta.dirname, 'pair-labels.json');
  const { pairs } = JSON.parse(readFileSync(path, 'utf8')) as { pairs: [Place, Place, Label][] };
  const sentence = sentencesIn(folders);
  const found = pairs.flatMap(([a, b, label]): Pair[] => {
    const [first, second] = [sentence(a), sentence(b)];
    return first === undefined || second === undefined ? [] : [{ first, second, label }];
  });
  const missing = pairs.length - found.length;
  console.log(`${found.length} labelled pairs${missing > 0 ? `, ${missing} not found` : ''}\n`);
  table(
    ['way', 'labelled', 'found', 'right', 'precision', 'recall'],
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
