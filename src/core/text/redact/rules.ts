import { findAssignment } from './assignment.ts';
import { findBesideWord } from './beside.ts';
import { FLAG_RULE, findSlashed } from './commands.ts';
import { findCallSecret, findHereString, findPipedSecret } from './handed-over.ts';
import { findAuthorization, findCookies } from './header.ts';
import { findAwsKeys, findTelegramToken } from './pairs.ts';
import { findLongPrefixed, findPrefixed } from './prefixed.ts';
import { findPrivateKey, findPuttyKey } from './private-key.ts';
import { RARE_PLACES } from './rare-places.ts';
import { anyCase, type RedactRule, type SecretSpan } from './secret-span.ts';
import { findIdentifiedBy, findPgpass, findPipedPassword, findRedisAuth, findWindowsSecret } from './sql.ts';
import { findDsnSecret, findUrlSecret, findUrlSignature, findWebhook } from './url.ts';
import { VENDOR_RULES } from './vendors.ts';

/** The order decides where two rules match in one place. At most 32: each is one bit of the scan. */
export const RULES: readonly RedactRule[] = [
  ...VENDOR_RULES,
  { anchors: ['A[KS]IA', '[0-9]:AA', '-BEG', 'e-Li'], find: findPairOrKey },
  { anchors: ['k.co', '/web', '.off', 'ks/c', 'o/v3', 'm/v2', 'h/ke'], find: findWebhook },
  { anchors: ['[A-Za-z0-9]://'], find: findUrlSecret, byName: true },
  { anchors: ['[A-Za-z0-9]@[a-z0-9/][a-z0-9./]'], find: findDsnSecret, byName: true },
  { anchors: ['sig=', '[-?&;6]Sig'], find: findUrlSignature, byName: true },
  FLAG_RULE,
  { anchors: ['[\\s]/p[: ]', '[\\s]/rp', '[\\s]/us'], find: findSlashed, byName: true },
  { anchors: ['riza', 'bear', 'ooki'].map(anyCase), find: findHeader, byName: true },
  {
    anchors: ['AUTH', ':543', ':643', ':*:[A-Za-z*]', 'reSt', 'kCre', anyCase('fied')],
    find: findSetting,
    byName: true,
  },
  { anchors: ['chpa', 'echo', 'ntf ', '<<< '], find: findPiped, byName: true },
  {
    // The middle of these is rare in other text, which that of `gin(` is not.
    anchors: ['PDO(', 'sqli', 'ct([^)]', 'in([^)]', 'th([^)]', 'th=[^)]', 'ls([^)]', 'tCon', 'lio(', 'rch('],
    find: findCall,
    byName: true,
  },
  // One find, several bits: the halves of anchors of one bit are mixed up by the scan.
  {
    anchors: ['pass', '[\\s\\S]pwd', '[\\s\\S]psk', '[^a-z]pw[ :=]'].map(anyCase),
    find: findAssignment,
    byName: true,
  },
  { anchors: ['secr'].map(anyCase), find: findAssignment, byName: true },
  { anchors: ['toke'].map(anyCase), find: findAssignment, byName: true },
  {
    anchors: ['apik', 'api[_-]', '[a-zA-Z _-]key', '_aut', '"aut'].map(anyCase),
    find: findAssignment,
    byName: true,
  },
  { anchors: ['[_-]pat', '[_-]cre'].map(anyCase), find: findShortName, byName: true },
  // A digit or a capital soon after a prefix: few words go on so. No 0: so begin the ids that agents write on every line.
  {
    anchors: ['[a-z]_[1-9A-Z][A-Za-z0-9]', '[a-z]_[a-z][1-9A-Z]'],
    find: findLongPrefixed,
    byName: true,
  },
  // Alone: with `_` beside it, every id of hex and dashes would match.
  { anchors: ['[a-z]-[A-Z][A-Za-z0-9]'], find: findLongPrefixed, byName: true },
  {
    anchors: ['live', '_key', '-key', '_pat', 'key-', 'key_', '[^A-Za-z]sk[_-]'],
    find: findPrefixed,
    byName: true,
  },
  {
    anchors: ['logi', 'eHma', 'ac.n', 'jwt.', 'iphe', 'se\u00f1a', 'htwo', '-aut'],
    find: findBesideWord,
    byName: true,
  },
  RARE_PLACES,
];

function findPairOrKey(text: string, at: number): SecretSpan[] {
  if (text[at] === 'A') return findAwsKeys(text, at);
  if (text[at] === 'e') return findPuttyKey(text, at);
  return text[at] === '-' ? findPrivateKey(text, at) : findTelegramToken(text, at);
}

/** `user_pat`, `app_credential`; not `_path`, `_create`. */
function findShortName(text: string, at: number): SecretSpan[] {
  const next = text[at + 4] ?? '';
  const isName = /[cC]/.test(text[at + 1] ?? '') ? /[dD]/.test(next) : !/[a-zA-Z]/.test(next);
  return isName ? findAssignment(text, at) : [];
}

function findCall(text: string, at: number): SecretSpan[] {
  return findCallSecret(
    text,
    /[PstClr]/.test(text[at] ?? '') && !/[hs]/.test(text[at + 1] ?? '') ? at : at - 1,
  );
}

function findHeader(text: string, at: number): SecretSpan[] {
  return /[oO]/.test(text[at] ?? '') ? findCookies(text, at) : findAuthorization(text, at);
}

function findSetting(text: string, at: number): SecretSpan[] {
  if (text[at] === ':') return findPgpass(text, at);
  if (text[at] === 'A') return findRedisAuth(text, at);
  return text[at] === 'r' || text[at] === 'k' ? findWindowsSecret(text, at) : findIdentifiedBy(text, at);
}

function findPiped(text: string, at: number): SecretSpan[] {
  if (text[at] === '<') return findHereString(text, at);
  return text.startsWith('chpa', at) ? findPipedPassword(text, at) : findPipedSecret(text, at);
}
