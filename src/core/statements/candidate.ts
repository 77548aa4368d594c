import type { L1Line } from '../model/l1.ts';
import type { Overturned, Quote, SessionStatement, StatedBy, StatedKind } from '../model/statement.ts';
import type { Span } from './read/units.ts';

/** Words as they are shown, and the quotations they are made of. */
export type Piece = { text: string; quotes: Quote[] };

/** What may become a statement. */
export type Candidate = {
  foundBy: StatedBy;
  author: SessionStatement['author'];
  kind: StatedKind;
  segment: number;
  /** Of the sentence that it was found by, and of the outcome's. */
  features: Set<string>;
  outcomeFeatures: Set<string>;
  score: number;
  /** What comes before the words: `Commit: `. */
  label: string;
  words: Piece;
  /** What the words refer to: an option, an offer. */
  reference?: Piece;
  /** Their subject, if they do not name it. */
  subject?: Piece;
  outcome?: Piece;
  /** The outcome may be that of other words: it is for a review. */
  isApart?: boolean;
  /** One sentence that says how the work is to be done from now on. */
  isRuleAlone?: boolean;
  /** What was wrong, with what mended it as its outcome. */
  isCause?: boolean;
  overturned: Overturned[];
  /** Not true any more as a whole. */
  dead?: boolean;
};

const CUT = /\s*…$/;
/** They mark words to keep and are none themselves; quotations have them as they are. */
const MARKERS = /##keepit\d+\.\d{2}##\s*/gi;

export function quoteOf(
  { line, at }: { line: L1Line; at: number },
  field: Quote['field'],
  { from, to }: Pick<Span, 'from' | 'to'>,
): Quote {
  const by = line.role === 'user' && field === 'text' ? 'user' : 'assistant';
  const whole = line[field] ?? '';
  // What is said is kept whole; where the rest was cut to its length, the mark at the end is ours.
  const isCut = field !== 'text' && to >= whole.length;
  const text = whole.slice(from, to);
  return { by, field, line: at, src: line.src, text: isCut ? text.replace(CUT, '') : text };
}

/** The lines of a stretch of an edit, a quotation each: the sign before them and the mark of a cut are ours. */
export function quotesOfDiff(
  call: { line: L1Line; at: number },
  { from, to }: Pick<Span, 'from' | 'to'>,
): Quote[] {
  const diff = call.line.diff ?? '';
  const found: Quote[] = [];
  let start = from;
  for (const line of diff.slice(from, to).split('\n')) {
    const isStart = start === 0 || diff[start - 1] === '\n';
    const sign = isStart && /^[+-]/.test(line) ? 1 : 0;
    const end = start + line.replace(CUT, '').length;
    if (end > start + sign) found.push(quoteOf(call, 'diff', { from: start + sign, to: end }));
    start += line.length + 1;
  }
  return found;
}

/** The text of a statement: its quotations behind a fixed word of ours. */
export function statementText(candidate: Candidate): string {
  return textWith(candidate, candidate.subject ? ` (${candidate.subject.text})` : '');
}

/** Only what its words say, without what they are about. */
export function ownText(candidate: Candidate): string {
  return textWith(candidate, '');
}

function textWith({ label, words, reference, outcome, foundBy }: Candidate, about: string): string {
  const isSaid = foundBy === 'words' || foundBy === 'refusal' || foundBy === 'pick';
  const first = isSaid
    ? `User: "${words.text}"`
    : `${foundBy === 'pasted' ? 'Sent by the user: ' : label}${words.text}`;
  const meant = reference ? ` [${reference.text}]` : '';
  return `${first}${meant}${about}${outcome ? ` -> ${outcome.text}` : ''}`.replace(MARKERS, '');
}
