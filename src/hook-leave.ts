import { statSync } from 'node:fs';
import { join } from 'node:path';
import { addWork } from './adapters/detached/work-queue.ts';

/** Where the agent's input says which event and whose it is. */
const HEAD = 4096;
/** An end says little: more than this is none of the agent's. */
const LONGEST = 65_536;
const END = /"hook_event_name"\s*:\s*"SessionEnd"/;
const SESSION = /"session_id"\s*:\s*"([0-9A-Za-z][0-9A-Za-z_-]{7,63})"/;
const TRANSCRIPT = /"transcript_path"\s*:\s*("(?:[^"\\]|\\.)*")/;

/**
 * Leaves the end of a session to a process that nobody waits for, and returns whether this is one: the agent gives all
 * hooks of an end 1.5 seconds.
 */
export function leaveEnd(text: string, archive: string, started: string): boolean {
  const head = text.slice(0, HEAD);
  const session = END.test(head) && text.length <= LONGEST ? SESSION.exec(head)?.[1] : undefined;
  if (session === undefined) return false;
  if (isWorthIt(archive, session, head)) addWork(archive, 'session-end', session, { event: text, started });
  return true;
}

/** A session without a word, which no hook knew: nothing is to be done for it. */
function isWorthIt(archive: string, session: string, head: string): boolean {
  if (isThere(join(archive, 'cache', 'hooks', 'sessions', `${session}.json`))) return true;
  try {
    return isThere(JSON.parse(TRANSCRIPT.exec(head)?.[1] ?? '""'));
  } catch {
    return false;
  }
}

function isThere(file: string): boolean {
  return file !== '' && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
