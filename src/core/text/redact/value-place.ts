import type { ValueForm } from './secret-shape.ts';

/** What may be between a name and its value; quotes may be escaped several times over. */
const SEPARATOR =
  /\\{0,7}["'`*]{0,2}\]?[ \t]{0,16}(?:=>|:=|={1,3}|:(?:[ \t]{0,4}[A-Za-z][\w<>|]{0,30}[ \t]{1,4}=)?)\*{0,2}[ \t]{0,16}(?:[fbru](?=["']))?/y;
/** `define('NAME', 'value')`, `setPassword("value")`, `PASSWORD 'value'`: a quote must follow. */
const BEFORE_QUOTE =
  /(?:\\{0,7}["'`][ \t]{0,4},[ \t\n]{0,16}|[ \t]{0,2}\([ \t]{0,4}|[ \t]{1,4})(?:[fbru](?=["']))?(?=\\{0,7}["'`])/y;
/** `<key>name</key><string>`, `name="x" value="`, and the two lines of an environment in YAML. */
const TAGGED =
  /<\/key>(?:\s|\\{1,7}[nrt]|\+|\d{1,6}→){0,40}<string>|\\{0,7}["'][ \t]{0,4}\{[^}]{0,200}?\sdefault[ \t]{1,20}=[ \t]{1,20}\\{0,7}["']|["'][ \t]{1,4}value=["']|["']?[ \t]{0,4}(?:\r?\n|\\{1,7}n)[ \t+]{0,40}(?:\d{1,6}→)?[ \t]{0,40}value:[ \t]{1,8}\\{0,7}["']?|\\{0,7}["'][ \t]{0,4},\s{0,20}\\{0,7}["'](?:[vV]alue|VALUE)\\{0,7}["'][ \t]{0,4}:[ \t]{0,4}\\{0,7}["']|>/y;
/** `the password is X`, `set the token to X`, `Password for app: X`. */
const PROSE =
  /[ \t](?:(?:is|was|ist|es|est|lautet|will be|to|as)(?:[ \t](?:now|set to|still))?|(?:for|of)[ \t][^\s:]{1,40}(?:[ \t]is)?:?|[\w.-]{1,30}[ \t]=)[ \t]?:?[ \t]{1,4}/y;
/** `wpa_passphrase home mine`: the name of the network is first. */
const NETWORK = /[ \t]{1,8}[^\s|;&]{1,40}[ \t]{1,8}/y;
/** `token: >-`, and the value on the next line. */
const BLOCK = /:[ \t]{1,8}[>|][-+]?[ \t]{0,4}(?:\r?\n|\\{1,7}n)[ \t+]{0,40}(?:\d{1,6}→)?[ \t]{0,40}/y;
/** `${NAME:-value}`. */
const DEFAULT = /:?[-=]/y;
/** `enable secret 0 value`. */
const NUMBERED = /[ \t]\d{1,2}[ \t]/y;
/** Most names in prose and code are followed by something else. */
const MAY_SEPARATE = new Set([...' \t\\"\'`]=:>*(<\n\r']);

export type ValuePlace = { start: number; form?: ValueForm };

/** Where the value of a name begins, and how it is written where the place shows that. */
export function valuePlace(text: string, nameStart: number, nameEnd: number): ValuePlace | undefined {
  const next = text[nameEnd] ?? '';
  if (!MAY_SEPARATE.has(next)) return undefined;
  const block = next === ':' ? after(BLOCK, text, nameEnd) : undefined;
  if (block !== undefined) return { start: block, form: 'line' };
  const fallback = isVariable(text, nameStart) ? after(DEFAULT, text, nameEnd) : undefined;
  if (fallback !== undefined) return { start: fallback, form: 'flag' };
  const separated = after(SEPARATOR, text, nameEnd);
  if (separated !== undefined)
    return isPassin(text, nameStart) ? { start: separated, form: 'flag' } : { start: separated };
  const tagged = next === '>' && text[nameStart - 1] !== '<' ? undefined : after(TAGGED, text, nameEnd);
  if (tagged !== undefined) return { start: tagged, form: 'tag' };
  const quoted = after(BEFORE_QUOTE, text, nameEnd);
  if (quoted !== undefined) return { start: quoted, form: 'call' };
  if (next !== ' ' && next !== '\t') return undefined;
  const network = text.startsWith('wpa_passphrase', nameStart) ? after(NETWORK, text, nameEnd) : undefined;
  if (network !== undefined) return { start: network, form: 'flag' };
  if (text[nameStart] === '-' || isNetrc(text, nameStart)) return { start: nameEnd + 1, form: 'flag' };
  const numbered = after(NUMBERED, text, nameEnd);
  if (numbered !== undefined) return { start: numbered, form: 'flag' };
  const said = after(PROSE, text, nameEnd);
  if (said !== undefined) return { start: said, form: 'prose' };
  // `aws configure set NAME value`, `requirepass value`: no prose has such names.
  return isSetting(text.slice(nameStart, nameEnd)) ? { start: nameEnd + 1, form: 'prose' } : undefined;
}

/** How an unquoted value is written: NAME=value, `name: value` up to the end of its line, or anything else in code. */
export function formOf(text: string, start: number, end: number): ValueForm {
  if (/[A-Za-z0-9_-]=$/.test(text.slice(start - 2, start))) return 'env';
  const endsLine =
    end === text.length || /^(?:[ \t]{0,4}[\r\n]|\\+[rn]|\\*["'`])/.test(text.slice(end, end + 9));
  return endsLine && /[:=]\*{0,2}[ \t]{1,16}$/.test(text.slice(Math.max(0, start - 19), start))
    ? 'line'
    : 'code';
}

/** `openssl ... -passin pass:value`. */
function isPassin(text: string, nameStart: number): boolean {
  return /-pass(?:in|out)?[ \t]$/.test(text.slice(Math.max(0, nameStart - 9), nameStart));
}

function isSetting(name: string): boolean {
  return /_|^requirepass$/.test(name);
}

/** `machine host login me password mine`, `nmcli dev wifi connect home password mine`. */
function isNetrc(text: string, nameStart: number): boolean {
  return /\b(?:login|wifi connect)\s{1,8}\S{1,60}\s{1,8}$/.test(
    text.slice(Math.max(0, nameStart - 90), nameStart),
  );
}

function isVariable(text: string, nameStart: number): boolean {
  return text[nameStart - 1] === '{' && text[nameStart - 2] === '$';
}

function after(regex: RegExp, text: string, at: number): number | undefined {
  regex.lastIndex = at;
  return regex.test(text) ? regex.lastIndex : undefined;
}
