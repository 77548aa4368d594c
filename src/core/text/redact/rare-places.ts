import { isLikelySecret, isRandom } from './secret-shape.ts';
import type { RedactRule, SecretSpan } from './secret-span.ts';

const VALUE = `\\\\{0,7}["']?([^\\s"'\\\\|;&<>]{6,200})`;
const GAP = '[ \\t]{1,4}';
/** So far around its type the fields of a JSON Web Key are. */
const KEY_OBJECT = 4000;

type Rare = {
  /** How far the anchor is into the pattern. */
  back: number;
  pattern: string;
  regex?: RegExp;
  accepts: (value: string, text: string, start: number) => boolean;
};

const isPassword = (value: string) => isLikelySecret(value, 'flag', true);
const isAnything = () => true;

/** Places that no name, flag or header shows, by their anchor. */
const PLACES: readonly (readonly [
  anchor: string,
  back: number,
  pattern: string,
  accepts: Rare['accepts'],
])[] = [
  // `composer config http-basic.host user X`, `bundle config host user:X`, `rabbitmqctl add_user user X`
  ['tp-b', 2, `http-basic\\.\\S{1,80}${GAP}\\S{1,60}${GAP}${VALUE}`, isPassword],
  [
    'bund',
    0,
    `bundle${GAP}config(?:${GAP}set)?(?:${GAP}--\\w{1,10})?${GAP}\\S{1,80}${GAP}[\\w.-]{1,60}:${VALUE}`,
    isPassword,
  ],
  ['mqct', 6, `rabbitmqctl${GAP}(?:add_user|change_password)${GAP}\\S{1,60}${GAP}${VALUE}`, isPassword],
  // `mc alias set name url user X`
  [
    'ias ',
    2,
    `alias${GAP}set${GAP}\\S{1,60}${GAP}https?:\\S{1,100}${GAP}\\S{1,60}${GAP}${VALUE}`,
    isPassword,
  ],
  ['nyk ', 1, `snyk${GAP}auth${GAP}${VALUE}`, isPassword],
  ['uth ', 2, `-auth${GAP}\\\\{0,7}["']?[\\w.@-]{1,60}:${VALUE}`, isPassword],
  ['hIde', 3, `Auth[iI]dent\\\\{0,7}["']?:${GAP}\\\\{0,7}["']?[\\w.@-]{1,60}:${VALUE}`, isPassword],
  // What `expect` types after a question for a password.
  ['nd ["\\\\]', 2, 'send[ \\t](?:--[ \\t])?\\\\{0,7}"([^"\\\\\\s$]{4,100})\\\\{1,8}[rn]', followsQuestion],
  ['["\']0x[0-9a-f]', 0, `["'](0x[0-9a-fA-F]{64})\\\\{0,7}["']`, isWallet],
  [
    'AMLR',
    1,
    'SAMLRe(?:sponse|quest)\\\\{0,7}["\']?[=:][ \\t]{0,4}\\\\{0,7}["\']?([\\w+/%=-]{80,8000})',
    isAnything,
  ],
  ['e_ve', 3, 'code_verifier\\\\{0,7}["\']?[=:][ \\t]{0,4}\\\\{0,7}["\']?([\\w.~-]{43,128})', isAnything],
  ['[?&]cod', 0, '[?&]code=([\\w.~%/-]{16,400})', isGrant],
];

const known: Rare[] = PLACES.map(([, back, pattern, accepts]) => ({ back, pattern, accepts }));

/** Each of these shows itself by its place alone. */
export const RARE_PLACES: RedactRule = {
  anchors: [
    ...PLACES.map(([anchor]) => anchor),
    '"kty',
    '[A-Za-z0-9]" *',
    '[A-Za-z0-9]"  ',
    '[A-Za-z0-9]\\" ',
  ],
  byName: true,
  find(text, at) {
    if (text.startsWith('"kty', at)) return findWebKey(text, at);
    if (/^.\\?" /s.test(text.slice(at, at + 4))) return findChapSecret(text, at);
    for (const place of known) {
      const from = at - place.back;
      if (from < 0) continue;
      place.regex ??= new RegExp(place.pattern, 'y');
      place.regex.lastIndex = from;
      const found = place.regex.exec(text);
      const value = found?.[1];
      if (!found || value === undefined) continue;
      const start = from + found[0].lastIndexOf(value);
      if (place.accepts(value, text, start)) return [{ start, end: start + value.length, kind: 'secret' }];
    }
    return [];
  },
};

const KEY_TYPE = /"kty\\{0,7}"\s{0,8}:\s{0,8}\\{0,7}"(?:RSA|EC|OKP|oct)\\{0,7}"/y;
const KEY_FIELD = /"(?:d|k|p|q|d[pq]|qi)\\{0,7}"\s{0,8}:\s{0,8}\\{0,7}"([\w-]{16,1000})\\{0,7}"/g;

/** The private fields of a JSON Web Key. */
function findWebKey(text: string, at: number): SecretSpan[] {
  KEY_TYPE.lastIndex = at;
  if (!KEY_TYPE.test(text)) return [];
  const before = text.slice(Math.max(0, at - KEY_OBJECT), at);
  const from = at - before.length + Math.max(before.lastIndexOf('{'), before.lastIndexOf('}') + 1, 0);
  const rest = text.slice(from, at + KEY_OBJECT);
  const close = rest.indexOf('}', at - from);
  const spans: SecretSpan[] = [];
  for (const field of (close < 0 ? rest : rest.slice(0, close)).matchAll(KEY_FIELD)) {
    const start = from + field.index + field[0].lastIndexOf(field[1]!);
    spans.push({ start, end: start + field[1]!.length, kind: 'private-key' });
  }
  return spans;
}

const CHAP = /\*[ \t]{1,8}\\{0,7}"([^"\\\s]{8,64})$/;

/** A line of PPP's secrets: `client * "X" *`. */
function findChapSecret(text: string, at: number): SecretSpan[] {
  if (!/^\\?"[ \t]{1,8}\*/.test(text.slice(at + 1, at + 12))) return [];
  const value = CHAP.exec(text.slice(Math.max(0, at - 80), at + 1))?.[1];
  if (value === undefined || !isPassword(value)) return [];
  return [{ start: at + 1 - value.length, end: at + 1, kind: 'password' }];
}

function followsQuestion(_: string, text: string, start: number): boolean {
  return /pass(?:word|phrase|code)/i.test(text.slice(Math.max(0, start - 120), start));
}

/** Hashes of transactions and blocks are written alike. */
function isWallet(_: string, text: string, start: number): boolean {
  return /(?:accounts\\{0,7}["']?\s{0,4}[:=]\s{0,4}\[[^\]]{0,200}|[wW]allet\(|ToAccount\()\s{0,40}\\{0,7}["']$/.test(
    text.slice(Math.max(0, start - 260), start),
  );
}

/** The code of an authorization, as an application hands it over or gets it. */
function isGrant(value: string, text: string, start: number): boolean {
  if (!isRandom(value)) return false;
  if (/^[\w.~%/-]{0,400}&state=/.test(text.slice(start, start + 410))) return true;
  return text.slice(Math.max(0, start - 200), start).includes('authorization_code');
}
