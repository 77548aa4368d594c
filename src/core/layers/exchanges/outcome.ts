import type { Outcome } from '../../model/exchange.ts';
import type { Ending } from './ending.ts';
import { ACCEPTS, COMPLAINS, HAS_PROBLEM, TAKES_BACK, WANTS_CHANGE } from './outcome-cues.ts';

/** Characters of an ask that say what the user thinks of what was done before. */
const REACTION = 300;

/** What an exchange began with and how its lines end. */
export type Course = { ask: string; ending: Ending };

/**
 * How an exchange ended, by its own lines and by the exchange after it, never by what follows that:
 * - rejected: the user went back, stopped the agent, refused its last call or took back what it did;
 * - failed: it did not work in the end, and the next exchange did not mend it;
 * - open: nothing follows, and the agent was not done, waits for an answer or says that something remains;
 * - done: anything else.
 */
export function outcomeOf(course: Course, next: Course | undefined, rewound: boolean): Outcome {
  const { ending } = course;
  if (rewound) return 'rejected';
  const reaction = next?.ask.slice(0, REACTION).trim() ?? '';
  if (ending.stopped || ending.refused) return isAccepted(ending, reaction) ? 'done' : 'rejected';
  if (next && !ending.answered && isSentAgain(course.ask, next.ask)) return 'rejected';
  // "No" to an offer refuses what was offered, not what was done.
  if (next && TAKES_BACK.test(reaction) && ending.asks === 'nothing') return 'rejected';
  if (hasFailed(ending) && !isMended(ending, next)) return 'failed';
  if (next)
    return wasMeantToWork(course) && COMPLAINS.test(reaction) && !isGood(next.ending) ? 'failed' : 'done';
  return isOpen(course) ? 'open' : 'done';
}

/** Stopped work counts if it was committed, or if the user continues from it. */
function isAccepted({ committed, changed }: Ending, reaction: string): boolean {
  return committed || (changed && ACCEPTS.test(reaction));
}

function isSentAgain(ask: string, next: string): boolean {
  return ask.trim() !== '' && next.trim().startsWith(ask.trim());
}

function hasFailed({ closed, failing, claims, failure, callFailed }: Ending): boolean {
  if (callFailed) return true;
  if (!closed) return false;
  return failure ? !claims || failing !== undefined : failing !== undefined && !claims;
}

function isMended({ failing }: Ending, next: Course | undefined): boolean {
  if (!next) return false;
  return (failing !== undefined && next.ending.passed.has(failing)) || isGood(next.ending);
}

/** A complaint is about what was changed just now, not about an answer to a question. */
function wasMeantToWork({ ask, ending }: Course): boolean {
  return ending.changed || HAS_PROBLEM.test(ask.slice(0, REACTION)) || WANTS_CHANGE.test(ask);
}

/** Ended with something that works. */
function isGood(ending: Ending): boolean {
  if (ending.stopped || ending.refused || ending.callFailed || ending.failure) return false;
  return ending.claims || (ending.changed && ending.failing === undefined);
}

function isOpen({ ask, ending }: Course): boolean {
  if (!ending.closed) return ask !== '' || ending.answered;
  const hasResult = ending.changed || ending.claims;
  // An offer to do more comes after what was asked for; any other question waits for its answer.
  if (ending.asks === 'answer') return true;
  if (ending.asks === 'offer') return !hasResult && WANTS_CHANGE.test(ask);
  return ending.remains && !ending.claims;
}
