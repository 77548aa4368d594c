import type { SessionStatement } from '../model/statement.ts';
import { sentencesOf } from '../text/sentences.ts';
import { termsOf } from '../text/terms.ts';
import type { CountTokens } from './limits.ts';
import { fromTheirPoint, shortOutcome, withoutSigns } from './short-words.ts';

/** `"words" [what they refer to] (in their subject) -> outcome`. */
const WORDS = /^"(.*?)"(?: \[(.*?)\])?(?: \(((?:in|on) [^()]*)\))?(?: -> (.*))?$/s;

/** A statement as an entry writes it, in sentences that can be left out. */
export type StatementParts = {
  words: string[];
  reference: string;
  subject: string;
  outcome: string[];
  /** What is written as it is, where it is not somebody's words. */
  plain: string[];
};

/** Words this short say nothing without what they refer to ("option 3"). */
const SHORT_WORDS = 60;
/** What somebody else wrote is worth less than the user's own words. */
const PASTED = 0.5;
/** How much less a term is worth each time it was said before. */
const SAID_BEFORE = 0.5;
/** A long sentence has more to say for its length. */
const LENGTH = 0.9;

export function statementParts({ text, offline, foundBy, kind }: SessionStatement): StatementParts {
  const none = { words: [], reference: '', subject: '', outcome: [], plain: [] };
  // A model's wording, and a question with its answer, are one piece.
  if (offline !== undefined) return { ...none, plain: [text] };
  const said = withoutSigns(text)
    .replace(/^(?:User|Sent by the user): /, '')
    .replace(/^(?:Left open|Remains) at the end: /, '');
  const [, words, reference = '', subject = '', outcome = ''] = WORDS.exec(said) ?? [];
  if (words === undefined) {
    const plain = shortOutcome(said.replace(/^(?:Commit|Written down): /, ''));
    if (foundBy === 'answer') return { ...none, plain: [plain] };
    const sentences = inSentences(plain);
    // What the agent asked on the way is no report.
    const told =
      foundBy === 'claim' && kind !== 'open' ? sentences.filter((it) => !/[?？]$/.test(it)) : sentences;
    return { ...none, plain: told.length > 0 ? told : sentences };
  }
  return {
    ...none,
    words: inSentences(fromTheirPoint(words)),
    reference: fromTheirPoint(reference),
    subject,
    outcome: inSentences(shortOutcome(outcome)),
  };
}

/** Sentences, and what is between semicolons. What begins small continues with the one before ("Loading... indicator"). */
function inSentences(text: string): string[] {
  if (text === '') return [];
  const sentences: string[] = [];
  for (const it of sentencesOf(text.replace(/\s+/g, ' '))) {
    const last = sentences.at(-1);
    if (last !== undefined && /^\p{Ll}/u.test(it)) sentences[sentences.length - 1] = `${last} ${it}`;
    else sentences.push(it);
  }
  return sentences.length === 0 ? [text] : sentences.flatMap((it) => it.split(/(?<=;)\s+(?=\S)/));
}

/** A sentence of a statement, by its place in the list of all. */
type Part = {
  statement: number;
  slot: 'words' | 'reference' | 'outcome' | 'plain';
  at: number;
  text: string;
};
type Weighed = Part & { cost: number; terms: string[]; confidence: number };

/**
 * The sentences of statements that are worth most for a token, until there is no room for another: the surer the statement
 * and the less of it was said before. What came of words is never without them.
 */
export function chosenParts(
  statements: SessionStatement[],
  room: number,
  count: CountTokens,
): Map<number, StatementParts> {
  const parts = statements.map(statementParts);
  const around = count('- decision: "" →\n');
  const all = parts.flatMap((own, statement) => weighed(own, statement, statements[statement]!, count));
  const said = new Map<string, number>();
  const taken = new Set<Weighed>();
  const opened = new Set<number>();
  let left = room;
  for (;;) {
    let best: { parts: Weighed[]; cost: number; value: number } | undefined;
    for (const part of all) {
      if (taken.has(part)) continue;
      const own = withNeeded(part, all, taken);
      const cost = own.reduce((sum, it) => sum + it.cost, opened.has(part.statement) ? 1 : around);
      if (cost > left) continue;
      const value = (part.confidence * news(own, said)) / cost ** LENGTH;
      if (value > (best?.value ?? 0)) best = { parts: own, cost, value };
    }
    if (!best) break;
    left -= best.cost;
    for (const part of best.parts) {
      taken.add(part);
      opened.add(part.statement);
      for (const term of part.terms) said.set(term, (said.get(term) ?? 0) + 1);
    }
  }
  const chosen = new Map<number, StatementParts>();
  for (const statement of opened) {
    const has = (slot: Part['slot']) => (_: string, at: number) =>
      [...taken].some((it) => it.statement === statement && it.slot === slot && it.at === at);
    const { words, reference, subject, outcome, plain } = parts[statement]!;
    chosen.set(statement, {
      words: kept(words, has('words')),
      reference: has('reference')('', 0) ? reference : '',
      subject,
      outcome: kept(outcome, has('outcome')),
      plain: kept(plain, has('plain')),
    });
  }
  return chosen;
}

function weighed(
  { words, reference, outcome, plain }: StatementParts,
  statement: number,
  { confidence, foundBy }: SessionStatement,
  count: CountTokens,
): Weighed[] {
  const part = (slot: Part['slot']) => (text: string, at: number) => ({
    statement,
    slot,
    at,
    text,
    confidence: confidence * (foundBy === 'pasted' ? PASTED : 1),
    cost: count(text),
    terms: [...new Set(termsOf(text))],
  });
  return [
    ...words.map(part('words')),
    ...(reference === '' ? [] : [part('reference')(reference, 0)]),
    ...outcome.map(part('outcome')),
    ...plain.map(part('plain')),
  ];
}

/** With what it says nothing without, where that is not taken yet. */
function withNeeded(part: Weighed, all: Weighed[], taken: Set<Weighed>): Weighed[] {
  const own = all.filter(({ statement }) => statement === part.statement);
  const words = own.filter(({ slot }) => slot === 'words');
  const needed = [part];
  const most = words.reduce((a, b) => (b.terms.length > (a?.terms.length ?? 0) ? b : a), words[0]);
  if (part.slot === 'reference' || part.slot === 'outcome')
    if (most && !words.some((it) => taken.has(it))) needed.push(most);
  // A commit's subject, a note's heading: the rest is about it.
  const subject = own.find(({ slot, at }) => slot === 'plain' && at === 0);
  if (part.slot === 'plain' && part.at > 0 && subject && !taken.has(subject)) needed.push(subject);
  if (part.slot !== 'plain' && words.reduce((sum, { text }) => sum + text.length, 0) < SHORT_WORDS) {
    const reference = own.find(({ slot }) => slot === 'reference');
    if (reference && reference !== part && !taken.has(reference)) needed.push(reference);
  }
  return needed;
}

function news(parts: Weighed[], said: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const { terms } of parts) for (const term of terms) sum += SAID_BEFORE ** (said.get(term) ?? 0);
  return sum;
}

/** The chosen ones, with a sign where others were left out; nothing where none was chosen. */
function kept(sentences: string[], isKept: (text: string, at: number) => boolean): string[] {
  const chosen: string[] = [];
  let isGap = false;
  sentences.forEach((text, at) => {
    if (isKept(text, at)) {
      if (isGap) chosen.push('…');
      chosen.push(text);
      isGap = false;
    } else isGap = true;
  });
  if (chosen.length === 0) return [];
  return isGap ? [...chosen, '…'] : chosen;
}
