import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { Fault } from './fault.ts';

/** As `id-schemas.ts` brands them; only the type comes from zod, which hooks do not load. */
export type ProjectId = string & z.core.$brand<'ProjectId'>;
export type SessionId = string & z.core.$brand<'SessionId'>;

/** Longest sanitized path that stays as it is; longer ones are cut and get a hash, as the agent does it. */
const LONGEST_PROJECT_NAME = 200;
const UNSAFE_NAMES = new Set(['.', '..', '__proto__', 'constructor', 'prototype']);
const PLAIN_SESSION_ID = /^\w[\w.~@+-]*$/;
/** In UTF-8 bytes, as file systems count: room is left for what a file's name adds. */
const LONGEST_SESSION_ID = 120;
const PROJECT_ID = /^[A-Za-z0-9~-]{1,240}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function shortHash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

export function isSessionId(text: string): text is SessionId {
  return (
    text.length <= LONGEST_SESSION_ID &&
    Buffer.byteLength(text) <= LONGEST_SESSION_ID &&
    // The classes of all scripts take milliseconds to build, and most ids need none of them.
    (PLAIN_SESSION_ID.test(text) || /^[\p{L}\p{N}_][\p{L}\p{N}._~@+-]*$/u.test(text)) &&
    !UNSAFE_NAMES.has(text.toLowerCase())
  );
}

export function isProjectId(text: string): text is ProjectId {
  return PROJECT_ID.test(text);
}

/** Passed before an id touches a path. */
export function toSessionId(text: string): SessionId {
  if (isSessionId(text)) return text;
  throw new Fault('usage', `${JSON.stringify(clip(text))} is not a session id.`, {
    hint: 'Ids consist of letters, digits, "-", "_" and "."; `keepsake sessions` lists them.',
  });
}

export function toProjectId(text: string): ProjectId {
  if (isProjectId(text)) return text;
  throw new Fault('usage', `${JSON.stringify(clip(text))} is not a project id.`, {
    hint: '`keepsake projects` lists them.',
  });
}

/** A session id from a file's name: what an id can't hold becomes "-"; a hash keeps two names apart. */
export function sessionIdFromName(stem: string): SessionId {
  if (isSessionId(stem)) return stem;
  const plain = stem.replace(/[^\p{L}\p{N}._~@+-]+/gu, '-').replace(/^[^\p{L}\p{N}_]+/u, '');
  return withHash(plain || 'session', stem);
}

/** The id of a second session whose name is taken: distinguished by where it comes from. */
export function secondSessionId(session: SessionId, path: string): SessionId {
  return withHash(session, path);
}

function withHash(name: string, hashed: string): SessionId {
  const hash = shortHash(hashed, 6);
  return `${cutToBytes(name, LONGEST_SESSION_ID - hash.length - 1)}-${hash}` as SessionId;
}

/** Cut between two characters, never inside one. */
function cutToBytes(text: string, most: number): string {
  let [cut, bytes] = ['', 0];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > most) break;
    cut += character;
  }
  return cut;
}

/** The name Claude Code gives a working directory: every character but letters and digits becomes "-". */
export function sanitizePath(path: string): ProjectId {
  const name = path.replace(/[^A-Za-z0-9]/g, '-');
  if (name.length <= LONGEST_PROJECT_NAME) return (name || '-') as ProjectId;
  return `${name.slice(0, LONGEST_PROJECT_NAME)}-${shortHash(path, 8)}` as ProjectId;
}

/** The id of the second path whose sanitized name is already taken. */
export function secondProjectId(path: string): ProjectId {
  return `${sanitizePath(path)}~${shortHash(path, 6)}` as ProjectId;
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
