import type { SessionStatement } from '../../model/statement.ts';
import { contentWords, identifiers, shared } from '../../text/plain-text.ts';
import { namesIn } from './taken-back.ts';

/** The statements of one session, and when it ended. */
export type StatedSession = { sessionId: string; last: string; statements: SessionStatement[] };
/** Whether a later sentence asks for the contrary of an earlier one. */
export type Against = (earlier: string, later: string) => boolean;

/** If this share of a statement's names is withdrawn, the whole statement is. */
const NAMES_SHARE = 0.5;
/** Words that two statements on one subject have in common. */
const SUBJECT = 4;
const SUBJECT_SHARE = 0.3;
/** Longer words say many things, of which one may be the contrary of something. */
const LONGEST_WISH = 240;

/** What was so before, in the words that said it: `the earlier "success wins over an error" rule`. */
const QUOTED_AS_PAST = /\b(?:earlier|previous|prior|former|old)\b[^."“]{0,30}["“]([^"”\n]{10,100})["”]/gi;
/** What is kept, or comes back. */
const KEPT =
  /\b(?:keep\w*|kept|restor\w+|reinstat\w+|(?:back|return\w*|revert\w*) to|stick\w*|still|again|same as|like)\b[^.]{0,40}$/i;
/** Fewer words can mean something else. */
const QUOTED_WORDS = 3;

/** A word that more of the later statements have says nothing about a subject. */
const COMMON = 60;

type Later = {
  statement: SessionStatement;
  names: Set<string>;
  /** Words of each phrase that it quotes as what was so before. */
  past: Set<string>[];
  words: Set<string>;
  own: string;
  place: number;
};

/** The later statement that took another one back, and its words. */
export type Overturning = { by: SessionStatement; words: string };

/** By id, the statements that a later session withdrew, each with the words that did. */
export function overturnedLater(sessions: StatedSession[], isAgainst: Against): Map<string, string> {
  return new Map([...overturnedBy(sessions, isAgainst)].map(([id, { words }]) => [id, words]));
}

/** The same with the statements that did. The later verdict counts. */
export function overturnedBy(sessions: StatedSession[], isAgainst: Against): Map<string, Overturning> {
  const found = new Map<string, Overturning>();
  const later = new Map<string, Later[]>();
  let place = 0;
  const byTime = [...sessions].sort((a, b) => (key(a) < key(b) ? 1 : -1));
  for (const { statements } of byTime) {
    for (const statement of statements) {
      const by = overturning(statement, later, isAgainst);
      if (by)
        found.set(statement.id, { by: by.statement, words: by.own === '' ? by.statement.text : by.own });
    }
    for (const statement of statements) {
      // An agent's claim alone takes nothing back that was true elsewhere.
      if (statement.foundBy === 'claim' || statement.foundBy === 'open-end' || found.has(statement.id))
        continue;
      const { text } = statement;
      const words = contentWords(text);
      const [names, past] = [namesIn(text), pastPhrases(text)];
      const one = { statement, names, past, words, own: ownWords(statement), place: place++ };
      if (names.size === 0 && past.length === 0 && one.own === '') continue;
      for (const word of words) {
        const known = later.get(word);
        if (known) known.push(one);
        else later.set(word, [one]);
      }
    }
  }
  return found;
}

/** The earliest of the later statements that takes this one back. */
function overturning(
  earlier: SessionStatement,
  later: ReadonlyMap<string, Later[]>,
  isAgainst: Against,
): Later | undefined {
  const about = contentWords(earlier.text);
  const near = new Set<Later>();
  for (const word of about) {
    const having = later.get(word) ?? [];
    if (having.length <= COMMON) for (const one of having) near.add(one);
  }
  let first: Later | undefined;
  let named: Named | undefined;
  for (const one of near) {
    if (first && first.place > one.place) continue;
    if (one.past.some((phrase) => shared(phrase, about) === phrase.size)) {
      first = one;
      continue;
    }
    const common = shared(one.words, about);
    if (common < SUBJECT || common < SUBJECT_SHARE * Math.min(one.words.size, about.size)) continue;
    named ??= namedBy(earlier);
    if (takesNames(one, named) || isContrary(one, earlier, isAgainst)) first = one;
  }
  return first;
}

function pastPhrases(text: string): Set<string>[] {
  const past = [...text.matchAll(QUOTED_AS_PAST)].filter(({ index }) => !KEPT.test(text.slice(0, index)));
  const phrases = past.map(([, phrase = '']) => contentWords(phrase));
  return phrases.filter((words) => words.size >= QUOTED_WORDS);
}

/** All names of a statement, and those that can be withdrawn: what it withdraws itself is already gone. */
type Named = { all: number; own: string[] };

function namedBy({ text, kind }: SessionStatement): Named {
  if (kind === 'open') return { all: 0, own: [] };
  const all = identifiers(text);
  const before = namesIn(text);
  return { all: all.size, own: [...all].filter((name) => !before.has(name)) };
}

function takesNames({ names }: Later, { all, own }: Named): boolean {
  if (names.size === 0) return false;
  const taken = own.filter((name) => names.has(name)).length;
  return taken > 0 && taken >= NAMES_SHARE * all;
}

function isContrary({ own }: Later, earlier: SessionStatement, isAgainst: Against): boolean {
  const wish = ownWords(earlier);
  return wish !== '' && own !== '' && isAgainst(wish, own);
}

/** What the user said, where that is short enough to be one wish; not a question. */
function ownWords({ author, quotes }: SessionStatement): string {
  if (author !== 'user') return '';
  const words = quotes
    .filter(({ by, field }) => by === 'user' && field === 'text')
    .map(({ text }) => text)
    .join(' ');
  return words.length > LONGEST_WISH || /[?？]\s*$/.test(words) ? '' : words;
}

function key({ last, sessionId }: StatedSession): string {
  return `${last}\0${sessionId}`;
}
