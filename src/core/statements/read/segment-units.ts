import { isAcceptedPlan } from '../../text/accepted-plan.ts';
import { contentWords, identifiers, numbersIn, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { AGENT_CUES, FIRM_HEADING, WEAK_HEADING } from './agent-cues.ts';
import { isReadable } from './english.ts';
import { ownKind } from './own-kinds.ts';
import { introducedAt, isMachineLine, isPastedLine, ownLines, pastedShare } from './own-lines.ts';
import { isEdit, type Reply, type Said, type Segment } from './segments.ts';
import { type TextUnit, unitsOf } from './units.ts';
import { USER_CUES } from './user-cues.ts';

/** What the next words of the user make of what was said and done. */
export type Reaction = 'agrees' | 'objects' | 'other' | 'none' | 'unreadable';

export type UserUnit = TextUnit & { said: Said; features: Set<string> };
export type AgentUnit = TextUnit & {
  reply: Reply;
  features: Set<string>;
  words: Set<string>;
  names: Set<string>;
  numbers: Set<string>;
};

export type ReadSegment = Segment & {
  own: UserUnit[];
  answers: AgentUnit[];
  reaction: Reaction;
};

const REACTION = 300;
const OPENING = 600;
const LONG_MESSAGE = 1200;
const FEWEST_LINES = 20;
const LOOSE = 0.4;
const REVIEW =
  /\b(?:low|medium|high|critical) severity\b|consider (?:using|adding|exposing)|this (?:test|function|code|appears)/i;
const PLAN = /^[^\p{L}\p{N}]*implement the following plan/iu;
/** Three words and more between quotes or in code are someone else's, whatever they demand. */
const QUOTED = /"[^"\n]{8,600}"|“[^”\n]{8,600}”|`[^`\n]{8,400}`/g;
const CODE_NAMES =
  /`[^`]+`|\b\w+[A-Z]\w*\b|\b\w+_\w+\b|--?[a-z]\w+-?\w*|\b[\w-]+\.(?:go|ts|js|py|md|json|rs|yml|yaml|toml|sh)\b|\b[A-Z]{2,}-\d+\b/g;

/** Each segment with its sentences and what they have in them. */
export function readSegments(segments: Segment[]): ReadSegment[] {
  return segments.map((segment) => {
    const reaction = reactionTo(segment, segments[segment.index + 1]);
    const own = segment.said.flatMap((said) =>
      isWords(said) && isReadable(ownLines(said.text)) ? userUnits(said, segment) : [],
    );
    const asked = contentWords(segment.said.map(({ text }) => text).join(' '));
    const nearEnd = segment.index >= segments.length - 2;
    const answers = segment.replies.flatMap((reply, place) =>
      !isReadable(reply.text.slice(0, OPENING))
        ? []
        : agentUnits(reply, { segment, place, asked, reaction, nearEnd }),
    );
    return { ...segment, own, answers, reaction };
  });
}

export function isWords({ kind }: Said): boolean {
  return kind === 'words' || kind === 'refusal';
}

function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quote) => (/\S\s+\S+\s+\S/.test(quote) ? '…' : quote));
}

/** Someone's plan, review or specification, sent as a message: long, and with headings of its own. */
function isDocument(text: string): boolean {
  if (text.length <= LONG_MESSAGE) return false;
  return (
    PLAN.test(text) ||
    REVIEW.test(text) ||
    (text.match(/^#{1,4} \S/gm)?.length ?? 0) >= 2 ||
    isCopiedPage(text)
  );
}

/** Many lines without an end that are no list: a page with its menus and names, copied as a whole. */
function isCopiedPage(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const loose = lines.filter((line) => !/[.!?:;,…)"'`]\s*$|^\s*(?:[-*+•]|\d{1,2}[.)])\s/.test(line));
  return lines.length >= FEWEST_LINES && loose.length >= LOOSE * lines.length;
}

function reactionTo(segment: Segment, next: Segment | undefined): Reaction {
  const said = next?.said[0];
  if (!said) return 'none';
  if (!isWords(said)) return 'agrees';
  const text = straight(ownLines(said.text).slice(0, REACTION));
  if (!isReadable(text)) return 'unreadable';
  if (USER_CUES.agrees.test(text) && !/^\W*\w+,? but\b/i.test(text)) return 'agrees';
  const before = contentWords(segment.said.map((one) => one.text.slice(0, 400)).join(' '));
  const words = contentWords(text);
  const both = shared(before, words);
  const again = both >= 3 && both >= 0.5 * Math.min(before.size, words.size) && /\?\s*$/.test(text);
  return again || USER_CUES.objects.test(text) ? 'objects' : 'other';
}

function userUnits(said: Said, segment: Segment): UserUnit[] {
  const pasted = pastedShare(said.text) > 0.5;
  const message = new Set<string>();
  if (pasted) message.add('pasted');
  if (said.kind === 'refusal') message.add('refusal');
  if (said.text.length > LONG_MESSAGE) message.add('longMessage');
  if (REVIEW.test(said.text)) message.add('review');
  if (PLAN.test(said.text)) message.add('plan');
  if (isDocument(said.text)) message.add('document');
  if (segment.index === 0) message.add('first');
  if (AGENT_CUES.concedes.test(straight(segment.replies[0]?.text.slice(0, 200) ?? '')))
    message.add('conceded');
  if (segment.calls.some(isEdit)) message.add('edits');
  const own = introducedAt(said.text);
  // To accept a plan is a decision; what the agent demands in it is no rule of the user's.
  const isOwn = isAcceptedPlan(said.text) ? (name: string) => !name.startsWith('says:') : () => true;
  return unitsOf(said.text, isPastedLine).map((unit) => ({
    ...unit,
    said,
    features: new Set([
      ...message,
      ...when(unit.from >= own, 'document'),
      ...userFeatures(unit).filter(isOwn),
    ]),
  }));
}

function userFeatures(unit: TextUnit): string[] {
  const text = straight(unit.text);
  const words = withoutQuotes(text);
  const found = Object.entries(USER_CUES).flatMap(([name, cue]) => (cue.test(words) ? [name] : []));
  const has = (name: string) => found.includes(name);
  const kind = ownKind(withoutQuotes(unit.text));
  const question = /\?\s*$/.test(text);
  const bare = !['rule', 'choice', 'because', 'objects', 'proposes', 'limit', 'environment', 'defines'].some(
    has,
  );
  return [
    ...found,
    ...(kind ? [`says:${kind}`] : []),
    ...when(question, 'question'),
    ...when(question && has('proposes'), 'question+proposes'),
    ...when(question && has('objects'), 'question+objects'),
    ...when(bare, 'bare'),
    ...when(text.length < 30, 'short'),
    ...when(text.length >= 60, 'over60'),
    ...when(text.length >= 120, 'over120'),
    ...when(text.length > 300, 'over300'),
    ...when(codeNames(text) > 0, 'names'),
    ...when(unit.item, 'item'),
    ...when(/\b\d+\b/.test(text), 'number'),
  ];
}

type AgentPlace = {
  segment: Segment;
  place: number;
  asked: Set<string>;
  reaction: Reaction;
  nearEnd: boolean;
};

function agentUnits(reply: Reply, where: AgentPlace): AgentUnit[] {
  const units = unitsOf(reply.text, isMachineLine);
  const { segment, place, reaction, nearEnd } = where;
  const isLast = place === segment.replies.length - 1;
  const message = [
    ...when(isLast, 'final'),
    ...when(place === 0, 'firstReply'),
    ...when(!isLast && place > 0, 'middle'),
    ...when(nearEnd, 'nearEnd'),
    `next:${reaction}`,
  ];
  return units.map((unit, index) => {
    const words = contentWords(unit.text);
    const found = agentFeatures(unit, shared(where.asked, words));
    if (index === 0) found.push('firstSentence');
    if (index === units.length - 1) found.push('lastSentence');
    if (!isLast && place > 0 && found.includes('cause')) found.push('middle+cause');
    const features = new Set([...message, ...found]);
    return { ...unit, reply, features, words, names: identifiers(unit.text), numbers: numbersIn(unit.text) };
  });
}

function agentFeatures(unit: TextUnit, common: number): string[] {
  const text = straight(unit.text);
  const around = `${unit.head?.text ?? ''} ${unit.lead?.text ?? ''}`;
  const names = codeNames(text);
  return [
    ...cuesIn(text),
    ...when(text.length < 35, 'short'),
    ...when(text.length >= 70, 'over70'),
    ...when(text.length >= 140, 'over140'),
    ...when(names > 0, 'names'),
    ...when(names >= 3, 'names3'),
    ...when(unit.item, 'item'),
    ...when(unit.table, 'table'),
    ...when(unit.task ?? false, 'task'),
    ...when(/\b\d+\b/.test(text), 'number'),
    ...when(WEAK_HEADING.test(around), 'weakHeading'),
    ...when(FIRM_HEADING.test(around), 'firmHeading'),
    ...when(around.trim() !== '', 'underHeading'),
    ...when(common >= 1, 'about1'),
    ...when(common >= 3, 'about3'),
    ...when(/^\W*yes\b/i.test(text), 'yes'),
    ...when(/:\s*$/.test(text), 'colon'),
    ...when(/^`?[\w./-]+\.\w{1,4}`?(?::| -|$)/.test(text), 'file'),
  ];
}

const CUES = Object.entries(AGENT_CUES);

function cuesIn(text: string): string[] {
  const found: string[] = [];
  for (const [name, cue] of CUES) if (cue.test(text)) found.push(name);
  return found;
}

function codeNames(text: string): number {
  return text.match(CODE_NAMES)?.length ?? 0;
}

function when(holds: boolean, name: string): string[] {
  return holds ? [name] : [];
}
