import { isLikelySecret, isPlaceholder, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';

const IDENTIFIED =
  /identified\s{1,8}(?:with\s{1,8}\S{1,60}\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,8})?(?:(?:\\{0,7}["'])([^"'\\]{4,200})\\{0,7}["']|([^\s"'\\;]{8,200})(?=[\s;\\"]|$))/iy;

/** `IDENTIFIED BY 'x'`, also `WITH plugin BY 'x'`. */
export function findIdentifiedBy(text: string, at: number): SecretSpan[] {
  // The anchor is the end of the word: identi-fied.
  IDENTIFIED.lastIndex = Math.max(0, at - 6);
  const [, quoted, bare] = IDENTIFIED.exec(text) ?? [];
  const value = quoted ?? bare;
  if (value === undefined || isPlaceholder(value) || (quoted === undefined && !isRandom(value))) return [];
  const end = text.lastIndexOf(value, IDENTIFIED.lastIndex) + value.length;
  return [{ start: end - value.length, end, kind: 'password' }];
}

const REDIS_AUTH = /AUTH[ \t]{1,4}(?:[a-z][\w-]{0,30}[ \t]{1,4})?([^\s"'`<>\\]{8,200})(?=[\s"']|$|\\)/y;

/** `AUTH password` and `AUTH user password` of Redis. */
export function findRedisAuth(text: string, at: number): SecretSpan[] {
  REDIS_AUTH.lastIndex = at;
  const value = REDIS_AUTH.exec(text)?.[1];
  if (value === undefined || !isLikelySecret(value, 'prose', true)) return [];
  const end = REDIS_AUTH.lastIndex;
  return [{ start: end - value.length, end, kind: 'password' }];
}

const SECURE_STRING = /SecureString\s{1,8}(?:-String\s{1,8})?(?:\\{0,7}["'])([^"'\\$]{6,200})\\{0,7}["']/y;
const CREDENTIAL =
  /NetworkCredential\(\s{0,8}(?:\\{0,7}["'][^"'\\]{1,80}\\{0,7}["'])\s{0,4},\s{0,8}\\{0,7}["']([^"'\\]{6,200})\\{0,7}["']/y;

/** `ConvertTo-SecureString "x"` and `new NetworkCredential("user", "x")`. */
export function findWindowsSecret(text: string, at: number): SecretSpan[] {
  for (const [regex, back] of [
    [SECURE_STRING, 4],
    [CREDENTIAL, 6],
  ] as const) {
    regex.lastIndex = Math.max(0, at - back);
    const value = regex.exec(text)?.[1];
    if (value === undefined || isPlaceholder(value)) continue;
    const start = text.lastIndexOf(value, regex.lastIndex - value.length);
    return [{ start, end: start + value.length, kind: 'password' }];
  }
  return [];
}

const PGPASS = /:(?:5432|5433|6432|\*):[\w*-]{1,60}:[\w.*@-]{1,60}:([^\s:"'\\]{6,200})/y;

/** A line of `.pgpass`: host, port, database, user, password. */
export function findPgpass(text: string, at: number): SecretSpan[] {
  PGPASS.lastIndex = at;
  const value = PGPASS.exec(text)?.[1];
  if (value === undefined || isPlaceholder(value)) return [];
  const end = PGPASS.lastIndex;
  return [{ start: end - value.length, end, kind: 'password' }];
}

const PIPED =
  /[\s"'`(][\w.$-]{1,60}:([^\s:"'`\\]{4,200})\\{0,7}["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-\S\s{1,4})?)?$/;

/** `echo 'user:password' | chpasswd`. */
export function findPipedPassword(text: string, at: number): SecretSpan[] {
  const from = Math.max(0, at - 300);
  const match = PIPED.exec(text.slice(from, at));
  const value = match?.[1];
  if (!match || value === undefined || isPlaceholder(value)) return [];
  const start = from + match.index + match[0].indexOf(`:${value}`) + 1;
  return [{ start, end: start + value.length, kind: 'password' }];
}
