import type { Config } from '../../core/model/config-defaults.ts';
import type { World } from '../world.ts';
import { type HookSession, stopsFile, toolsFile } from './running-session.ts';

/** At a stop: counts what the session did, and notes when memory.md lacks more of it than the interval. */
export async function noteDelta(world: World, state: HookSession, config: Config): Promise<void> {
  if (state.place?.kept !== 'registered') return;
  const { files } = world.archive;
  const calls = await files.size(undefined, toolsFile(state.session));
  const stops = await files.size(undefined, stopsFile(state.session));
  const { seen = 0, told } = state.memory ?? {};
  const steps = calls + stops;
  state.memory = { ...state.memory, seen, steps };
  if (steps - seen < config.memory.interval || told === seen) return;
  state.memory.told = seen;
  state.memory.notice = `memory.md of this project lacks the last ${steps - seen} steps of this session. It takes them in before a compaction and when the session ends; \`keepsake memory check --now\` does so at once.`;
}

/** What waits to be told beside a prompt, once. */
export function takeNotice(state: HookSession): string {
  const { notice = '', ...rest } = state.memory ?? { seen: 0, steps: 0 };
  if (notice === '') return '';
  state.memory = rest;
  return `From Keepsake: ${notice}`;
}
