// Runs every session in folders of transcripts, of any agent, through all stages without an archive.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { agentSources } from '../src/adapters/agents/agent-sources.ts';
import { openTranscripts } from '../src/adapters/transcripts/transcripts.ts';
import { foldLine } from '../src/app/intake/fold-session.ts';
import { newSessionState } from '../src/app/intake/new-session-state.ts';
import type { SessionState } from '../src/app/intake/session-state.ts';
import type { Agent } from '../src/core/model/agent.ts';
import type { Entry } from '../src/core/model/entry.ts';
import { type Identity, identify } from '../src/core/transcript/identify.ts';
import { SeenIds } from '../src/core/transcript/seen-ids.ts';

export type FoldedSession = {
  project: string;
  file: string;
  agent: Agent;
  bytes: number;
  state: SessionState;
  /** The refined lines in their stored form. */
  l1: string;
};

/** The projects in a folder of projects; or the folder, if it is a project itself. */
export function projectsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isProject = entries.some((entry) => /\.jsonl?$/.test(entry.name) || entry.name === 'SOURCE.txt');
  return isProject ? [folder] : entries.filter((it) => it.isDirectory()).map((it) => join(folder, it.name));
}

export async function* foldedSessions(
  folder: string,
  onEntry?: (entry: Entry, file: string) => void,
): AsyncGenerator<FoldedSession> {
  const transcripts = openTranscripts();
  const documents = await agentSources(join(tmpdir(), 'keepsake-bench')).documents(folder, [], 0);
  const known = new Set(documents.map(({ path }) => path));
  const lines = await transcripts.find(folder, [], { hidden: true });
  for (const file of [...lines.filter(({ path }) => !known.has(path)), ...documents]) {
    const staged = await file.stage?.();
    const path = staged?.path ?? file.path;
    const { agent } = identityOf(path);
    if (!agent) continue;
    const state = newSessionState(agent);
    const fold = {
      state,
      seen: new SeenIds(),
      sessionId: 'bench',
      extent: 'paragraph' as const,
      onEntry: (entry: Entry) => onEntry?.(entry, file.path),
    };
    let l1 = '';
    await transcripts.readLines(path, 0, (line, at, last) => {
      const refined = foldLine(fold, line, at, last);
      if (refined === false) return false;
      l1 += refined;
      return true;
    });
    await staged?.remove();
    yield { project: basename(folder), file: file.path, agent, bytes: file.size, state, l1 };
  }
}

function identityOf(path: string): Identity {
  let known: Identity = { done: false };
  for (const line of readFileSync(path, 'utf8').split('\n', 400)) {
    if (line.trim() === '' || known.agent) continue;
    known = identify(known, Buffer.from(line));
  }
  return known;
}
