import type { SessionRef } from '../find/session-ref.ts';
import { LATELY_MINUTES } from '../session/changed-lately.ts';
import { nextPart } from '../session/parts.ts';
import { readSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import type { CompressOutcome } from './compress.ts';

/** What no part of a session holds. */
export type Uncovered = {
  /** After the last part: the next one takes them. */
  newMessages: number;
  newTokens: number;
  /** Messages and tokens of the last exchange while it is unfinished, and why they wait. */
  waiting: number;
  waitingTokens: number;
  waitingReason?: string;
};

export type DeltaStatus = Uncovered & {
  sessionId: string;
  /** Parts that are compressed. */
  parts: number;
  hasDelta: boolean;
  nextPart: number;
};

const WAITING_REASON = `The last exchange is unfinished, and the session changed in the last ${LATELY_MINUTES} minutes.`;

/** What came after the last part. Reads only that. */
export async function deltaStatus(world: World, ref: SessionRef): Promise<DeltaStatus> {
  const source = await readSource(world, ref);
  const { part, waiting } = await nextPart(world, source);
  return {
    sessionId: ref.session,
    parts: source.parts.length,
    newMessages: part ? part.messages[1] - part.messages[0] + 1 : 0,
    newTokens: part?.tokens ?? 0,
    hasDelta: part !== undefined,
    nextPart: source.parts.length + 1,
    waiting: waiting?.messages ?? 0,
    waitingTokens: waiting?.tokens ?? 0,
    ...(waiting ? { waitingReason: WAITING_REASON } : {}),
  };
}

/** What no part contains after a session was compressed, or would be: a dry run records no part. */
export async function uncovered(
  world: World,
  ref: SessionRef,
  made: { outcomes: readonly CompressOutcome[]; force?: boolean | undefined } = { outcomes: [] },
): Promise<Uncovered> {
  const { sessionId: _, parts, hasDelta: __, nextPart: ___, ...status } = await deltaStatus(world, ref);
  const isPlanned = made.outcomes.some(({ part }) => part > parts);
  if (isPlanned && made.force) return { newMessages: 0, newTokens: 0, waiting: 0, waitingTokens: 0 };
  return isPlanned ? { ...status, newMessages: 0, newTokens: 0 } : status;
}
