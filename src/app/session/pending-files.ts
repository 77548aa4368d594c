import { chooseTitle } from '../../core/layers/titles/choose-title.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { findAgentFiles } from '../intake/agent-files.ts';
import { type Fold, foldLine } from '../intake/fold-session.ts';
import { identifyFile } from '../intake/identify-file.ts';
import { newSessionState } from '../intake/new-session-state.ts';
import { ifPossible } from '../or-fault.ts';
import type { World } from '../world.ts';

/** A transcript of the agent that no sync has imported. */
export type PendingFile = {
  path: string;
  bytes: number;
  /** The agent deletes it within a week. */
  soonDeleted: boolean;
  /** When it was last written. */
  written: string;
};

type Beginning = {
  /** From its first lines; null if they don't say it, or where very many wait. */
  title: string | null;
  cwd: string | null;
};

/** Beginnings that are read: a list of thousands must not wait for all of them. */
const MOST_READ = 200;
const MOST_LINES = 100;

export async function pendingFiles(world: World): Promise<PendingFile[]> {
  const { pending, soonDeleted } = await findAgentFiles(world);
  const soon = new Set(soonDeleted.map(({ path }) => path));
  return pending.map(({ path, size, mtimeMs }) => ({
    path,
    bytes: size,
    soonDeleted: soon.has(path),
    written: new Date(mtimeMs).toISOString(),
  }));
}

/** With what their first lines say; the newest ones where there are very many. */
export async function withTitles(
  world: World,
  files: readonly PendingFile[],
): Promise<(PendingFile & Beginning)[]> {
  const newest = new Set([...files].sort((a, b) => (a.written < b.written ? 1 : -1)).slice(0, MOST_READ));
  const described: (PendingFile & Beginning)[] = [];
  for (const file of files)
    described.push({ ...file, ...(newest.has(file) ? await beginningOf(world, file.path) : UNKNOWN) });
  return described;
}

const UNKNOWN: Beginning = { title: null, cwd: null };

async function beginningOf(world: World, path: string): Promise<Beginning> {
  // A session that is no file of lines, or one whose lines are strange, is still listed.
  return (await ifPossible(readBeginning(world, path), undefined)) ?? UNKNOWN;
}

async function readBeginning(world: World, path: string): Promise<Beginning> {
  const identity = await identifyFile(world, path);
  if (!identity) return UNKNOWN;
  const state = newSessionState(identity.agent);
  const fold: Fold = { state, seen: new SeenIds(), sessionId: identity.session, extent: 'paragraph' };
  let left = MOST_LINES;
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    if (foldLine(fold, line, at, last) === false) return false;
    return chooseTitle(state.titles, state.facts) !== undefined || --left === 0 ? 'stop' : true;
  });
  return { title: chooseTitle(state.titles, state.facts) ?? null, cwd: identity.cwd ?? null };
}
