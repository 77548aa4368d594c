import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addWork } from './adapters/detached/work-queue.ts';
import { outsideStamp } from './adapters/machine/outside-stamp.ts';
import { INPUT_HEAD, SESSION_IN_INPUT, statIfThere } from './hook-input-parts.ts';

/** A start says little: more than this is none. */
const LONGEST = 65_536;
const START = /"hook_event_name"\s*:\s*"SessionStart"/;
/** As `SeenPlaces`, but anyone may have written it. */
type Seen = { others?: Record<string, string>; claude?: Record<string, string> };

/**
 * When a session starts: leaves the reading of what agents wrote since the last look to the queue, where there is any. A
 * start waits for it a while, so that what was said to one agent counts with the next. A look at a few hundred paths at
 * most. True if there is something to read.
 */
export function leaveUnread(
  text: string,
  archive: string,
  from: { started: string; isOther: boolean },
): boolean {
  const head = text.slice(0, INPUT_HEAD);
  const session = SESSION_IN_INPUT.exec(head)?.[1];
  if (session === undefined || text.length > LONGEST) return false;
  // Not every agent has an event for the start: then the first that is heard of a session is it.
  const isStart = START.test(head) || (from.isOther && !isKnown(archive, session));
  if (!isStart || !isUnread(archive, from.isOther)) return false;
  addWork(archive, 'unread', from.isOther ? 'all' : 'others', { event: text, started: from.started });
  return true;
}

function isKnown(archive: string, session: string): boolean {
  return statIfThere(join(archive, 'cache', 'hooks', 'sessions', `${session}.json`)) !== undefined;
}

/** Claude Code's own hooks read its sessions: only others look at them. */
export function isUnread(archive: string, withClaude: boolean): boolean {
  let seen: Seen;
  try {
    seen = JSON.parse(readFileSync(join(archive, 'cache', 'seen-places.json'), 'utf8'));
  } catch {
    return true;
  }
  const isOther = ([path, stamp]: [string, string]) => outsideStamp(path) !== stamp;
  if (Object.entries(seen.others ?? {}).some(isOther)) return true;
  return withClaude && (!seen.claude || Object.entries(seen.claude).some(isOther));
}
