import type { Steps } from '../model/steps.ts';
import { textBlocks } from './blocks.ts';
import type { KeptPlace } from './kept-places.ts';
import { toolUnits } from './tool-units.ts';
import type { Turn } from './turn.ts';
import { newUnit, type Unit } from './unit.ts';
import { COMPRESS_WEIGHTS, type UnitKind } from './weights.ts';

const NARRATION =
  /^(?:(?:okay|ok|now|next|good|great|perfect|excellent|first|and|so|then|also|finally)[,.!:]?\s+)*(?:let me|let's|let us|i'll|i will|i'm going to|i need to)\b/i;
const FINDING =
  /\b(?:because|since|root cause|the (?:issue|problem|bug|fix|reason|cause)|instead|decided|should|must|never|always|don't|turns out|works|fails|failed|fixed|added|removed|changed|renamed|implemented|created|updated|pending|remaining|todo|next step)\b/i;

/** Turns after which there is a rest. */
const REST = 32;

/** All that could be included of these turns besides what is kept, in order. */
export function* compressUnits(turns: Turn[], kept: Map<number, KeptPlace[]>): Steps<Unit[]> {
  const closing = closingTurns(turns);
  const units: Unit[] = [];
  for (const [index, turn] of turns.entries()) {
    if (index % REST === REST - 1) yield;
    const { role, text } = turn.line;
    const places = (kept.get(index) ?? []).filter((place) => place.start !== -1);
    if (role === 'tool') toolUnits(turn, index, units);
    if (text !== undefined && text !== '') {
      const spoken = role === 'user' ? 'user' : closing.has(index) ? 'closing' : 'agent';
      messageUnits({ text, turn: index, spoken }, places, units);
    } else if (role === 'system' && turn.line.name && turn.line.sent === undefined) {
      units.push(newUnit(index, 'notice', turn.line.name));
    }
  }
  return units;
}

type Message = { text: string; turn: number; spoken: UnitKind };

function messageUnits({ text, turn, spoken }: Message, kept: KeptPlace[], units: Unit[]): void {
  let from = 0;
  const stretch = (to: number) => {
    for (const block of textBlocks(text, from, to)) {
      const code = block.kind === 'code' || block.kind === 'table';
      const kind = !code || spoken === 'user' ? spoken : spoken === 'closing' ? 'closing-code' : 'code';
      const quality =
        (spoken === 'user' && code ? COMPRESS_WEIGHTS.kind['closing-code'] : COMPRESS_WEIGHTS.kind[kind]) +
        (block.kind === 'heading' ? COMPRESS_WEIGHTS.heading : 0) +
        (block.kind === 'prose' ? wordsQuality(text.slice(block.start, block.end), spoken) : 0);
      const { start, end } = block;
      const opensLine = block.starts === 'line';
      units.push(
        newUnit(turn, kind, text.slice(start, end), { start, end, opensLine, block: code, quality }),
      );
    }
  };
  for (const place of kept) {
    stretch(place.start);
    from = place.end;
  }
  stretch(text.length);
}

/** What a sentence is worth by its words. */
function wordsQuality(sentence: string, spoken: UnitKind): number {
  return (
    (spoken !== 'user' && NARRATION.test(sentence) ? COMPRESS_WEIGHTS.narration : 0) +
    (FINDING.test(sentence) ? COMPRESS_WEIGHTS.finding : 0)
  );
}

/** The last thing the agent said in each exchange. */
function closingTurns(turns: Turn[]): Set<number> {
  const last = new Map<string, number>();
  turns.forEach(({ line, exchange }, index) => {
    if (line.role === 'assistant') last.set(exchange, index);
  });
  return new Set(last.values());
}
