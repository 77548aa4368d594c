import type { AgentFinder } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** `projects/<path of the project>/agent-transcripts/<id>/<id>.jsonl`, in older versions without the inner folder. */
const PLACE = /^projects\/([^/]+)\/agent-transcripts\/(?:([^/]+)\/)?(?:(subagents)\/)?([^/]+)\.jsonl$/;

/** No line names its session or its folder: both are in the path. */
export const cursorFiles: AgentFinder = {
  find: async (ask) =>
    (await filesBelow(ask, PLACE, 5)).map(({ below, ...file }) => {
      const [, project = '', parent, isSub, id] = PLACE.exec(below) ?? [];
      // Made as Claude Code makes its names, except for the first sign.
      const home = { name: `-${project}` };
      return isSub
        ? { ...file, home, known: { session: parent, agentId: id } }
        : { ...file, home, known: { session: id } };
    }),
};
