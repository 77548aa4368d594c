import { anchorTable } from './redact-anchors.ts';
import { RULES } from './redact-rules.ts';
import type { Span } from './redact-span.ts';

export type Redacted = { text: string; counts: Record<string, number> };

const findCandidate = anchorTable(RULES.map((rule) => rule.anchors));
/** A replacement can bring two halves of something together; real text settles in two rounds. */
const MOST_ROUNDS = 8;

/**
 * The one boundary before anything derived: every secret becomes `[redacted:<kind>]`. Text without one comes back as
 * the same string. Redacting twice gives the same as once.
 */
export function redact(text: string): Redacted {
  const counts: Record<string, number> = {};
  let current = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = redactOnce(current, counts);
    if (next === current) break;
    current = next;
  }
  return { text: current, counts };
}

/** Adds the counts of one text to those of many. */
export function mergeCounts(into: Record<string, number>, from: Record<string, number>): void {
  for (const [kind, count] of Object.entries(from)) into[kind] = (into[kind] ?? 0) + count;
}

function redactOnce(text: string, counts: Record<string, number>): string {
  let out = '';
  let copied = 0;
  let from = -1;
  for (;;) {
    const candidate = findCandidate(text, from);
    if (candidate === undefined) break;
    from = candidate.at + 1;
    for (const span of firstMatch(text, candidate.at, candidate.rules, copied)) {
      out += `${text.slice(copied, span.start)}[redacted:${span.kind}]`;
      counts[span.kind] = (counts[span.kind] ?? 0) + 1;
      copied = span.end;
      from = Math.max(from, span.end);
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** What the first rule that matches here wants gone, in order. Nothing before `copied` can be taken back. */
function firstMatch(text: string, at: number, rules: number, copied: number): Span[] {
  for (let left = rules; left !== 0; left &= left - 1) {
    const rule = RULES[31 - Math.clz32(left & -left)]!;
    const spans = rule.find(text, at).filter((span) => span.start >= copied);
    if (spans.length > 0) return spans;
  }
  return [];
}
