import type { SecretSpan } from './secret-span.ts';

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** What is between the lines of a key: breaks, escaped breaks, quotes, line numbers, comment and diff marks. */
const BETWEEN = /(?:\s|\\{1,7}[nrt]|\\{1,7}(?=["'])|["'`+>|#*,]|\d{1,6}(?:[→:\t]|\\{1,7}u2192)){1,64}/y;
/** PuTTY's: so many lines follow. */
const PUTTY = /Private-Lines: \d{1,3}/y;
const BODY = /[A-Za-z0-9+/=]{1,20000}(?![A-Za-z0-9+/=])/y;
const FIELD = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^\n\\"]{1,100}/y;

export function findPuttyKey(text: string, at: number): SecretSpan[] {
  PUTTY.lastIndex = Math.max(0, at - 6);
  if (!PUTTY.test(text)) return [];
  const from = after(BETWEEN, text, PUTTY.lastIndex);
  let end: number | undefined;
  for (let i = from; i !== undefined; i = end === undefined ? undefined : after(BETWEEN, text, end)) {
    const next = after(BODY, text, i);
    if (next === undefined || text[next] === '-') break;
    end = next;
  }
  return from === undefined || end === undefined ? [] : [{ start: from, end, kind: 'private-key' }];
}

/** From BEGIN to END, or, where the text was cut off, as far as it still looks like a key. What it reads it takes. */
export function findPrivateKey(text: string, at: number): SecretSpan[] {
  HEADER.lastIndex = Math.max(0, at - 4);
  if (!HEADER.test(text)) return [];
  const start = HEADER.lastIndex;
  let end = start;
  let letters = 0;
  for (let i = start; ; ) {
    i = after(BETWEEN, text, i) ?? i;
    const footer = after(FOOTER, text, i);
    if (footer !== undefined) {
      end = footer;
      break;
    }
    const next = after(FIELD, text, i) ?? after(BODY, text, i);
    // A word of prose after a cut key is shorter than a line of one.
    if (next === undefined || (next - i < 16 && !endsKey(text, next))) break;
    letters += next - i;
    i = next;
    end = next;
  }
  return letters >= 16 ? [{ start: Math.max(0, at - 4), end, kind: 'private-key' }] : [];
}

/** A short last line is still part of the key when the footer or the end of the text follows. */
function endsKey(text: string, from: number): boolean {
  const i = after(BETWEEN, text, from) ?? from;
  return i >= text.length || text.startsWith('-----END', i) || text.startsWith('=', i);
}

function after(regex: RegExp, text: string, at: number): number | undefined {
  regex.lastIndex = at;
  return regex.test(text) ? regex.lastIndex : undefined;
}
