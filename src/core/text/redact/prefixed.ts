import type { SecretSpan } from './secret-span.ts';
import { isWordy } from './wordiness.ts';

/** Longer runs of letters and digits are data. */
const LONGEST = 200;
/** One or more short words, as vendors put them before what they issue. */
const PREFIX = /^(?:[a-z][a-z0-9]{1,11}|[A-Z][A-Z0-9]{1,7})(?:\.|(?:[_-][a-z0-9]{1,12}){0,3}?[_-])/;
/** A part of a prefix that says what follows. */
const MARKED =
  /^(?:[A-Za-z0-9]{1,12}[_.-]){0,3}?[a-z]{0,8}(?:sk|key|secret|token|tok|pat|live|prod|api|auth|pwd|pass)(?:[_.-][a-z0-9]{1,12}){0,2}?[_.-]/i;
/** Ids and names of other things. */
const NO_SECRET =
  /^(?:sha\d+|md5|toolu|call|chatcmpl|msg|req|resp|gen|run|ses|evt|com)[_.-]|cache|public|primary|foreign|sort/i;
/** No vendor uses ids with this many characters of mixed cases and digits. */
const SHORTEST = 30;
const SHORTEST_MARKED = 20;
/** In one case: as long as no id is, hex only in the lengths of keys. */
const ONE_CASE =
  /^(?:[0-9a-f]{40}|[0-9a-f]{64}|(?=\D*\d\D*\d)(?:(?=.*[g-z].*[g-z].*[g-z])[a-z0-9]{28,64}|(?=.*[G-Z].*[G-Z])[A-Z0-9]{26,64}))$/;

/** The run that was looked at last and is none: many anchors are in one run. */
const last = { text: '', start: 0, end: 0 };

/** `vendor_X`, `vendor-kind-X`: a prefix and a long random rest, whoever issues it. */
export function findLongPrefixed(text: string, at: number): SecretSpan[] {
  return findRun(text, at, SHORTEST);
}

/** `vendor_key_X`, `sk_vendor_X`: the prefix says what it is, so the rest may be shorter. */
export function findPrefixed(text: string, at: number): SecretSpan[] {
  return findRun(text, at, SHORTEST_MARKED);
}

function findRun(text: string, at: number, shortest: number): SecretSpan[] {
  if (at >= last.start && at < last.end && text === last.text) return [];
  let end = at + 2;
  while (end < text.length && end - at < LONGEST && isTokenUnit(text.charCodeAt(end))) end++;
  // Words go on so, too, and are short.
  if (end - at < shortest) return [];
  let start = at + 1;
  while (start > 0 && end - start <= LONGEST && isTokenUnit(text.charCodeAt(start - 1))) start--;
  const span = end - start < SHORTEST_MARKED || end - start > LONGEST ? undefined : spanOf(text, start, end);
  if (span) return [span];
  last.text = text;
  last.start = start;
  last.end = end;
  return [];
}

function spanOf(text: string, from: number, to: number): SecretSpan | undefined {
  let start = from;
  let end = to;
  if (start > 0 && text[start - 1] === '\\' && /[nrt]/.test(text[start]!)) start++;
  // A piece of a path, of an address or of something encoded.
  if (start > 0 && /[/+%@#$~]/.test(text[start - 1]!)) return undefined;
  while (text[end - 1] === '.' || text[end - 1] === '-') end--;
  if (/[/+=%(]/.test(text[end] ?? '')) return undefined;
  return isPrefixed(text.slice(start, end)) ? { start, end, kind: 'api-token' } : undefined;
}

function isPrefixed(value: string): boolean {
  if (NO_SECRET.test(value)) return false;
  const marked = MARKED.exec(value)?.[0];
  if (marked !== undefined && isRest(value.slice(marked.length), SHORTEST_MARKED)) return true;
  const prefix = PREFIX.exec(value)?.[0];
  if (prefix === undefined) return false;
  const rest = value.slice(prefix.length);
  return (isRest(rest, SHORTEST) && isMixed(rest)) || (prefix.endsWith('_') && ONE_CASE.test(rest));
}

/** Nearly all of it long parts that are made of no words. */
function isRest(rest: string, shortest: number): boolean {
  if (rest.length < shortest || !/\d/.test(rest)) return false;
  const odd = rest.split(/[_.-]/).filter((part) => part.length >= 8 && !isWordy(part));
  const letters = odd.reduce((sum, part) => sum + part.length, 0);
  return odd.some((part) => part.length >= 12) && letters >= 0.6 * rest.length;
}

function isMixed(value: string): boolean {
  return /[A-Z].*[A-Z].*[A-Z]/.test(value) && /[a-z].*[a-z].*[a-z]/.test(value) && /\d.*\d/.test(value);
}

/** Letters, digits, "_", "-" and ".". */
function isTokenUnit(unit: number): boolean {
  const letter = unit | 32;
  return (
    (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45 || unit === 46
  );
}
