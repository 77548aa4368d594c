import { join } from 'node:path';
import { addWork } from './adapters/detached/work-queue.ts';
import { INPUT_HEAD, SESSION_IN_INPUT, statIfThere, TRANSCRIPT_IN_INPUT } from './hook-input-parts.ts';

/** An end says little: more than this is none of the agent's. */
const LONGEST = 65_536;
const END = /"hook_event_name"\s*:\s*"SessionEnd"/;

/**
 * Leaves the end of a session to a process that nobody waits for, and returns whether this is one: the agent gives all
 * hooks of an end 1.5 seconds.
 */
export function leaveEnd(text: string, archive: string, started: string): boolean {
  const head = text.slice(0, INPUT_HEAD);
  const session = END.test(head) && text.length <= LONGEST ? SESSION_IN_INPUT.exec(head)?.[1] : undefined;
  if (session === undefined) return false;
  if (isWorthIt(archive, session, head)) addWork(archive, 'session-end', session, { event: text, started });
  return true;
}

/** A session without a word, which no hook knew: nothing is to be done for it. */
function isWorthIt(archive: string, session: string, head: string): boolean {
  if (isThere(join(archive, 'cache', 'hooks', 'sessions', `${session}.json`))) return true;
  try {
    return isThere(JSON.parse(TRANSCRIPT_IN_INPUT.exec(head)?.[1] ?? '""'));
  } catch {
    return false;
  }
}

function isThere(file: string): boolean {
  return file !== '' && (statIfThere(file)?.size ?? 0) > 0;
}
