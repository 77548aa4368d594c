import { once } from './once.ts';
import { anchorScan } from './redact/anchor-scan.ts';
import { RULES } from './redact/rules.ts';
import type { RedactRule, SecretSpan } from './redact/secret-span.ts';

export type Redacted = { text: string; counts: Record<string, number> };

/** Built for the first text: many commands have none. */
const scan = once(() => anchorScan(RULES.map((rule) => rule.anchors)));

const NOTHING: readonly SecretSpan[] = [];
/** Most texts hold no secret, and there are many of them. */
const NO_COUNTS: Record<string, number> = Object.freeze({});
/** Nothing shorter is a secret of any kind. */
const SHORTEST = 12;
/** A replacement can bring the parts of something together; real text settles in two rounds. */
const MOST_ROUNDS = 8;

/**
 * The one boundary before anything derived: every secret becomes `[redacted:<kind>]`. Text without one comes back as
 * the same string. Redacting twice gives the same as once.
 */
export function redact(text: string): Redacted {
  let spans = secretSpans(text);
  if (spans.length === 0) return { text, counts: NO_COUNTS };
  const counts: Record<string, number> = {};
  let current = text;
  for (let round = 0; round < MOST_ROUNDS && spans.length > 0; round++) {
    current = masked(current, spans, counts);
    spans = secretSpans(current);
  }
  return { text: current, counts };
}

/** Adds the counts of one text to those of many. */
export function mergeCounts(into: Record<string, number>, from: Record<string, number>): void {
  for (const [kind, count] of Object.entries(from)) into[kind] = (into[kind] ?? 0) + count;
}

function masked(text: string, spans: readonly SecretSpan[], counts: Record<string, number>): string {
  let out = '';
  let done = 0;
  for (const span of spans) {
    out += `${text.slice(done, span.start)}[redacted:${span.kind}]`;
    counts[span.kind] = (counts[span.kind] ?? 0) + 1;
    done = span.end;
  }
  return out + text.slice(done);
}

/** Where the secrets of a text are, in their order. */
export function secretSpans(text: string): readonly SecretSpan[] {
  if (text.length < SHORTEST) return NOTHING;
  const candidates = scan()(text);
  if (candidates.length === 0) return NOTHING;
  const spans: SecretSpan[] = [];
  let done = 0;
  for (let i = 0; i < candidates.length; i += 2) {
    const at = candidates[i]!;
    // An anchor may be one character before its value, so right before the end of the last one is early enough.
    if (at < done - 1) continue;
    for (const span of firstMatch(text, at, candidates[i + 1]!, done)) {
      spans.push(span);
      done = span.end;
    }
  }
  return spans;
}

/** What the first rule that matches here wants gone, in order. Nothing before `done` can be taken back. */
function firstMatch(text: string, at: number, rules: number, done: number): readonly SecretSpan[] {
  for (let left = rules; left !== 0; left &= left - 1) {
    const rule = ruleOf(left);
    const found = rule.find(text, at);
    if (found.length === 0) continue;
    const spans = found.filter((span) => span.start >= done);
    if (spans.length > 0 && !(rule.byName && spans.every((span) => isToken(text, span)))) return spans;
  }
  return NOTHING;
}

/** A value that another rule knows by its shape is left to that rule, which gives it its own kind. */
function isToken(text: string, { start, end }: SecretSpan): boolean {
  const value = text.slice(start, end);
  const candidates = scan()(value);
  const isWhole = (span: SecretSpan) => span.start === 0 && span.end === value.length;
  for (let i = 0; i < candidates.length && candidates[i]! <= 0; i += 2)
    for (let left = candidates[i + 1]!; left !== 0; left &= left - 1) {
      const rule = ruleOf(left);
      if (!rule.byName && rule.find(value, candidates[i]!).some(isWhole)) return true;
    }
  return false;
}

/** The rule of the lowest bit. */
function ruleOf(bits: number): RedactRule {
  return RULES[31 - Math.clz32(bits & -bits)]!;
}
