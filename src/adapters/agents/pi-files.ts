import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** pi: `sessions/--path--/<time>_<id>.jsonl`; openclaw: `agents/<agent>/sessions/<id>.jsonl`. */
const PLACE = /^(?:sessions\/[^/]+|agents\/[^/]+\/sessions)\/[^/]+\.jsonl$/;

export const piFiles: AgentFinder = {
  find: async (ask) => (await filesBelow(ask, PLACE, 3)).map(({ below: _, ...file }) => file),
};
