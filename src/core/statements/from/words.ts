import { LASTING } from '../../text/lasting.ts';
import { clipped, contentWords, plainText, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { type Candidate, type Piece, quoteOf } from '../candidate.ts';
import { isWords, type ReadSegment, type UserUnit } from '../read/segment-units.ts';
import type { Said } from '../read/segments.ts';
import { USER_CUES } from '../read/user-cues.ts';
import { USER_WEIGHTS, weighed } from '../weights.ts';
import { type StatementOutcome, statementOutcome } from './outcome.ts';
import { offerMeant, optionsMeant } from './references.ts';
import { isRuleAlone } from './rule-alone.ts';
import { namedSubject } from './subject.ts';

const MOST = 6;
const LEAST = -1.6;
const LEAST_NEIGHBOR = -2;
const LONGEST_WORDS = 320;
const LONGEST_OUTCOME = 300;
const LONGEST = 560;
const SHORT_YES = 60;
/** Words that say yes, and no more. */
const CONSENT =
  /\b(?:yes|yeah|yep|yup|ok(?:ay)?|sure|please|pls|plz|do|it|that|this|so|go|ahead|for|perfect|great|sounds|looks|good|lgtm|correct|exactly|right|agreed?|nice|cool|awesome|all|thanks|thank|you|let'?s|with|both|i|think|is|fine|its|it's|and)\b|[^\p{L}\p{N}]+/giu;
const MOST_MORE = 3;
const OPENING =
  /^[^\p{L}\p{N}]*(?:(?:ah|oh|ok|okay|hmm+|erm+|emm+|right|well|cool|nice|great|perfect|thanks|thank you|sorry|also|so|and|question|q|one more thing|brainstorm|actually)\b\s*[-—–.,!:]*\s+)+/iu;

const RULES = ['rule', 'preference', 'constraint', 'environment'];

type Weighed = { score: number; unit: UserUnit };

/** The user's own sentences of a segment, each with what it refers to and its outcome. */
export function fromWords(
  segment: ReadSegment,
  isEcho: (text: string, segment: number) => boolean,
  used: Set<number>,
): Candidate[] {
  const units: Weighed[] = segment.own
    .filter(
      ({ text, features }) => text.length >= 8 && !features.has('order') && !isEcho(text, segment.index),
    )
    .map((unit) => ({ unit, score: weighed(unit.features, USER_WEIGHTS) }));
  const order = units.map((_, at) => at).sort((a, b) => units[b]!.score - units[a]!.score || a - b);
  const taken = new Set<number>();
  const found: Candidate[] = [];
  for (const at of order) {
    if (taken.has(at) || found.length >= MOST) continue;
    if (units[at]!.score < LEAST) break;
    const [first, last] = stretchAround(units, at, taken);
    found.push(fromUnits(segment, units[at]!, units.slice(first, last + 1), used));
  }
  return units.length > 0 ? [...found, ...rulesAlone(segment, units)] : [...found, ...picks(segment)];
}

/** What the user wants from now on, as the one sentence that says it. */
function rulesAlone(segment: ReadSegment, units: Weighed[]): Candidate[] {
  return units
    .filter(({ unit }) => isRuleAlone(unit))
    .map(({ unit, score }) => {
      const words = { text: withoutOpening(unit.text), quotes: [quoteOf(unit.said, 'text', unit)] };
      const candidate = started(segment, unit.said, words, unit.features);
      return { ...candidate, score, isRuleAlone: true };
    });
}

/** With neighbors of the same message while there is room; plain questions stay alone. */
function stretchAround(units: Weighed[], at: number, taken: Set<number>): [first: number, last: number] {
  const { unit } = units[at]!;
  let [first, last, length] = [at, at, unit.text.length];
  taken.add(at);
  const fits = (next: number): boolean => {
    const near = units[next];
    if (!near || taken.has(next) || near.unit.said !== unit.said || near.score <= LEAST_NEIGHBOR)
      return false;
    const { features, text } = near.unit;
    if (length + text.length >= LONGEST_WORDS || (features.has('question') && !features.has('proposes')))
      return false;
    length += text.length;
    taken.add(next);
    return true;
  };
  while (fits(last + 1)) last++;
  while (fits(first - 1)) first--;
  return [first, last];
}

const SAYS_HOW = ['rule', 'choice', 'because', 'negates', 'limit', 'environment'];

/** Without questions and leads to something else at both ends, where the rest says how something is to be. */
function pointOf(stretch: Weighed[]): Weighed[] {
  const isBeside = ({ unit: { features, text } }: Weighed) =>
    text.endsWith(':') || (features.has('question') && !features.has('proposes'));
  const own = stretch.slice(
    stretch.findIndex((one) => !isBeside(one)),
    stretch.findLastIndex((one) => !isBeside(one)) + 1,
  );
  const saysHow = own.some(({ unit }) => SAYS_HOW.some((name) => unit.features.has(name)));
  return saysHow ? own : stretch;
}

function fromUnits(
  segment: ReadSegment,
  { unit, score }: Weighed,
  stretch: Weighed[],
  used: Set<number>,
): Candidate {
  const parts = pointOf(stretch).map((one) => one.unit);
  const texts = parts.map(({ text }) => withoutOpening(text));
  const words: Piece = {
    text: clipped(texts.join(unit.item ? ' / ' : ' '), 360),
    quotes: parts.map((part) => quoteOf(unit.said, 'text', part)),
  };
  const ways = parts.flatMap((part) => [...part.features].filter((name) => name.startsWith('ways:')));
  const main = parts.includes(unit) ? unit : parts[0]!;
  const candidate = started(segment, unit.said, words, new Set([...main.features, ...ways]));
  candidate.score = score;
  const meant = optionsMeant(words.text, segment.before);
  if (meant) candidate.score += 0.8;
  const agreed = !meant && isYes(words.text) ? offerMeant(segment.before) : undefined;
  if (agreed) candidate.score += 0.6;
  refer(candidate, meant, agreed);
  const outcome = addOutcome(segment, candidate);
  if (outcome) {
    candidate.score += 0.2 * outcome.score;
    for (const place of outcome.used) used.add(place);
  }
  nameSubject(segment, candidate);
  return candidate;
}

/** What is said for all time is about all; other words need to say what they are about. */
function nameSubject(segment: ReadSegment, candidate: Candidate): void {
  const { words, reference, outcome, features, foundBy } = candidate;
  if (foundBy === 'pasted' || RULES.some((kind) => features.has(`says:${kind}`))) return;
  const text = `${words.text} ${reference?.text ?? ''} ${outcome?.text ?? ''}`;
  const subject = namedSubject(segment, text);
  if (subject) candidate.subject = subject;
}

/** Consent, and next to nothing of its own. */
function isYes(text: string): boolean {
  const plain = straight(text);
  if (text.length >= SHORT_YES || text.includes('?') || !USER_CUES.agrees.test(plain)) return false;
  return plain.replace(CONSENT, ' ').trim().split(/\s+/).filter(Boolean).length <= MOST_MORE;
}

/** "2" or "yes", and nothing else: what was picked or agreed to. */
function picks(segment: ReadSegment): Candidate[] {
  return segment.said
    .filter((said) => isWords(said) && said.text.length < 80)
    .flatMap((said) => {
      const meant = optionsMeant(said.text, segment.before);
      const agreed = !meant && isYes(said.text) ? offerMeant(segment.before) : undefined;
      if (!meant && !agreed) return [];
      const whole = { from: 0, to: said.text.length };
      const words = { text: plainText(said.text), quotes: [quoteOf(said, 'text', whole)] };
      const candidate = started(segment, said, words, new Set());
      candidate.foundBy = 'pick';
      candidate.score = 0.3;
      refer(candidate, meant, agreed);
      addOutcome(segment, candidate);
      nameSubject(segment, candidate);
      return [candidate];
    });
}

function started(segment: ReadSegment, said: Said, words: Piece, features: Set<string>): Candidate {
  return {
    foundBy: features.has('document') ? 'pasted' : said.kind === 'refusal' ? 'refusal' : 'words',
    author: features.has('document') ? 'pasted' : 'user',
    kind: 'decision',
    segment: segment.index,
    features,
    outcomeFeatures: new Set(),
    score: 0,
    label: '',
    words,
    overturned: [],
  };
}

function refer(candidate: Candidate, meant: Piece | undefined, agreed: Piece | undefined): void {
  if (meant) candidate.reference = meant;
  else if (agreed) candidate.reference = { ...agreed, text: `agreed to: ${agreed.text}` };
}

function addOutcome(segment: ReadSegment, candidate: Candidate): StatementOutcome | undefined {
  const text = `${candidate.words.text} ${candidate.reference?.text ?? ''}`;
  const room = LONGEST - text.length - 12;
  if (room < 60) return undefined;
  const outcome = statementOutcome(segment, text, Math.min(LONGEST_OUTCOME, room));
  if (!outcome || isElsewhere(candidate, outcome)) return undefined;
  candidate.outcome = outcome.piece;
  candidate.outcomeFeatures = outcome.unit.features;
  if (outcome.isApart) candidate.isApart = true;
  return outcome;
}

/** A rule needs no outcome, and one that shares nothing with it belongs to other words of the message. */
function isElsewhere({ words, reference, features }: Candidate, { piece, unit }: StatementOutcome): boolean {
  if (reference || unit.features.has('concedes') || !LASTING.test(straight(words.text))) return false;
  if (!RULES.some((kind) => features.has(`says:${kind}`))) return false;
  return shared(contentWords(words.text), contentWords(piece.text)) === 0;
}

function withoutOpening(text: string): string {
  const rest = text.replace(OPENING, '');
  return rest.length > 12 ? rest : text;
}
