import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** `projects/<path>/chats/<session>.jsonl`, before that `tmp/<hash>/chats`. */
const PLACE = /^(?:projects|tmp)\/[^/]+\/chats\/[^/]+\.jsonl$/;

export const qwenFiles: AgentFinder = {
  find: async (ask) => (await filesBelow(ask, PLACE, 3)).map(({ below: _, ...file }) => file),
};
