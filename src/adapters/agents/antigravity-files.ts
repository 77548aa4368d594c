import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

const PLACE = /^brain\/([^/]+)\/\.system_generated\/logs\/transcript\.jsonl$/;

/** No line names its session, and its folder only where a command was run. */
export const antigravityFiles: AgentFinder = {
  find: async (ask) =>
    (await filesBelow(ask, PLACE, 4)).map(({ below, ...file }) => {
      const [, session = ''] = PLACE.exec(below) ?? [];
      return { ...file, home: { name: 'antigravity' }, known: { session } };
    }),
};
