/** Words that only stand-ins for a secret hold. */
const STAND_IN =
  /redacted|example|placeholder|change[-_ ]?(?:me|this)|your[-_]?|dummy|insert|replace|todo|x{4}|\*{3}|\.{3}|…|process\.env|import\.meta|os\.environ|getenv|secretkeyref|undefined|^(?:test|fake|mock|sample|demo|my|some|the|a|foo|bar|abc|none|null|true|false)(?:[-_]|$)|^(?:secret|token|password|passwd|pass|pwd|user|key|string|foobar|1234567?8?9?0?)$/i;
/** A variable, a template, a tag or a path, not a value. */
const REFERENCE =
  /^(?:[<{]|\$[({]|\$\w{1,100}$|%(?![0-9A-F]{2})|~\/|@[\w-]{0,40}\/|\.{0,2}\/|[A-Za-z]:\\|[a-z][a-z0-9+.-]{1,20}:\/\/|--)/i;

export function isPlaceholder(value: string): boolean {
  return REFERENCE.test(value) || STAND_IN.test(value) || /^(.)\1*$/u.test(value);
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

/** Made of words: letters in humps of ordinary length, with a short number after them at most. */
function isWordy(value: string): boolean {
  return value.split(/[^A-Za-z0-9]+/).every(isWordyPart);
}

function isWordyPart(part: string): boolean {
  if (/^\d*$/.test(part)) return part.length <= 8;
  const letters = /^([A-Za-z]+)\d{0,4}$/.exec(part)?.[1];
  if (letters === undefined) return false;
  const humps = letters.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.length ?? 1;
  if (letters.length >= 12 && letters.length / humps < 2.5) return false;
  // Seven consonants in a row are no word, unless it is an acronym or a constant.
  return !/[bcdfghjklmnpqrstvwxz]{7}/i.test(letters) || letters === letters.toUpperCase();
}

/** How a value is written: `env` is NAME=value without spaces, `line` a YAML value, `code` an unquoted right-hand side. */
export type ValueForm = 'quoted' | 'env' | 'line' | 'code';

/** `user.password`, `user?.password`, `user!.password`. */
const PROPERTY = /^[A-Za-z_$][\w$]*[!?]?\.[A-Za-z_$]/;

/** Whether a value looks like a secret, given that its name says so. Precision first: this is read back by people. */
export function isLikelySecret(value: string, setting: ValueForm, password: boolean): boolean {
  if (value.length < 8 || value.length > 512 || isPlaceholder(value)) return false;
  if (/^[\d.,:_+-]+$/.test(value)) return password && setting === 'quoted' && /^\d+$/.test(value);
  if (!/[A-Za-z]/.test(value)) return false;
  if (setting === 'code' || setting === 'line') {
    if (PROPERTY.test(value)) return false;
    return (
      seams(value) >= 4 ||
      (password && setting === 'line' && (seams(value) >= 3 || /[!@#$%^&*~]/.test(value)))
    );
  }
  if (password && /[!@#$%^&*+=?~]/.test(value)) return true;
  if (password && /\d/.test(value)) return true;
  return !isWordy(value);
}
