import { isLikelySecret, isPlaceholder, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';

const AUTHORIZATION =
  /authorization\\{0,7}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\{0,7}["'`])?(?:(?:basic|bearer|token|apikey|negotiate|ssws)[ \t]{1,4})?([A-Za-z0-9+/._~$:!|%@-]{8,4000}={0,3})/iy;
const DIGEST =
  /authorization\\{0,7}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,7}["'`]?digest[ \t][^\r\n]{0,600}?[ ,]response=\\{0,7}["']?([0-9a-f]{32,64})/iy;
const BEARER = /bearer[ \t]{1,4}([A-Za-z0-9+/._~-]{16,4000}={0,3})/iy;

/** `Authorization: ...` keeps its scheme; a bare `Bearer ...` needs a value that is no word. */
export function findAuthorization(text: string, at: number): SecretSpan[] {
  const bearer = at >= 0 && (text[at] === 'b' || text[at] === 'B');
  // The anchor is inside the name: autho-riza-tion.
  const start = bearer ? at : Math.max(0, at - 5);
  DIGEST.lastIndex = start;
  const digest = bearer ? undefined : DIGEST.exec(text)?.[1];
  if (digest !== undefined)
    return [{ start: DIGEST.lastIndex - digest.length, end: DIGEST.lastIndex, kind: 'authorization' }];
  const regex = bearer ? BEARER : AUTHORIZATION;
  regex.lastIndex = start;
  const value = regex.exec(text)?.[1];
  if (value === undefined || isPlaceholder(value)) return [];
  const shape = /[0-9+/=]/.test(value) && /[A-Za-z]/.test(value) && !/^[A-Za-z]+:?$/.test(value);
  const end = regex.lastIndex;
  return shape ? [{ start: end - value.length, end, kind: 'authorization' }] : [];
}

const COOKIE_HEADER = /cookie\d?\\{0,7}["'`]?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,7}["'`])?/iy;
const COOKIE_PAIR =
  /[ \t]{0,4}([A-Za-z0-9_.$-]{1,64})=([^;\s"'`\\,]{0,512})(?:;[ \t]{0,4}[A-Za-z-]{1,20}(?=;))?;?/y;
const SESSION_NAME = /sess|sid|auth|token|csrf|xsrf|jwt|remember|login|ticket|identity/i;
const MOST_COOKIES = 40;

/** The values of session cookies in `Cookie:` and `Set-Cookie:` headers. */
export function findCookies(text: string, at: number): SecretSpan[] {
  COOKIE_HEADER.lastIndex = Math.max(0, at - 1);
  if (!COOKIE_HEADER.test(text)) return [];
  const spans: SecretSpan[] = [];
  COOKIE_PAIR.lastIndex = COOKIE_HEADER.lastIndex;
  for (let i = 0; i < MOST_COOKIES; i++) {
    const from = COOKIE_PAIR.lastIndex;
    const pair = COOKIE_PAIR.exec(text);
    if (!pair) break;
    const [whole, name, value] = pair as unknown as [string, string, string];
    if (!isCookieSecret(name, value)) continue;
    const start = from + whole.indexOf('=') + 1;
    spans.push({ start, end: start + value.length, kind: 'cookie' });
  }
  return spans;
}

/** Of a name that promises nothing only what is as long and odd as an id of a session. */
function isCookieSecret(name: string, value: string): boolean {
  if (SESSION_NAME.test(name)) return isLikelySecret(value, 'quoted', true);
  return value.length >= 20 && isRandom(value);
}
