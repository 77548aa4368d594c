// Reads what an agent's own compaction summary names, and measures how much of it a text contains.
import { anyToken, termsOf } from '../src/core/text/terms.ts';

/** Identifiers, words and bullets of a summary that also occur in its source. */
export type Gold = {
  identifiers: Set<string>;
  words: string[];
  bullets: string[][];
  /** Lines of the summary, for the window scores. */
  lines: string[][];
};
export type Score = { identifiers: number; words: number; bullets: number; window: number };

/** Length of the window, in words, in which a bullet is searched. */
const WINDOW = 60;
const STEP = 30;
const LEAST_WORDS = 4;
/** The same window in characters, across paragraphs. */
const CHARACTERS = 600;
const CHARACTERS_STEP = 150;
const SHORTEST_LINE = 25;
const LONGEST_WORD = 60;
const SMALL_WORDS = new Set(
  'the a an to of in for on and or with is are be was were been from by at as it its this that these those not no but if then than so we i you they he she our your their which who what when where how why all any each more most other some such only own same can will just should now into over also did does do done has have had'.split(
    ' ',
  ),
);

/** Counts only what occurs in the source: an extract cannot contain the agent's rephrasings. */
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

/** Shares found: identifiers; words (as often as the summary uses them); each bullet's words in its best window, within a paragraph and within the whole text. */
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

/** The share of each bullet's words in the window that contains most of them, averaged. */
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

/** Stems of words, whole identifiers, and the last part of paths; parts of a name do not count on their own. */
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

/** Tokens that are not plain words: an inner capital, a digit, or parts joined by punctuation. */
function identifiersOf(text: string): Set<string> {
  const found = new Set<string>();
  for (const [token] of text.matchAll(anyToken())) {
    if (token.length < 3 || token.length > 120 || !/\p{L}/u.test(token)) continue;
    if (/\p{Ll}\p{Lu}|[\p{N}_./\\:@$]/u.test(token)) found.add(token.toLowerCase());
  }
  return found;
}

/** Lines of a summary outside code blocks, without headings: those come from the client, not the agent. */
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
