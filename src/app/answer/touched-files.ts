import type { Outcome } from '../../core/model/exchange.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { allSessions, type SessionRow } from '../find/sessions.ts';
import { rest } from '../in-steps.ts';
import { sessionExchanges } from '../layers/exchanges.ts';
import { allFacts, type FactRow } from '../layers/facts.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import type { World } from '../world.ts';

/** A file that sessions of a project changed or read. */
export type TouchedFile = {
  path: string;
  projectId: string;
  projectName: string;
  sessions: number;
  last: string;
};

export type TouchedFilesRequest = PageRequest & { project?: string; words?: string };

/** Files by when a session last touched them, of all projects or of one, with every word in their path. */
export async function listTouchedFiles(
  world: World,
  request: TouchedFilesRequest = {},
): Promise<Page<TouchedFile> & { total: number }> {
  const words = (request.words ?? '').toLowerCase().split(/\s+/);
  const files = new Map<string, TouchedFile>();
  for (const row of await allSessions(world, request.project)) {
    if (!row.registered) continue;
    const { projectId, projectName, lastTimestamp: last } = row;
    for (const path of row.metadata.filesTouched) {
      const folded = path.toLowerCase();
      if (!words.every((word) => folded.includes(word))) continue;
      const key = `${projectName}\u0000${path}`;
      const known = files.get(key);
      if (!known) files.set(key, { path, projectId, projectName, sessions: 1, last });
      else
        Object.assign(known, { sessions: known.sessions + 1, last: last > known.last ? last : known.last });
    }
  }
  const all = [...files.values()];
  const keyOf = (it: TouchedFile) => `${it.last}\u0000${it.path}\u0000${it.projectName}`;
  return { ...page(all, keyOf, request), total: all.length };
}

export type TouchingExchange = {
  id: string;
  title: string;
  ts: string;
  src: number;
  outcome: Outcome;
  commits: string[];
};

export type FileStory = {
  path: string;
  /** Newest first, each with the exchanges that touched the file. */
  sessions: {
    projectId: string;
    sessionId: string;
    title: string;
    last: string;
    exchanges: TouchingExchange[];
  }[];
  /** What was decided: `names` says that the words name the file; the others were said while it was worked on. */
  decided: (Pick<FactRow, 'id' | 'kind' | 'content' | 'projectId'> & { ts: string; names: boolean })[];
};

/** Which sessions touched a file, in which exchanges, and what was decided about it. Writes nothing. */
export async function fileStory(
  world: World,
  path: string,
  project?: string,
  signal?: AbortSignal,
): Promise<FileStory> {
  const rows = (await allSessions(world, project)).filter(
    ({ registered, metadata }) => registered && metadata.filesTouched.includes(path),
  );
  rows.sort((a, b) => (a.lastTimestamp < b.lastTimestamp ? 1 : -1));
  const sessions: FileStory['sessions'] = [];
  const touching = new Set<string>();
  for (const row of rows) {
    await rest(signal);
    const exchanges = await exchangesTouching(world, row, path);
    for (const { id } of exchanges) touching.add(id);
    const { projectId, sessionId, lastTimestamp: last } = row;
    const title = sessionTitle(row)?.trim() || sessionId.slice(0, 8);
    sessions.push({ projectId, sessionId, title, last, exchanges });
  }
  return { path, sessions, decided: await decidedAbout(world, path, touching, project) };
}

async function exchangesTouching(world: World, row: SessionRow, path: string): Promise<TouchingExchange[]> {
  const all = await sessionExchanges(world, row.projectId, row);
  return all
    .filter(({ files }) => files.includes(path))
    .map(({ id, title, ask, ts, src, outcome, commits }) => ({
      id,
      title: title ?? ask,
      ts,
      src,
      outcome,
      commits: commits ?? [],
    }));
}

/** Kinds that only count here if they name the file. */
const OTHER_KINDS = new Set(['solution', 'core_logic', 'pattern', 'environment', 'fact']);

async function decidedAbout(
  world: World,
  path: string,
  touching: ReadonlySet<string>,
  project?: string,
): Promise<FileStory['decided']> {
  const name = path.split('/').at(-1) ?? path;
  const decided: FileStory['decided'] = [];
  for (const fact of await allFacts(world, project)) {
    const { id, kind, content, projectId } = fact;
    if (kind === 'candidate') continue;
    const names = fact.files?.includes(path) === true || `${content} ${fact.problem ?? ''}`.includes(name);
    const isSaidThere = !OTHER_KINDS.has(kind) && fact.sources.some(({ exchange }) => touching.has(exchange));
    if (!names && !isSaidThere) continue;
    const ts = fact.sources[0]?.ts ?? fact.last_validated;
    decided.push({ id, kind, content, projectId, ts, names });
  }
  return decided.sort((a, b) => Number(b.names) - Number(a.names) || (a.ts < b.ts ? 1 : -1));
}
