import { anchorScan } from './redact-anchors.ts';
import { RULES } from './redact-rules.ts';
import type { Rule, Span } from './redact-span.ts';

export type Redacted = { text: string; counts: Record<string, number> };

const candidatesIn = anchorScan(RULES.map((rule) => rule.anchors));
/** Nothing shorter is a secret of any kind. */
const SHORTEST = 8;
/** A replacement can bring the parts of something together; real text settles in two rounds. */
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
  if (text.length < SHORTEST) return text;
  const candidates = candidatesIn(text);
  let out = '';
  let done = 0;
  for (let i = 0; i < candidates.length; i += 2) {
    const at = candidates[i]!;
    // An anchor may stand one character before its value, so right before the end of the last one is early enough.
    if (at < done - 1) continue;
    for (const span of firstMatch(text, at, candidates[i + 1]!, done)) {
      out += `${text.slice(done, span.start)}[redacted:${span.kind}]`;
      counts[span.kind] = (counts[span.kind] ?? 0) + 1;
      done = span.end;
    }
  }
  return done === 0 ? text : out + text.slice(done);
}

/** What the first rule that matches here wants gone, in order. Nothing before `done` can be taken back. */
function firstMatch(text: string, at: number, rules: number, done: number): Span[] {
  for (const rule of rulesOf(rules)) {
    const spans = rule.find(text, at).filter((span) => span.start >= done);
    if (spans.length > 0 && !(rule.byName && spans.every((span) => isToken(text, span)))) return spans;
  }
  return [];
}

/** A value that another rule knows by its shape is left to that rule, which gives it its own kind. */
function isToken(text: string, { start, end }: Span): boolean {
  const value = text.slice(start, end);
  const [at, rules] = candidatesIn(value);
  if (at === undefined || at > 0) return false;
  return rulesOf(rules!).some(
    (rule) =>
      !rule.byName && rule.find(value, at).some((span) => span.start === 0 && span.end === value.length),
  );
}

function rulesOf(bits: number): Rule[] {
  return RULES.filter((_, i) => (bits & (1 << i)) !== 0);
}
