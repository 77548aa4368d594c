import { AGENTS, isAgent } from '../../../core/model/agent.ts';
import { Fault } from '../../../core/model/fault.ts';

/** Refuses a name that no agent has, with those that are read. */
export function checkAgent(name: string): void {
  if (isAgent(name)) return;
  throw new Fault('usage', `Unknown agent ${JSON.stringify(name.slice(0, 60))}.`, {
    hint: `Known agents: ${AGENTS.join(', ')}.`,
  });
}
