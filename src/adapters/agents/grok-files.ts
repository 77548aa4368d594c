import { dirname, join } from 'node:path';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder } from './agent-finder.ts';
import { holdsFolder, isJson, objectIn } from './json-value.ts';
import { filesBelow, textOf } from './walk-files.ts';

/** `sessions/<folder, as in an address>/<id>/chat_history.jsonl`, with `summary.json` beside it. */
const PLACE = /^sessions\/([^/]+)\/([^/]+)\/chat_history\.jsonl$/;

/** Sessions of subagents are left alone: nothing says which session they belong to. */
export const grokFiles: AgentFinder = {
  find: async (ask) => {
    const found: FoundTranscript[] = [];
    for (const { below, ...file } of await filesBelow(ask, PLACE, 3)) {
      const [, folder = '', session = ''] = PLACE.exec(below) ?? [];
      const place = join(ask.folder, dirname(below), 'summary.json');
      const summary = objectIn(await textOf(place));
      if (summary.session_kind === 'subagent') continue;
      const info = isJson(summary.info) ? summary.info : {};
      const cwd = typeof info.cwd === 'string' ? info.cwd : decoded(folder);
      if (cwd === undefined && holdsFolder(summary)) ask.unreadable.push(place);
      found.push({ ...file, home: { name: folder, ...(cwd ? { cwd } : {}) }, known: { session, cwd } });
    }
    return found;
  },
};

function decoded(folder: string): string | undefined {
  const path = /^(?:%[0-9A-Fa-f]{2}|[\w.~-])+$/.test(folder)
    ? decodeURIComponent(folder.replace(/%(?![0-9A-Fa-f]{2})/g, ''))
    : '';
  return /^(?:\/|[A-Za-z]:)/.test(path) ? path : undefined;
}
