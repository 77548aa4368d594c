import { isLikelySecret, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';

const PIPED =
  /(?:echo|ntf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:\\{0,7}["']?%s(?:\\{1,8}n)?\\{0,7}["']?[ \t]{1,4})?\\{0,7}["']?([^\s"'`|\\$<>]{8,512})\\{0,7}["']?[ \t]{0,4}\|[ \t]{0,4}([^\n|]{1,200})/y;
/** A command that takes a secret from its input. */
const TAKES_SECRET =
  /(?<![a-z])(?:secrets?|passwords?|passwd|passphrase|credentials?|tokens?|api[-_]?key|vault|keyring)(?![a-z])|-stdin\b/i;

/** `echo VALUE | tool secret put NAME`, `printf '%s' VALUE | tool login --password-stdin`. */
export function findPipedSecret(text: string, at: number): SecretSpan[] {
  PIPED.lastIndex = at;
  const [whole, value, command = ''] = PIPED.exec(text) ?? [];
  if (whole === undefined || value === undefined) return [];
  if (!TAKES_SECRET.test(command) || !isLikelySecret(value, 'flag', true)) return [];
  const start = text.indexOf(value, at + 4);
  return [{ start, end: start + value.length, kind: 'secret' }];
}

const CALL = /(?:PDO|sqli(?:_connect)?|ect|gin|uth|uth=|als|tConnection)\(/y;
/** What must be before these ends of a name, so that it is a call that takes a user and a password. */
const NAMED: Record<string, RegExp> = {
  ect: /onn$/,
  gin: /[lL]o$/,
  uth: /(?:asicA|_a|\.a|asic_a)$/,
  als: /redenti$/,
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
