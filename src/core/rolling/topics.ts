import { STOP_WORDS } from '../text/stop-words.ts';
import { anyToken, termsOf } from '../text/terms.ts';

/** What several sentences are about: a word, or two that are side by side. */
export type Topic = { name: string; sentences: Set<number> };

type Use = { sentences: Set<number>; forms: Map<string, number>; words: number };

/** Words of every coding session: alone they name no topic. */
const COMMON = new Set(
  (
    'use used using add added adding fix fixed fixing line lines file files make made new check code change changed update ' +
    'updated run running work works need look now test tests call calls step value return returns function issue issues bug ' +
    'instead already still see show first last only set get via when work create created implement implemented remove removed'
  )
    .split(' ')
    .flatMap((word) => termsOf(word)),
);
const LEAST_SENTENCES = 2;
const PAIR_WORTH = 1.6;
const LONGEST_NAME = 48;

/** The topics of sentences, the most frequent first. */
export function topicsOf(sentences: string[]): Topic[] {
  const uses = new Map<string, Use>();
  for (const [at, sentence] of sentences.entries()) {
    let before: { term: string; token: string; end: number } | undefined;
    for (const match of sentence.matchAll(anyToken())) {
      const [token] = match;
      const term = isNaming(token) ? termsOf(token)[0] : undefined;
      if (term === undefined) {
        before = undefined;
        continue;
      }
      note(uses, { key: term, form: token, words: 1 }, at);
      const beside = before !== undefined && /^\s$/.test(sentence.slice(before.end, match.index));
      if (before && beside)
        note(uses, { key: `${before.term} ${term}`, form: `${before.token} ${token}`, words: 2 }, at);
      before = { term, token, end: match.index + token.length };
    }
  }
  return [...uses.values()]
    .filter((use) => use.sentences.size >= LEAST_SENTENCES)
    .map((use) => ({
      name: nameOf(use.forms),
      sentences: use.sentences,
      score: scoreOf(use, sentences.length),
    }))
    .filter(({ name }) => name.length <= LONGEST_NAME)
    .sort((a, b) => b.score - a.score || compare(a.name, b.name))
    .map(({ name, sentences }) => ({ name, sentences }));
}

function isNaming(token: string): boolean {
  if (token.length < 2 || /^[\d.:-]+$/.test(token) || /^[0-9a-f]{6,}$/i.test(token)) return false;
  if (STOP_WORDS.has(token.toLowerCase())) return false;
  const [term] = termsOf(token);
  return term !== undefined && !COMMON.has(term);
}

function note(
  uses: Map<string, Use>,
  { key, form, words }: { key: string; form: string; words: number },
  at: number,
): void {
  const use = uses.get(key) ?? { sentences: new Set(), forms: new Map(), words };
  use.sentences.add(at);
  use.forms.set(form, (use.forms.get(form) ?? 0) + 1);
  uses.set(key, use);
}

function scoreOf({ sentences, words }: Use, all: number): number {
  return sentences.size * Math.log(1 + all / sentences.size) * (words > 1 ? PAIR_WORTH : 1);
}

/** As it was written most often, the first letter large. */
function nameOf(forms: Map<string, number>): string {
  const [[form]] = [...forms].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])) as [[string, number]];
  return `${form.charAt(0).toUpperCase()}${form.slice(1)}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
