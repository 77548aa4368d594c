import { isWordy } from './wordiness.ts';

/** Words that occur only in placeholders for a secret. */
const STAND_IN =
  /redacted|example|placeholder|change[-_ ]?(?:me|this)|your[-_]?|dummy|insert|replace|todo|\*{3}|\.{3}|…|process\.env|import\.meta|os\.environ|getenv|secretkeyref|undefined|^(?:test|fake|mock|sample|demo|my|some|the|a|foo|bar|abc|none|null|true|false)(?:[-_]|$)|^(?:secret|token|password|passwd|pass|pwd|user|key|string|foobar|1234567?8?9?0?)$/i;
/** A variable, a template, a tag or a path, not a value. */
const REFERENCE =
  /^(?:[<{]|\$[({]|\$\w{1,100}$|%(?![0-9A-F]{2})|~\/|@[\w-]{0,40}\/|\.{0,2}\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|--)/i;

const CROSSED_OUT = /x{4}|X{4}|\*{3}|\.{3}|…|redacted|^(.)\1*$/u;
/** In this many random letters a word occurs by chance. */
const LONG = 32;
/** A date is no secret, whatever it is called. */
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]|$)/;
/** A key may begin with a slash, as a path does. */
const BASE64 = /^(?=\D*\d+\D+\d)[A-Za-z0-9+/]{32,}={0,2}$/;

export function isPlaceholder(value: string): boolean {
  if (REFERENCE.test(value)) return !(BASE64.test(value) && !isWordy(value));
  if (value.length >= LONG && !isWordy(value)) return CROSSED_OUT.test(value);
  return STAND_IN.test(value) || CROSSED_OUT.test(value) || DATE.test(value);
}

/** How often letters and digits meet: `sha256Hash` 2, `s3cr3tP4ss` 6, a hash half of its length. */
function seams(value: string): number {
  let count = 0;
  for (let i = 1; i < value.length; i++) {
    const a = value.charCodeAt(i - 1);
    const b = value.charCodeAt(i);
    if ((isDigit(a) && isLetter(b)) || (isLetter(a) && isDigit(b))) count++;
  }
  return count;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isLetter(unit: number): boolean {
  return (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

/**
 * How a value is written: `env` is NAME=value without spaces, `line` a value up to the end of its line, `code` an unquoted
 * right-hand side, `tag` between tags, `call` a quoted argument, `flag` what follows one, `prose` what a sentence says.
 */
export type ValueForm = 'quoted' | 'env' | 'line' | 'code' | 'tag' | 'call' | 'flag' | 'prose';

/** `user.password`, `user?.password`, `user!.password`. */
const PROPERTY = /^[A-Za-z_$][\w$]*[!?]?\.[A-Za-z_$]/;
const SIGN = /[!@#$%^&*+=?~]/;

/** Whether a value looks like a secret, if its name suggests one. Precision first: people read the result. */
export function isLikelySecret(value: string, form: ValueForm, password: boolean): boolean {
  if (value.length < 8 || value.length > 512 || isPlaceholder(value)) return false;
  if (/^[\d.,:_+-]+$/.test(value)) return password && form === 'quoted' && /^\d+$/.test(value);
  if (!/[A-Za-z]/.test(value)) return false;
  switch (form) {
    case 'code':
      return !PROPERTY.test(value) && seams(value) >= 4;
    case 'line':
      return !isWordy(value) || (password && (seams(value) >= 3 || SIGN.test(value)));
    case 'prose':
      return isRandom(value) && (password || value.length >= 16);
    case 'call':
      return !isWordy(value) || (password && SIGN.test(value) && /\d/.test(value));
    default:
      return (password && (SIGN.test(value) || /\d/.test(value))) || !isWordy(value);
  }
}

/** What nobody would say or write for anything else: letters and digits, or both cases, mixed without sense. */
export function isRandom(value: string): boolean {
  return /.[0-9A-Z!@#$%^&*+=?~]/.test(value) && !isPlaceholder(value) && !isWordy(value);
}

const HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12})(?::\d{1,5})?$/i;

/** A name or a number of a machine, which many settings hold beside secrets. */
export function isHost(value: string): boolean {
  return HOST.test(value) && (isWordy(value) || /^[\d.:]+$/.test(value));
}
