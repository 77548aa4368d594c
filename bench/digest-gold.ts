// What an agent's own compaction summary names, and how much of it stands in a text.
import { anyToken, termsOf } from '../src/core/text/terms.ts';

/** Identifiers, words and bullets of a summary, as far as its source could have told them. */
export type Gold = { identifiers: Set<string>; words: string[]; bullets: string[][] };
export type Score = { identifiers: number; words: number; bullets: number };

/** A bullet is looked for in so many words in a row. */
const WINDOW = 60;
const STEP = 30;
const LEAST_WORDS = 4;

/** Only what occurs in the source counts: no extract can hold what the agent put in words of its own. */
export function goldOf(summary: string, source: string): Gold {
  const words = new Set(termsOf(source));
  const names = identifiersOf(source);
  const known = (terms: string[]) => [...new Set(terms)].filter((term) => words.has(term));
  return {
    identifiers: new Set([...identifiersOf(summary)].filter((name) => names.has(name))),
    words: termsOf(summary).filter((term) => words.has(term) && /^\p{L}+$/u.test(term)),
    bullets: bulletsOf(summary)
      .map((bullet) => known(termsOf(bullet)))
      .filter((terms) => terms.length >= LEAST_WORDS),
  };
}

/** Shares of the identifiers, of the words (each as often as the summary says it), and of each bullet's words in the stretch of the text that fits it best. */
export function scoreOf(gold: Gold, text: string): Score {
  const names = identifiersOf(text);
  const words = new Set(termsOf(text));
  const windows = windowsOf(text);
  const best = gold.bullets.map((bullet) => {
    let most = 0;
    for (const window of windows) {
      let held = 0;
      for (const term of bullet) if (window.has(term)) held++;
      if (held > most) most = held;
    }
    return most / bullet.length;
  });
  return {
    identifiers: share(gold.identifiers, names),
    words: share(gold.words, words),
    bullets: best.reduce((sum, one) => sum + one, 0) / Math.max(1, best.length),
  };
}

/** Tokens that are no plain words: with a capital inside, a digit, or parts joined by signs. */
function identifiersOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const [token] of text.matchAll(anyToken())) {
    if (token.length < 3 || token.length > 120 || !/\p{L}/u.test(token)) continue;
    if (/\p{Ll}\p{Lu}|[\p{N}_./\\:@$]/u.test(token)) found.add(token.toLowerCase());
  }
  return found;
}

/** Lines of a summary outside its code blocks; the headings between them are the client's, not the agent's. */
function bulletsOf(summary: string): string[] {
  return summary
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^#|:$/.test(line));
}

function windowsOf(text: string): Set<string>[] {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const terms = termsOf(block);
    const windows: Set<string>[] = [];
    for (let at = 0; at === 0 || at + STEP < terms.length; at += STEP) {
      windows.push(new Set(terms.slice(at, at + WINDOW)));
    }
    return windows;
  });
}

function share(wanted: Iterable<string>, held: Set<string>): number {
  let [found, all] = [0, 0];
  for (const one of wanted) {
    all++;
    if (held.has(one)) found++;
  }
  return all === 0 ? 1 : found / all;
}
