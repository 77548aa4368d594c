import type { HookSession } from '../../app/sync/running-session.ts';
import type { World } from '../../app/world.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Detached } from '../../ports/detached.ts';
import type { HookInput } from './hook-input.ts';

/** What an event works with. */
export type Hook = {
  world: World;
  input: HookInput;
  state: HookSession;
  config: Config;
  detached: Detached;
  /** What the agent's user is shown, beside what the agent reads; missing for agents that don't show it. */
  shown?: string[];
};

/** One event: does its work on the archive and gives the text that the agent shall see. */
export type OnEvent = (hook: Hook) => Promise<string>;

/** With what the project sets itself. */
export async function configOf({ world, state }: Hook, project: ProjectId): Promise<Config> {
  const own = state.place?.project === project ? state.place.settings : undefined;
  return (await world.settings.resolve(own ?? (await world.archive.head(project))?.settings)).config;
}
