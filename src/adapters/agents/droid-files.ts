import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

export const droidFiles: AgentFinder = {
  find: async (ask) =>
    (await filesBelow(ask, /^sessions\/(?:[^/]+\/)?[^/]+\.jsonl$/, 2)).map(({ below: _, ...file }) => file),
};
