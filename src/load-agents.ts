import { join } from 'node:path';
import type { World } from './app/world.ts';
import { agentPlaces } from './config/agent-places.ts';
import type { Environment } from './config/environment.ts';
import type { AgentSources } from './ports/agent-sources.ts';

/** Where sessions of other agents are, and what reads them. */
export function otherAgents(environment: Environment): {
  agents: AgentSources;
  places: NonNullable<World['places']['agents']>;
} {
  return {
    agents: lazyAgents(join(environment.archive, 'cache', 'staged')),
    places: agentPlaces(environment),
  };
}

/** Loaded when sessions of other agents are looked for. */
function lazyAgents(staging: string): AgentSources {
  const load = async () => (await import('./adapters/agents/agent-sources.ts')).agentSources(staging);
  return {
    find: async (...asked) => (await load()).find(...asked),
    document: async (...asked) => (await load()).document(...asked),
    documents: async (...asked) => (await load()).documents(...asked),
  };
}
