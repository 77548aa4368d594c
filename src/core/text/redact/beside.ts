import type { SecretSpan } from './secret-span.ts';
import { isStrong } from './strong-value.ts';
import { hasOddPairs } from './wordiness.ts';

/** So far from the word that promises a secret its value may begin. */
const NEAR = 60;
const SHORTEST = 12;
const LONGEST = 128;
/** Right before or after letters and digits these show a path, an address, or an id with a prefix. */
const JOINS = '_/+%-';
const JOINS_BEFORE = '_/+%-.@#';

/** `cargo login X`, `| password | X |`, `jwt.sign(user, 'X')`: a value that can be nothing else, soon after the word on its line. */
export function findBeside(text: string, from: number, kind: string): SecretSpan[] {
  let start = from;
  let capitals = 0;
  let digits = 0;
  for (let at = from; start < from + NEAR; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 10;
    if (isDigit(unit)) digits++;
    else if (unit >= 65 && unit <= 90) capitals++;
    else if (unit < 97 || unit > 122) {
      if (capitals > 0 && at - start >= SHORTEST && isValue(text, start, at, digits > 0))
        return [{ start, end: at, kind }];
      // A value on another line is about something else; the line break may be escaped.
      if (unit === 10 || (unit === 92 && text[at + 1] === 'n')) return [];
      start = at + 1;
      capitals = 0;
      digits = 0;
    }
    if (at - start > LONGEST) return [];
  }
  return [];
}

function isValue(text: string, start: number, end: number, hasDigit: boolean): boolean {
  const next = text[end] ?? ' ';
  if (JOINS_BEFORE.includes(text[start - 1] ?? ' ') || JOINS.includes(next) || next === '(') return false;
  if (next === '.' && /[A-Za-z0-9]/.test(text[end + 1] ?? '')) return false;
  const value = text.slice(start, end);
  return (hasDigit || hasOddPairs(value)) && isStrong(value);
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

const WORD = /(?:login|auth|[hH]mac|jwt|cipher(?:iv)?|Cipher(?:iv)?|contraseña|wachtwoord)(?![a-z])/y;

/** Words that are beside secrets and are no names of one. */
export function findBesideWord(text: string, at: number): SecretSpan[] {
  for (let back = -1; back < 8; back++) {
    WORD.lastIndex = at - back;
    // The name of a field beside others.
    if (at >= back && WORD.test(text) && !/["\\]/.test(text[WORD.lastIndex] ?? ''))
      return findBeside(text, WORD.lastIndex, text.startsWith('login', at) ? 'password' : 'secret');
  }
  return [];
}
