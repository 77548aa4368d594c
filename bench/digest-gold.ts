// What an agent's own compaction summary names, and how much of it stands in a text.
import { anyToken, termsOf } from '../src/core/text/terms.ts';

/** Identifiers, words and bullets of a summary, as far as its source could have told them. */
export type Gold = {
  identifiers: Set<string>;
  words: string[];
  bullets: string[][];
  /** Lines of the summary, for the windows. */
  lines: string[][];
};
export type Score = { identifiers: number; words: number; bullets: number; window: number };

/** A bullet is looked for in so many words in a row. */
const WINDOW = 60;
const STEP = 30;
const LEAST_WORDS = 4;
/** The same in so many characters in a row, whatever the paragraphs. */
const CHARACTERS = 600;
const CHARACTERS_STEP = 150;
const SHORTEST_LINE = 25;
const LONGEST_WORD = 60;
const SMALL_WORDS = new Set(
  'the a an to of in for on and or with is are be was were been from by at as it its this that these those not no but if then than so we i you they he she our your their which who what when where how why all any each more most other some such only own same can will just should now into over also did does do done has have had'.split(
    ' ',
  ),
);

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
    lines: linesOf(summary, wholeWords(source)),
  };
}

function linesOf(summary: string, known: Set<string>): string[][] {
  return summary
    .split('\n')
    .filter((line) => line.trim().length > SHORTEST_LINE)
    .map((line) => [...wholeWords(line)].filter((word) => known.has(word)))
    .filter((words) => words.length >= LEAST_WORDS);
}

/** Shares of the identifiers, of the words (each as often as the summary says it), and of each bullet's words in the stretch that fits it best: of a paragraph, and of the whole text. */
export function scoreOf(gold: Gold, text: string): Score {
  const names = identifiersOf(text);
  const words = new Set(termsOf(text));
  return {
    identifiers: share(gold.identifiers, names),
    words: share(gold.words, words),
    bullets: bestMatch(gold.bullets, windowsOf(text)),
    window: bestMatch(gold.lines, stretchesOf(text)),
  };
}

/** Of each bullet's words the share in the window that has most of them, averaged. */
function bestMatch(bullets: string[][], windows: Set<string>[]): number {
  let sum = 0;
  for (const bullet of bullets) {
    let most = 0;
    for (const window of windows) {
      let held = 0;
      for (const term of bullet) if (window.has(term)) held++;
      if (held > most) most = held;
    }
    sum += most / bullet.length;
  }
  return sum / Math.max(1, bullets.length);
}

function stretchesOf(text: string): Set<string>[] {
  const flat = text.replace(/\s+/g, ' ');
  const windows: Set<string>[] = [];
  for (let at = 0; at === 0 || at < flat.length - CHARACTERS / 2; at += CHARACTERS_STEP)
    windows.push(wholeWords(flat.slice(at, at + CHARACTERS)));
  return windows;
}

/** Words without their endings, identifiers whole, and the last part of paths: no part of a name counts by itself. */
function wholeWords(text: string): Set<string> {
  const found = new Set<string>();
  for (const [token] of text.matchAll(/[A-Za-z_][\w\-./]*\w/g)) {
    const word = token.replace(/^[./-]+|[./-]+$/g, '');
    const low = word.toLowerCase();
    if (word.length > LONGEST_WORD) continue;
    if (/[._/]|\d|[a-z][A-Z]/.test(word)) {
      found.add(low);
      found.add(low.slice(low.lastIndexOf('/') + 1));
    } else if (low.length > 2 && !SMALL_WORDS.has(low)) found.add(`w ${low.replace(/(?:ing|ed|es|s)$/, '')}`);
  }
  return found;
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
