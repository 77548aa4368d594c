import { UNTYPED } from '../../model/l1.ts';
import type { Steps } from '../../model/steps.ts';
import type { KeptPlace } from '../kept-places.ts';
import type { Turn } from '../turn.ts';
import { COMPRESS_WEIGHTS, type UnitKind } from '../weights.ts';
import { textBlocks } from './blocks.ts';
import { isChatOfPeople } from './chat-of-people.ts';
import { agentCues, isImages, userCues } from './cues.ts';
import { laterRemoved } from './later-removed.ts';
import { toolUnits } from './tool-units.ts';
import { newUnit, type Unit, type UnitCue } from './unit.ts';

const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** Turns after which there is a rest. */
const REST = 32;
/** Pasted text is split after this many characters: its first words show what it is. */
const PASTED_HEAD = 160;
/** A message of more pieces than this is mostly pasted from its 16th on. */
const LONG_MESSAGE = 20;
const OWN_PIECES = 15;
/** An answer is included with its question, unless both are longer than this. */
const LONGEST_ANSWER = 600;
/** A message between people up to this length is included whole: half of it would say little, and costs nearly as much. */
const LONGEST_WHOLE = 600;

/** Everything of these turns that can be included besides kept text, in order. `terse` by turn: rendered as results. */
export function* compressUnits(
  turns: Turn[],
  kept: Map<number, KeptPlace[]>,
  terse: Uint8Array = new Uint8Array(turns.length),
): Steps<Unit[]> {
  const isChat = isChatOfPeople(turns);
  const closing = closingTurns(turns);
  const removed = laterRemoved(turns);
  const todos = new Set<string>();
  const units: Unit[] = [];
  for (const [index, turn] of turns.entries()) {
    if (index % REST === REST - 1) yield;
    const { role, text } = turn.line;
    const places = (kept.get(index) ?? []).filter((place) => place.start !== -1);
    if (role === 'tool') toolUnits({ turn, index, terse: terse[index] === 1, removed, todos }, units);
    if (role !== 'system' && text !== undefined && text !== '') {
      const spoken = isChat && role !== 'tool' ? 'user' : spokenKind(turn, closing.has(index));
      if (isChat && places.length === 0 && text.length <= LONGEST_WHOLE)
        units.push(newUnit(index, 'user', text.trim(), { start: 0, end: text.length }));
      else messageUnits({ text, turn: index, spoken }, places, units);
    } else if (role === 'system' && turn.line.name && turn.line.name !== UNTYPED) {
      units.push(newUnit(index, 'notice', turn.line.name));
    }
  }
  return units;
}

function spokenKind({ line }: Turn, isClosing: boolean): UnitKind {
  if (line.role === 'user') return line.asked === undefined ? 'user' : 'answer';
  if (line.role === 'tool') return 'plan';
  return isClosing ? 'closing' : 'agent';
}

type Message = { text: string; turn: number; spoken: UnitKind };

function messageUnits({ text, turn, spoken }: Message, kept: KeptPlace[], units: Unit[]): void {
  if (spoken === 'answer' && kept.length === 0 && text.length <= LONGEST_ANSWER) {
    units.push(newUnit(turn, spoken, text, { start: 0, end: text.length }));
    return;
  }
  const first = units.length;
  let from = 0;
  const stretch = (to: number) => {
    for (const block of textBlocks(text, from, to)) {
      const code = block.kind === 'code' || block.kind === 'table';
      const isUser = spoken === 'user' || spoken === 'answer';
      const kind = !code || isUser ? spoken : spoken === 'closing' ? 'closing-code' : 'code';
      const { start, end } = block;
      const own = text.slice(start, end);
      const cues: Set<UnitCue> = code
        ? new Set()
        : isUser
          ? userCues(own)
          : agentCues(own, units.length === first);
      if (block.kind === 'heading') cues.add('heading');
      const base = isUser && code ? COMPRESS_WEIGHTS.kind['closing-code'] : COMPRESS_WEIGHTS.kind[kind];
      const quality = base + cuesQuality(cues) + (isImages(own) ? COMPRESS_WEIGHTS.pasted : 0);
      const opensLine = block.starts === 'line';
      units.push(newUnit(turn, kind, own, { start, end, opensLine, block: code, quality, cues }));
    }
  };
  for (const place of kept) {
    stretch(place.start);
    from = place.end;
  }
  stretch(text.length);
  if (spoken === 'user') splitPasted(text, units, first);
  else tieToLeads(units, first);
}

/** What is below a heading, or a line that leads to a list, comes with it: it may say that all of that is still open. */
function tieToLeads(units: Unit[], first: number): void {
  let lead = -1;
  for (let at = first; at < units.length; at++) {
    const { cues, opensLine, text } = units[at]!;
    if (cues.has('heading') || cues.has('leads')) lead = at;
    else if (lead !== -1 && opensLine && !ITEM.test(text) && at > lead + 1) lead = -1;
    else if (lead !== -1) units[at]!.ties.push(lead);
  }
}

/** What a sentence is worth by its words. */
function cuesQuality(cues: ReadonlySet<UnitCue>): number {
  const { heading, narration, finding, done, pasted } = COMPRESS_WEIGHTS;
  return (
    (cues.has('heading') ? heading : 0) +
    (cues.has('narrates') ? narration : 0) +
    (cues.has('finding') ? finding : 0) +
    (cues.has('done') ? done : 0) +
    (cues.has('pasted') ? pasted : 0)
  );
}

/** Of pasted text the first words are a piece of their own; the rest comes last. */
function splitPasted(text: string, units: Unit[], first: number): void {
  const own = units.splice(first);
  const { pasted, pastedRest } = COMPRESS_WEIGHTS;
  own.forEach((unit, place) => {
    const isLate = own.length > LONG_MESSAGE && place >= OWN_PIECES && !unit.cues.has('pasted');
    if (isLate) {
      unit.quality += pasted;
      unit.cues = new Set([...unit.cues, 'pasted']);
    }
    const cut = unit.cues.has('pasted') && !unit.block ? cutAfter(text, unit) : unit.end;
    if (cut === unit.end) {
      units.push(unit);
      return;
    }
    units.push({ ...unit, end: cut, text: text.slice(unit.start, cut).trimEnd() });
    const rest = text.slice(cut, unit.end).trim();
    const start = unit.end - text.slice(cut, unit.end).trimStart().length;
    units.push({
      ...unit,
      ties: [],
      start,
      text: rest,
      opensLine: false,
      quality: unit.quality + pastedRest - pasted,
    });
  });
}

/** Between two words. */
function cutAfter(text: string, { start, end }: Unit): number {
  if (end - start <= PASTED_HEAD) return end;
  const space = text.lastIndexOf(' ', start + PASTED_HEAD);
  return space <= start ? end : space;
}

/** The last thing the agent said in each exchange. */
function closingTurns(turns: Turn[]): Set<number> {
  const last = new Map<string, number>();
  turns.forEach(({ line, exchange }, index) => {
    if (line.role === 'assistant') last.set(exchange, index);
  });
  return new Set(last.values());
}
