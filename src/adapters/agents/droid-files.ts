import type { AgentFiles } from './agent-files.ts';
import { filesBelow } from './walk-files.ts';

export const droidFiles: AgentFiles = {
  find: async (ask) =>
    (await filesBelow(ask, /^sessions\/(?:[^/]+\/)?[^/]+\.jsonl$/, 2)).map(({ below: _, ...file }) => file),
};
