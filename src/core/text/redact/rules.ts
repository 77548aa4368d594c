import { findAssignment } from './assignment.ts';
import { FLAG_RULE, findSlashed } from './commands.ts';
import { findCallSecret, findPipedSecret } from './handed-over.ts';
import { findAuthorization, findCookies } from './header.ts';
import { findAwsKeys, findTelegramToken } from './pairs.ts';
import { findPrivateKey } from './private-key.ts';
import { anyCase, type RedactRule, type SecretSpan, START } from './secret-span.ts';
import { findIdentifiedBy, findPgpass, findPipedPassword, findRedisAuth, findWindowsSecret } from './sql.ts';
import { ALNUM, DIGIT, END, WORD } from './token-shape.ts';
import { findUrlSecret, findUrlSignature, findWebhook } from './url.ts';
import { VENDOR_RULES } from './vendors.ts';

/** The order decides where two rules look at one place. At most 32: each is one bit of the scan. */
export const RULES: readonly RedactRule[] = [
  ...VENDOR_RULES,
  { anchors: ['A[KS]IA'], find: findAwsKeys },
  { anchors: ['[0-9]:AA'], find: findTelegramToken },
  { anchors: ['k.co', '/web', '.off'], find: findWebhook },
  { anchors: ['-BEG'], find: findPrivateKey },
  { anchors: ['[A-Za-z0-9]://', '@tcp', '@uni'], find: findUrlSecret, byName: true },
  { anchors: ['sig=', '[-?&;6]Sig'], find: findUrlSignature, byName: true },
  FLAG_RULE,
  { anchors: ['[\\s]/p:', '[\\s]/us'], find: findSlashed, byName: true },
  { anchors: ['riza'].map(anyCase), find: findAuthorization, byName: true },
  { anchors: ['bear'].map(anyCase), find: findAuthorization, byName: true },
  { anchors: ['ooki'].map(anyCase), find: findCookies, byName: true },
  { anchors: ['fied'].map(anyCase), find: findIdentifiedBy, byName: true },
  { anchors: ['AUTH', ':543', ':643', ':*:[A-Za-z*]'], find: findRedisAuthOrPgpass, byName: true },
  { anchors: ['reSt', 'kCre'], find: findWindowsSecret, byName: true },
  { anchors: ['chpa', 'echo', 'ntf '], find: findPiped, byName: true },
  {
    anchors: ['PDO(', 'sqli', 'ect(', 'gin(', 'uth(', 'uth=', 'als(', 'tCon'],
    find: findCallSecret,
    byName: true,
  },
  // One find, several bits: the halves of anchors of one bit are mixed up by the scan.
  { anchors: ['pass', '[\\s\\S]pwd', '[\\s\\S]psk'].map(anyCase), find: findAssignment, byName: true },
  { anchors: ['secr'], find: findSecretToken },
  { anchors: ['secr'].map(anyCase), find: findAssignment, byName: true },
  { anchors: ['toke'].map(anyCase), find: findAssignment, byName: true },
  {
    anchors: ['apik', 'api[_-]', '[a-zA-Z _-]key', '_aut', '"aut'].map(anyCase),
    find: findAssignment,
    byName: true,
  },
];

const SECRET_TOKEN = new RegExp(
  `${START}secret(?:_${DIGIT}${ALNUM}{43}|-(?:live|test)-${WORD}{36}=?)${END}`,
  'y',
);

/** Tokens that begin with the word itself: Notion's older ones, Stytch's. */
function findSecretToken(text: string, at: number): SecretSpan[] {
  SECRET_TOKEN.lastIndex = at;
  return at >= 0 && SECRET_TOKEN.test(text)
    ? [{ start: at, end: SECRET_TOKEN.lastIndex, kind: 'api-token' }]
    : [];
}

function findRedisAuthOrPgpass(text: string, at: number) {
  return text[at] === ':' ? findPgpass(text, at) : findRedisAuth(text, at);
}

function findPiped(text: string, at: number) {
  return text.startsWith('chpa', at) ? findPipedPassword(text, at) : findPipedSecret(text, at);
}
