import { join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder } from './agent-finder.ts';
import { holdsFolder, objectIn } from './json-value.ts';
import { filesBelow, textOf } from './walk-files.ts';

const PLACE = /^sessions\/([^/]+)\/([^/]+)\/agents\/([^/]+)\/wire\.jsonl$/;

/** No line names its session or its folder: `state.json` beside the agents does. */
export const kimiFiles: AgentFinder = {
  find: async (ask) => {
    const found: FoundTranscript[] = [];
    for (const { below, ...file } of await filesBelow(ask, PLACE, 5)) {
      const [, folder = '', session = '', agent = ''] = PLACE.exec(below) ?? [];
      const place = join(ask.folder, 'sessions', folder, session, 'state.json');
      const state = objectIn(await textOf(place));
      const path = [state.cwd, state.workDir].find((it) => typeof it === 'string') as string | undefined;
      if (path === undefined && holdsFolder(state)) ask.unreadable.push(place);
      const cwd = path === undefined ? {} : { cwd: path };
      const sub = agent === 'main' ? {} : { agentId: agent };
      found.push({ ...file, home: { name: folder, ...cwd }, known: { session, ...cwd, ...sub } });
    }
    return found;
  },
};
