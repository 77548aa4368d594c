import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the agent's input says which event and whose it is: before anything that a tool wrote. */
const HEAD = 4096;
const EVENT = /"hook_event_name"\s*:\s*"PostToolUse"/;
const SESSION = /"session_id"\s*:\s*"([0-9A-Za-z][0-9A-Za-z_-]{7,63})"/;
const EVERY = 25;

/**
 * Counts a tool call, and tells whether that is all there is to do. It happens more often than anything else, so it
 * loads nothing: a byte is appended to a file, whose length is the count.
 */
export function countToolCall(text: string, archive: string): boolean {
  const head = text.slice(0, HEAD);
  const session = EVENT.test(head) ? SESSION.exec(head)?.[1] : undefined;
  if (session === undefined) return false;
  try {
    const calls = appended(join(archive, 'cache', 'hooks', 'tools', session));
    if (calls % every(archive) !== 0) return !isThere(join(archive, 'cache', 'hooks', 'pending', session));
    return false;
  } catch {
    // An archive that can't be written: the others could do nothing either.
    return true;
  }
}

function appended(file: string): number {
  let handle: number;
  try {
    handle = openSync(file, 'a', 0o600);
  } catch {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    handle = openSync(file, 'a', 0o600);
  }
  try {
    writeSync(handle, '.');
    return fstatSync(handle).size;
  } finally {
    closeSync(handle);
  }
}

function every(archive: string): number {
  try {
    const settings = JSON.parse(readFileSync(join(archive, 'config.json'), 'utf8'));
    const calls: unknown = settings?.hooks?.everyToolCalls ?? settings?.['hooks.everyToolCalls'];
    return typeof calls === 'number' && calls >= 1 ? Math.floor(calls) : EVERY;
  } catch {
    return EVERY;
  }
}

function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}
