import { isLikelySecret, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';
import { isStrong } from './strong-value.ts';

const PIPED =
  /(?:echo|ntf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\{0,7}["']?%s(?:\\{1,8}n)?\\{0,7}["']?[ \t]{1,4})?\\{0,7}["']?([^\s"'`|\\$<>]{8,512})\\{0,7}["']?[ \t]{0,4}(?:\|[ \t]{0,4}([^\n|]{1,200})|[)>])/y;
/** A command that takes a secret from its input. */
const TAKES_SECRET =
  /(?<![a-z])(?:secrets?|passwords?|passwd|passphrase|credentials?|tokens?|api[-_]?key|vault|keyring)(?![a-z])|-stdin\b/i;

/** A command whose input is data for a reader. */
const READS_DATA =
  /^(?:base64|base32|xxd|hexdump|od|jq|wc|grep|sed|awk|cut|tr|head|tail|sort|md5sum|sha\d+sum|shasum|gunzip|zcat|python3?|node|perl)\b/;

/** `echo VALUE | tool secret put NAME`, `printf '%s' VALUE | tool login --password-stdin`. */
export function findPipedSecret(text: string, at: number): SecretSpan[] {
  PIPED.lastIndex = at;
  const [whole, value, command = ''] = PIPED.exec(text) ?? [];
  if (whole === undefined || value === undefined) return [];
  if (!(TAKES_SECRET.test(command) ? isLikelySecret(value, 'flag', true) : isPlainStrong(value))) return [];
  if (READS_DATA.test(command)) return [];
  const start = text.indexOf(value, at + 4);
  return [{ start, end: start + value.length, kind: 'secret' }];
}

/** Not a setting, an address or a path that a script puts together. */
function isPlainStrong(value: string): boolean {
  return !/[=:/]/.test(value) && isStrong(value);
}

const HERE = /<<<[ \t]{1,4}\\{0,7}["']?([^\s"'`\\$<>|;&]{8,128})(?=[\s"'`\\;|&)]|$)/y;

/** `tool login --password-stdin <<< VALUE`. */
export function findHereString(text: string, at: number): SecretSpan[] {
  HERE.lastIndex = at;
  const value = HERE.exec(text)?.[1];
  if (value === undefined || !isPlainStrong(value)) return [];
  return [{ start: HERE.lastIndex - value.length, end: HERE.lastIndex, kind: 'secret' }];
}

const CALL = /(?:PDO|sqli(?:_connect)?|ect|gin|uth|uth=|als|tConnection|lio|rch)\(/y;
/** What must be before these ends of a name, so that it is a call that takes a user and a password. */
const NAMED: Record<string, RegExp> = {
  ect: /onn$/,
  gin: /[lL]o$/,
  uth: /(?:asicA|_a|\.a|asic_a)$/,
  als: /redenti$/,
  lio: /[tT]wi$/,
  rch: /olia[sS]ea$/,
};
const LONGEST = 400;
const ARGUMENT = /\s{0,8}(?:\\{0,7}(["'])([^"'\\\n]{0,200})\\{0,7}\1|[^"',()\n]{1,80}),?/y;

/** `new PDO($dsn, "user", "x")`, `smtp.login("user", "x")`, `auth=("user", "x")`, `getConnection(url, "user", "x")`: never its first argument. */
export function findCallSecret(text: string, at: number): SecretSpan[] {
  CALL.lastIndex = at;
  const name = CALL.exec(text)?.[0].slice(0, -1);
  if (name === undefined || NAMED[name]?.test(text.slice(Math.max(0, at - 8), at)) === false) return [];
  const spans: SecretSpan[] = [];
  ARGUMENT.lastIndex = CALL.lastIndex;
  for (let count = 0; count < 6 && ARGUMENT.lastIndex - at < LONGEST; count++) {
    const from = ARGUMENT.lastIndex;
    const argument = ARGUMENT.exec(text);
    if (!argument) break;
    const value = argument[2];
    if (count === 0 || value === undefined) continue;
    if (!isLikelySecret(value, 'call', true) || !isRandom(value)) continue;
    const start = text.indexOf(value, from);
    spans.push({ start, end: start + value.length, kind: 'password' });
  }
  return spans;
}
