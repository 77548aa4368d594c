import type { CompressOutcome } from '../../app/compress/compress.ts';
import { uncovered } from '../../app/compress/delta.ts';
import { plainOutcome } from '../../app/compress/plain-receipt.ts';
import type { SessionRef } from '../../app/find/session-ref.ts';
import type { World } from '../../app/world.ts';

/** The outcome of each part, and text that is in no part. */
export async function outcomesOf(
  world: World,
  ref: SessionRef,
  items: CompressOutcome[],
  force?: boolean,
): Promise<{
  sessionId: string;
  projectId: string;
  items: CompressOutcome[];
  uncovered: Awaited<ReturnType<typeof uncovered>>;
}> {
  const rest = await uncovered(world, ref, { outcomes: items, force });
  return { sessionId: ref.session, projectId: ref.project, items: items.map(plainOutcome), uncovered: rest };
}
