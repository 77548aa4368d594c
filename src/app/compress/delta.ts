import type { SessionRef } from '../find/session-ref.ts';
import { nextPart } from '../session/parts.ts';
import { readSource } from '../session/session-source.ts';
import type { World } from '../world.ts';

export type DeltaStatus = {
  sessionId: string;
  /** Parts that are compressed. */
  parts: number;
  /** Messages and tokens that no part holds yet. */
  newMessages: number;
  newTokens: number;
  hasDelta: boolean;
  nextPart: number;
  /** Messages of an exchange that is still going on: they wait. */
  waiting: number;
};

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
    waiting,
  };
}
