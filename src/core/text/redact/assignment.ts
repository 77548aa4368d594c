import { isLikelySecret, type ValueForm } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';

const LONGEST_NAME = 60;
/** What may be between a name and its value; quotes may be escaped several times over. */
const SEPARATOR =
  /\\{0,7}["'`]?\]?[ \t]{0,16}(?:=>|:=|={1,3}|:(?:[ \t]{0,4}[A-Za-z][\w<>|]{0,30}[ \t]{1,4}=)?)[ \t]{0,16}(?:[fbru](?=["']))?/y;
/** Most names in prose and code are followed by something else. */
const MAY_SEPARATE = new Set([...' \t\\"\'`]=:>']);
const QUOTED = /(\\{0,7})(["'`])([^"'`\s\\]{8,512})(?=\1\2)/y;
const BARE = /([^\s"'`<>;,(){}[\]|\\&]{8,512})(?=[\s"'`<;,)}\]|\\&]|$)/y;
/** A word after the one that names a secret, which changes nothing. */
const ENDING = new Set([
  'prod',
  'production',
  'dev',
  'staging',
  'test',
  'local',
  'base',
  'value',
  'old',
  'new',
  'text',
]);
/** Also run together with what is before it, as in PGPASSWORD; the short ones only by themselves. */
const PASSWORD = /(?:password|passwd|passphrase|passcode|passwort)$|^(?:pwd|pass)$/;
const KEY_OF = new Set([
  ...['api', 'secret', 'private', 'access', 'account', 'encryption', 'signing', 'auth', 'master', 'shared'],
  ...['service', 'app', 'license', 'deploy', 'session', 'jwt', 'hmac', 'webhook', 'crypto', 'client'],
]);

/** `name = value` in code, env files, YAML, JSON, headers, query strings and flags, where the name promises a secret. */
export function findAssignment(text: string, at: number): SecretSpan[] {
  // The last character of every anchor is part of the name.
  const nameStart = startOfName(text, at + 3);
  if (nameStart === undefined) return [];
  const nameEnd = endOfName(text, at + 3);
  const valueStart = startOfValue(text, nameStart, nameEnd);
  if (valueStart === undefined) return [];
  const kind = kindOfName(text.slice(nameStart, nameEnd));
  if (kind === undefined) return [];
  const password = kind === 'password';
  QUOTED.lastIndex = valueStart;
  const quoted = QUOTED.exec(text);
  if (quoted) {
    const start = valueStart + quoted[1]!.length + 1;
    return isLikelySecret(quoted[3]!, 'quoted', password) ? [{ start, end: QUOTED.lastIndex, kind }] : [];
  }
  BARE.lastIndex = valueStart;
  const bare = BARE.exec(text)?.[1];
  if (bare === undefined) return [];
  const setting = settingOf(text, valueStart, valueStart + bare.length);
  return isLikelySecret(bare, setting, password)
    ? [{ start: valueStart, end: valueStart + bare.length, kind }]
    : [];
}

/** How an unquoted value is written: NAME=value, `name: value` up to the end of its line, or anything else in code. */
function settingOf(text: string, start: number, end: number): ValueForm {
  if (/[A-Za-z0-9_-]=$/.test(text.slice(start - 2, start))) return 'env';
  const endsLine = end === text.length || /^(?:[\r\n]|\\+[rn])/.test(text.slice(end, end + 9));
  return endsLine && /:[ \t]{1,16}$/.test(text.slice(Math.max(0, start - 17), start)) ? 'line' : 'code';
}

/** Undefined when the name is too long to be one, which also keeps endless words cheap. */
function startOfName(text: string, at: number): number | undefined {
  let start = at;
  while (start > 0 && isNameUnit(text.charCodeAt(start - 1))) {
    if (at - start > LONGEST_NAME) return undefined;
    start--;
  }
  // The letter of an escaped line break is not part of the name after it.
  if (start > 0 && text[start - 1] === '\\' && start < at && /[nrt]/.test(text[start]!)) start++;
  return start;
}

function endOfName(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at <= LONGEST_NAME && isNameUnit(text.charCodeAt(end))) end++;
  return end;
}

/** Letters, digits, "_", "-" and ".". */
function isNameUnit(unit: number): boolean {
  const letter = unit | 32;
  return (
    (letter >= 97 && letter <= 122) || (unit >= 48 && unit <= 57) || unit === 95 || unit === 45 || unit === 46
  );
}

function startOfValue(text: string, nameStart: number, nameEnd: number): number | undefined {
  if (!MAY_SEPARATE.has(text[nameEnd] ?? '')) return undefined;
  SEPARATOR.lastIndex = nameEnd;
  if (SEPARATOR.test(text)) return SEPARATOR.lastIndex;
  if (text[nameEnd] === '>' && text[nameStart - 1] === '<') return nameEnd + 1;
  const spaced = text[nameEnd] === ' ' && (text.startsWith('--', nameStart) || isNetrc(text, nameStart));
  return spaced ? nameEnd + 1 : undefined;
}

/** `machine host login me password mine`. */
function isNetrc(text: string, nameStart: number): boolean {
  return /\blogin\s{1,8}\S{1,60}\s{1,8}$/.test(text.slice(Math.max(0, nameStart - 90), nameStart));
}

/** What a name says of its value: `DB_PASSWORD`, `clientSecret`, `x-api-key`; undefined for `tokenCount`, `keys`. */
function kindOfName(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  while (words.length > 1 && ENDING.has(words.at(-1)!)) words.pop();
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (PASSWORD.test(last)) return 'password';
  if (/apikey$/.test(last) || (last === 'key' && before === 'api')) return 'api-key';
  if (last === 'accountkey' || (last === 'key' && before === 'account')) return 'azure-key';
  if (/(?:secret|access|private)key$/.test(last) || (last === 'key' && KEY_OF.has(before))) return 'secret';
  if (/secrets?$/.test(last) || name.endsWith('_auth')) return 'secret';
  return last.endsWith('token') ? 'token' : undefined;
}
