import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** `session-state/<id>/events.jsonl`; the first versions had `session-state/<id>.jsonl`. */
const PLACE = /^(?:history-)?session-state\/(?:[^/]+\/events|[^/]+)\.jsonl$/;

export const copilotFiles: AgentFinder = {
  find: async (ask) => (await filesBelow(ask, PLACE, 2)).map(({ below: _, ...file }) => file),
};
