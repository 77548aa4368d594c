import { isDetachedRunning } from '../../src/adapters/detached/detached-process.ts';

/** What hooks left to a process of its own is done, or that process was ended: none is there any more. */
export async function settled(archive: string): Promise<void> {
  while (isDetachedRunning(archive)) await new Promise((resolve) => setTimeout(resolve, 20));
}
