import type { Environment } from './environment.ts';

/** What the process that works through the queue runs in: as here, with folders that do not depend on where it is started. */
export function detachedEnvironment({ archive, claude }: Environment): Record<string, string | undefined> {
  return { ...process.env, CLAUDE_MEMORY_DIR: archive, CLAUDE_CONFIG_DIR: claude };
}
