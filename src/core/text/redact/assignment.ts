import { endOfName, kindOfName, startOfName } from './secret-name.ts';
import { isLikelySecret, isRandom, type ValueForm } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';
import { formOf, valuePlace } from './value-place.ts';

const QUOTED = /(\\{0,7})(["'`])([^"'`\s\\]{8,512})(?=\1\2)/y;
const BARE = /([^\s"'`<>;,(){}[\]|\\&]{8,512})(?=[\s"'`<;,)}\]|\\&]|$)/y;

/** `name = value` in code, env files, YAML, JSON, headers, query strings, flags, calls and prose, where the name promises a secret. */
export function findAssignment(text: string, at: number): SecretSpan[] {
  // The last character of every anchor is part of the name.
  const nameStart = startOfName(text, at + 3);
  if (nameStart === undefined) return [];
  const nameEnd = endOfName(text, at + 3);
  const place = valuePlace(text, nameStart, nameEnd);
  if (place === undefined) return [];
  const kind = kindOfName(text, nameStart, nameEnd);
  if (kind === undefined || (isSaid(place.form) && isLoose(text.slice(nameStart, nameEnd)))) return [];
  const password = kind === 'password';
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

/** Of `STRIPE_KEY` and `CACHE_KEY` the value decides: long, in both cases, with digits, and no words. */
function isKeyOf(kind: string, value: string): boolean {
  return (
    kind !== 'key' ||
    (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && isRandom(value) && /\d/.test(value))
  );
}

function isSaid(form: ValueForm | undefined): boolean {
  return form === 'call' || form === 'prose';
}

/** `PASS (x)` and `1password` promise nothing where no sign says that a value follows. */
function isLoose(name: string): boolean {
  return /^(?:pass|pw)$|1password$/i.test(name);
}
