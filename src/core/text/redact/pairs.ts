import type { SecretSpan } from './secret-span.ts';

const AWS_ID = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/y;
/** Forty characters of base64 with capitals and letters past f: a commit's hash is no key. */
const AWS_SECRET =
  /(?<![A-Za-z0-9+/])(?=[a-z0-9+/]{0,39}[A-Z])(?=[A-Za-f0-9+/]{0,39}[g-z])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/;
/** Two lines of a credentials file are this close. */
const AWS_NEAR = 200;

/** The id, and the secret key that is near it. */
export function findAwsKeys(text: string, at: number): SecretSpan[] {
  AWS_ID.lastIndex = at;
  if (!AWS_ID.test(text)) return [];
  const end = AWS_ID.lastIndex;
  const id = { start: at, end, kind: 'aws-key-id' };
  const near = AWS_SECRET.exec(text.slice(end, end + AWS_NEAR));
  if (!near) return [id];
  const start = end + near.index;
  return [id, { start, end: start + 40, kind: 'aws-secret' }];
}

const TELEGRAM_KEY = /:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])/y;

/** A bot's number and its key, on both sides of the colon. */
export function findTelegramToken(text: string, at: number): SecretSpan[] {
  const colon = at + 1;
  TELEGRAM_KEY.lastIndex = colon;
  if (!TELEGRAM_KEY.test(text)) return [];
  const number = /(?:^|\D)(\d{8,10})$/.exec(text.slice(Math.max(0, colon - 11), colon))?.[1];
  return number ? [{ start: colon - number.length, end: TELEGRAM_KEY.lastIndex, kind: 'telegram' }] : [];
}
