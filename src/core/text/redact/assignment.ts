import { findBeside } from './beside.ts';
import { findColumn } from './columns.ts';
import { findPrefixed } from './prefixed.ts';
import { endOfName, hasSecretWord, kindOfName, startOfName } from './secret-name.ts';
import { isLikelySecret, isRandom, type ValueForm } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';
import { formOf, type ValuePlace, valuePlace } from './value-place.ts';
import { hasOddPairs, isWordy } from './wordiness.ts';

/** Few names are so long; a prefix and a token are. */
const LONG_NAME = 24;
/** What may be right after the heading of a column. */
const COLUMN_END = new Set([...' \t|,"\'\\\r\n']);
const QUOTED = /(\\{0,7})(["'`])([^"'`\s\\]{8,512})(?=\1\2)/y;
/** As Google gives them to programs. */
const APP_PASSWORD = /\\{0,7}["'](?<value>(?:[a-z]{4} ){3}[a-z]{4})(?=\\{0,7}["'])/y;
const BARE = /([^\s"'`<>;,(){}[\]|\\&]{8,512})(?=[\s"'`<;,)}\]|\\&]|$)/y;

/** `name = value` in code, env files, YAML, JSON, headers, query strings, flags, calls and prose, where the name promises a secret. */
export function findAssignment(text: string, at: number): SecretSpan[] {
  // The last character of every anchor is part of the name.
  const nameStart = startOfName(text, at + 3);
  if (nameStart === undefined) return findPrefixed(text, at);
  const nameEnd = endOfName(text, at + 3);
  const place = valuePlace(text, nameStart, nameEnd);
  const kind = place && kindOfName(text, nameStart, nameEnd);
  if (place !== undefined && kind !== undefined) {
    const isWord = isSaid(place.form) && isLoose(text.slice(nameStart, nameEnd));
    const spans = isWord ? [] : findValue(text, place, kind);
    if (spans.length > 0) return spans;
  }
  return findAnywhere(text, at, nameStart, nameEnd);
}

/** A value after the name that can be nothing else, or a name that is itself a token. */
function findAnywhere(text: string, at: number, nameStart: number, nameEnd: number): SecretSpan[] {
  const isLong = nameEnd - nameStart >= LONG_NAME;
  const kindOfColumn = COLUMN_END.has(text[nameEnd] ?? '\n')
    ? kindOfName(text, nameStart, nameEnd)
    : undefined;
  const column = kindOfColumn ? findColumn(text, nameStart, nameEnd, kindOfColumn) : [];
  if (column.length > 0) return column;
  const beside = findBeside(text, nameEnd, 'secret');
  if (beside.length === 0 && !isLong) return beside;
  const name = text.slice(nameStart, nameEnd);
  const kind = kindOfName(text, nameStart, nameEnd) ?? 'key';
  if (kind === 'key' && !hasSecretWord(name)) return [];
  const prefixed = isLong ? findPrefixed(text, at) : [];
  if (prefixed.length > 0) return prefixed;
  return kind === 'key' ? beside : beside.map((span) => ({ ...span, kind }));
}

function findValue(text: string, place: ValuePlace, kind: string): SecretSpan[] {
  const password = kind === 'password';
  APP_PASSWORD.lastIndex = place.start;
  const spaced = password ? APP_PASSWORD.exec(text)?.groups?.value : undefined;
  if (spaced !== undefined && (place.form !== 'call' || hasOddPairs(spaced.replaceAll(' ', ''))))
    return [{ start: APP_PASSWORD.lastIndex - spaced.length, end: APP_PASSWORD.lastIndex, kind }];
  QUOTED.lastIndex = place.start;
  const quoted = QUOTED.exec(text);
  if (quoted) {
    const start = place.start + quoted[1]!.length + 1;
    const form = place.form === 'call' || place.form === 'prose' ? 'call' : 'quoted';
    return isLikelySecret(quoted[3]!, form, password) && isKeyOf(kind, quoted[3]!)
      ? [{ start, end: QUOTED.lastIndex, kind }]
      : [];
  }
  BARE.lastIndex = place.start;
  // The end of a sentence is not part of the value.
  const bare = BARE.exec(text)?.[1]?.replace(/[.:]+$/, '');
  if (bare === undefined) return [];
  const end = place.start + bare.length;
  const form = place.form ?? formOf(text, place.start, end);
  return isLikelySecret(bare, form, password) && isKeyOf(kind, bare)
    ? [{ start: place.start, end, kind }]
    : [];
}

/** Of `STRIPE_KEY` and `CACHE_KEY` the value decides: long, in both cases, with digits, and not put together from words. */
function isKeyOf(kind: string, value: string): boolean {
  if (kind !== 'key') return true;
  const words = value.split(/[-_.]/).filter((part) => /^[A-Za-z]{3,}$/.test(part) && isWordy(part));
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  return value.length >= 20 && words.length < 2 && isMixed && isRandom(value);
}

function isSaid(form: ValueForm | undefined): boolean {
  return form === 'call' || form === 'prose';
}

/** `PASS (x)` and `1password` promise nothing where no sign says that a value follows. */
function isLoose(name: string): boolean {
  return /^(?:pass|pw)$|1password$/i.test(name);
}
