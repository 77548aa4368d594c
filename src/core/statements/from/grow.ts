import { clipped } from '../../text/plain-text.ts';
import { type Piece, quoteOf } from '../candidate.ts';
import { WEAK_HEADING } from '../read/agent-cues.ts';
import { isPassing } from '../read/passing.ts';
import type { AgentUnit } from '../read/segment-units.ts';
import type { Span } from '../read/units.ts';

/** How it is today, before anything was changed. */
export const TODAY =
  /\b(?:right now|currently|current (?:design|behaviou?r|state|flow|code|logic|implementation)|already (?:does|do|has|have)|at the moment|as it stands|the existing)\b/i;
const OPENING =
  /^[^\p{L}\p{N}]*(?:(?:done|fixed|perfect|great|excellent|good (?:catch|question|point|idea)|great (?:catch|question|point)|exactly|got it|all (?:\d+ )?tests pass(?:ing)?|tests pass|you'?re (?:absolutely |completely )?right(?: to \w+ that out)?|ah,? (?:i see|yes)|i see|yes|yeah|right|correct|makes sense|that makes sense|understood|confirmed|interesting|great news)\b\s*[-—–.,!:]+\s*)+/iu;
const LEAST = 25;

export type Grown = Piece & { first: number; last: number };

/** `isNear`: whether a sentence before it is of the same matter. */
type Bounds = { limit: number; isNear?: (unit: AgentUnit) => boolean };

/** A sentence of the agent with its neighbors under the same heading, up to this many characters. */
export function grow(units: AgentUnit[], at: number, { limit, isNear = () => true }: Bounds): Grown {
  const unit = units[at]!;
  const parts: { text: string; span: Span }[] = [{ text: withoutOpening(unit.text), span: unit }];
  let length = parts[0]!.text.length;
  let [first, last] = [at, at];
  const headed = headingFor(unit, limit - length);
  if (headed) {
    parts.unshift(headed);
    length += headed.text.length;
  }
  const fits = (next: AgentUnit | undefined): next is AgentUnit =>
    next !== undefined &&
    next.reply === unit.reply &&
    length + next.text.length < limit &&
    isFirm(next, unit);
  for (let next = units[last + 1]; fits(next); next = units[last + 1]) {
    if (next.features.has('status') && next.text.length < 60) break;
    parts.push({ text: next.text, span: next });
    length += next.text.length + 2;
    last++;
  }
  for (let next = units[first - 1]; !headed && !unit.lead && fits(next); next = units[first - 1]) {
    if (!isNear(next)) break;
    parts.unshift({ text: next.text, span: next });
    length += next.text.length + 2;
    first--;
  }
  while (parts.length > 1 && /:\s*$/.test(parts.at(-1)!.text)) parts.pop();
  return {
    text: clipped(joined(parts.map(({ text }) => text)), limit + 40),
    quotes: parts.map(({ span }) => quoteOf(unit.reply, 'text', span)),
    first,
    last,
  };
}

function headingFor(unit: AgentUnit, room: number): { text: string; span: Span } | undefined {
  const { lead, head, item } = unit;
  if (lead)
    return lead.text.length < room ? { text: `${lead.text.replace(/[:.]$/, '')}:`, span: lead } : undefined;
  if (!head || !item || WEAK_HEADING.test(head.text) || head.text.length + 2 >= room) return undefined;
  return { text: `${head.text.replace(/:$/, '')}:`, span: head };
}

function isFirm(next: AgentUnit, unit: AgentUnit): boolean {
  if (next.text.length < LEAST || TODAY.test(next.text) || next.head !== unit.head) return false;
  if (isPassing(next.text)) return false;
  return !['asks', 'narrates', 'guesses', 'proposes', 'task'].some((name) => next.features.has(name));
}

export function joined(texts: string[]): string {
  return texts.reduce((whole, text) => {
    if (whole === '') return text;
    return `${whole}${/[.!?:;。！？]$/.test(whole) ? ' ' : '; '}${text}`;
  }, '');
}

export function withoutOpening(text: string): string {
  const rest = text.replace(OPENING, '');
  return rest.length > 20 && rest !== text ? rest[0]!.toUpperCase() + rest.slice(1) : text;
}
