import { millisOf } from '../../core/text/utc.ts';
import type { World } from '../world.ts';

/** A session that changed this short a time ago may still be written to. */
export const LATELY_MINUTES = 5;

/**
 * Whether the agent wrote to a session in the last minutes: by its file, or by its last line where there is no file. A time
 * that the clock has not reached yet is no sign of life: after a clock was set back, a session must not wait for months.
 */
export async function changedLately(
  world: World,
  { originalFile }: { originalFile: string },
  lastTimestamp: string,
): Promise<boolean> {
  const file = originalFile === '' ? undefined : await world.transcripts.inspect(originalFile);
  const changed = file && file !== 'folder' ? file.mtimeMs : millisOf(lastTimestamp);
  if (changed === undefined) return false;
  // The clocks of two machines on one file system differ by seconds, in either direction.
  return Math.abs(world.clock.millis() - changed) < LATELY_MINUTES * 60_000;
}
