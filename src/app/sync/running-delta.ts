import type { Config } from '../../core/model/config-defaults.ts';
import type { World } from '../world.ts';
import { type HookSession, stopsFile, toolsFile } from './running-session.ts';

/** At a stop: counts what the session did. True when memory.md lacks more of it than the interval: then it is to be saved. */
export async function isMemoryDue(world: World, state: HookSession, config: Config): Promise<boolean> {
  if (state.place?.kept !== 'registered') return false;
  const { files } = world.archive;
  const calls = await files.size(undefined, toolsFile(state.session));
  const stops = await files.size(undefined, stopsFile(state.session));
  const { seen = 0 } = state.memory ?? {};
  const steps = calls + stops;
  state.memory = { ...state.memory, seen, steps };
  return steps - seen >= config.memory.interval;
}

/** What waits to be added to a prompt, once. */
export function takeNotice(state: HookSession): string {
  const { notice = '', ...rest } = state.memory ?? { seen: 0, steps: 0 };
  if (notice === '') return '';
  state.memory = rest;
  return `From Keepsake: ${notice}`;
}
