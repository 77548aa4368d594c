import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** `sessions/<year>/<month>/<day>/rollout-*.jsonl`, and those that the user archived. */
const PLACE = /^(?:archived_)?sessions\/.*\.jsonl$/;

export const codexFiles: AgentFinder = {
  find: async (ask) => (await filesBelow(ask, PLACE, 5)).map(({ below: _, ...file }) => file),
};
