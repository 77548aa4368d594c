import { AGENT_CUES } from './agent-cues.ts';
import { type Candidate, quoteOf } from './candidate.ts';
import { isReadable } from './english.ts';
import { isMachineLine } from './own-lines.ts';
import { clipped } from './plain-text.ts';
import { straight } from './segment-units.ts';
import type { Reply, Segment } from './segments.ts';
import { type TextUnit, unitsOf } from './units.ts';

const LONGEST = 320;
const SHORTEST = 60;
const POLITE = /\b(?:anything else|let me know if)\b/i;

/** What the last message of a session leaves undone: its question, or what it says remains. */
export function fromOpenEnds(segments: Segment[]): Candidate[] {
  const last = segments
    .slice(-2)
    .flatMap(({ replies }) => replies)
    .at(-1);
  const index = segments.length - 1;
  if (!last || !isReadable(last.text)) return [];
  const units = unitsOf(last.text, isMachineLine);
  const asks = units.findLastIndex(({ text }) => AGENT_CUES.asks.test(straight(text)) && !POLITE.test(text));
  if (asks !== -1) return question(last, index, units, asks);
  const remains = units.filter(({ text, head, lead }) =>
    AGENT_CUES.open.test(straight(`${text} ${head?.text ?? ''} ${lead?.text ?? ''}`)),
  );
  const head = remains[0]?.head;
  const text = `${head ? `${head.text}: ` : ''}${remains
    .slice(0, 5)
    .map((unit) => unit.text)
    .join('; ')}`;
  const quotes = [...(head ? [head] : []), ...remains.slice(0, 5)];
  return openEnd(last, index, { label: 'Remains at the end: ', text, spans: quotes, score: 1 });
}

function question(last: Reply, index: number, units: TextUnit[], at: number): Candidate[] {
  const asked = units[at]!;
  const before = units[at - 1];
  const context = before && !before.text.endsWith(':') ? [before] : [];
  const options = units.slice(at + 1, at + 4).filter(({ item }) => item);
  const text = [
    ...context.map((unit) => clipped(unit.text, 150)),
    asked.text,
    ...(options.length > 0 ? [options.map((unit) => unit.text).join(' / ')] : []),
  ].join(' ');
  const spans = [...context, asked, ...options];
  return openEnd(last, index, { label: 'Left open at the end: ', text, spans, score: 1.3 });
}

type End = { label: string; text: string; spans: { from: number; to: number }[]; score: number };

function openEnd(last: Reply, segment: number, { label, text, spans, score }: End): Candidate[] {
  if (text.length <= SHORTEST) return [];
  return [
    {
      foundBy: 'open-end',
      author: 'assistant',
      kind: 'open',
      segment,
      features: new Set(),
      outcomeFeatures: new Set(),
      score,
      label,
      words: { text: clipped(text, LONGEST), quotes: spans.map((span) => quoteOf(last, 'text', span)) },
      overturned: [],
    },
  ];
}
