import { createHash } from 'node:crypto';

/** Secrets that a hub issues: tokens for requests, one-time invitations. */
const PREFIXES = { token: 'kst_', invitation: 'ksi_' } as const;
export type HubSecretKind = keyof typeof PREFIXES;

/** Enough that nobody guesses one, so a plain hash keeps it safe. */
export const SECRET_BYTES = 32;
const TEXT = /^ks[ti]_[A-Za-z0-9_-]{43}$/;

export function secretText(kind: HubSecretKind, random: Uint8Array): string {
  return PREFIXES[kind] + Buffer.from(random).toString('base64url');
}

/** What is stored of a secret; undefined for what can't be one. */
export function secretHash(kind: HubSecretKind, text: string): string | undefined {
  if (!TEXT.test(text) || !text.startsWith(PREFIXES[kind])) return undefined;
  return createHash('sha256').update(text).digest('hex');
}

/** Short, for a person to name a token by; says nothing about it. */
export function secretLabel(hash: string): string {
  return `t_${hash.slice(0, 8)}`;
}
