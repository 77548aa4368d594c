import { isPlaceholder, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';
import { isStrong } from './strong-value.ts';

const URL_USER = /:\/\/([^\s/:@"'`<>\\?#[\]]{0,255})(?::([^\s/@"'`<>\\]{1,200}))?@(?=[\w.[$-])/y;
/** A user without a password is a token only when it is as long and as odd as one. */
const SHORTEST_TOKEN = 16;

/** scheme://user:password@host keeps everything but the password; in scheme://token@host the token goes. */
export function findUrlSecret(text: string, at: number): SecretSpan[] {
  URL_USER.lastIndex = at + 1;
  const match = URL_USER.exec(text);
  if (!match) return [];
  const [, user = '', password] = match;
  const end = URL_USER.lastIndex - 1;
  if (password !== undefined && !isPlaceholder(password) && !isOpenWord(password))
    return [{ start: end - password.length, end, kind: 'url-password' }];
  if (user.length < SHORTEST_TOKEN || !isRandom(user)) return [];
  const start = at + 4;
  return [{ start, end: start + user.length, kind: 'url-password' }];
}

const USER = /(?<![\w/:.@-])(?:[\w.-]{1,60}\/)?[\w.-]{1,60}$/;

/**
 * `user:password@tcp(host:port)/name`, as Go's drivers write it; `user/X@//host` and `domain/user:X@host` with a value
 * that can be nothing else.
 */
export function findDsnSecret(text: string, at: number): SecretSpan[] {
  const end = at + 1;
  let start = end;
  while (start > 0 && end - start < 100 && !/[\s:@"'`<>\\/]/.test(text[start - 1]!)) start--;
  const sign = text[start - 1];
  if ((sign !== ':' && sign !== '/') || end - start < 4) return findMailSecret(text, end);
  const password = text.slice(start, end);
  const driver = sign === ':' && /^@(?:tcp|unix)\(/.test(text.slice(end, end + 6));
  if (driver ? isPlaceholder(password) : !isStrong(password)) return [];
  if (!USER.test(text.slice(Math.max(0, start - 124), start - 1))) return [];
  return [{ start, end, kind: 'url-password' }];
}

const MAIL_USER = /@(?!\d{1,20}:)[\w.-]{3,80}:([^\s:@"'`<>\\/]{12,100})(?=[\s"'\\]|$)/y;

/** `[host]:587 user@host:X`, as mail servers keep them. */
function findMailSecret(text: string, at: number): SecretSpan[] {
  MAIL_USER.lastIndex = at;
  const password = MAIL_USER.exec(text)?.[1];
  if (password === undefined || !/\d/.test(password) || !isStrong(password)) return [];
  return [{ start: MAIL_USER.lastIndex - password.length, end: MAIL_USER.lastIndex, kind: 'password' }];
}

/** GitHub and others take a token as the user, with such a word as its password. */
function isOpenWord(password: string): boolean {
  return /^(?:x-oauth-basic|x-token-auth|oauth2?)$/.test(password);
}

const SIGNATURE = /(?:sig|Signature)=([A-Za-z0-9%+/_~=-]{16,2000})/y;
/** Something else of the same query must be before it: `sig=` alone is a word of many languages. */
const IN_QUERY = /(?:[?&;]|\\u0026)(?:[\w-]{0,40}-)?$/;

/** What a signed address is worth: `sig` of Azure, `X-Amz-Signature`, `X-Goog-Signature`, `Signature`. */
export function findUrlSignature(text: string, at: number): SecretSpan[] {
  // One anchor is `sig=`, the other the start of `Signature=` with what is before it.
  const start = text[at] === 's' ? at : at + 1;
  if (start < 1 || !IN_QUERY.test(text.slice(Math.max(0, start - 48), start))) return [];
  SIGNATURE.lastIndex = start;
  const value = SIGNATURE.exec(text)?.[1];
  if (value === undefined || isPlaceholder(value)) return [];
  const end = SIGNATURE.lastIndex;
  return [{ start: end - value.length, end, kind: 'url-signature' }];
}

const HOOK =
  /(?:slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/|webhook\.office\.com\/webhookb2\/)([A-Za-z0-9_/+@-]{20,400})/y;
const SHORT_HOOK =
  /(?:zapier\.com\/hooks\/catch\/\d{4,12}\/(?=[a-z0-9]{6})|infura\.io\/v3\/(?=[a-f0-9]{32})|alchemy\.com\/v2\/(?=[\w-]{32})|\/with\/key\/(?=[\w-]{20}))([\w-]{6,64})/y;

/** Addresses to which anyone who knows them can post. */
export function findWebhook(text: string, at: number): SecretSpan[] {
  for (const [hook, backs] of HOOKS)
    for (const back of backs) {
      hook.lastIndex = Math.max(0, at - back);
      const value = hook.exec(text)?.[1];
      if (value === undefined || isPlaceholder(value)) continue;
      return [{ start: hook.lastIndex - value.length, end: hook.lastIndex, kind: 'webhook' }];
    }
  return [];
}

/** How far the anchor is into each address. */
const HOOKS: readonly (readonly [RegExp, readonly number[]])[] = [
  [HOOK, [4, 15, 18, 7]],
  [SHORT_HOOK, [14, 8, 10, 4]],
];
