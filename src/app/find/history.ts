import { type EventAuthor, eventAuthor } from '../../core/model/event-author.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { orFault } from '../or-fault.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { foldersAsked } from './project.ts';

/** Of an edit with its author; nobody decided the others. */
export type HistoryRow = HistoryEvent & {
  projectId: ProjectId;
  projectName: string;
  /** Of the session that it was done to, where that is still there. */
  title?: string;
  /** In how many projects it was recorded, where in several: a purge of a text is. */
  projects?: number;
} & Partial<EventAuthor>;

/** What was done to the memory, newest first, in all projects or in one. */
export async function readHistory(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<HistoryRow>> {
  const ids = await foldersAsked(world, request.project);
  const names = await repositoryNames(world);
  const rows: { row: HistoryRow; key: string }[] = [];
  const purges = new Map<string, { row: HistoryRow; names: Set<string> }>();
  for (const projectId of ids) {
    const projectName = names.get(projectId) ?? projectId;
    const events = await world.archive.history(projectId);
    events.forEach((event, index) => {
      const key = `${event.at}\u0000${projectId}\u0000${String(index).padStart(9, '0')}`;
      const row: HistoryRow = { projectId, projectName, ...event, ...eventAuthor(event) };
      const purge = purgeOf(event);
      const known = purge === undefined ? undefined : purges.get(purge);
      if (known) {
        known.names.add(projectName);
        if (known.names.size > 1) known.row.projects = known.names.size;
        return;
      }
      if (purge !== undefined) purges.set(purge, { row, names: new Set([projectName]) });
      rows.push({ row, key });
    });
  }
  const { items, next } = page(rows, ({ key }) => key, request);
  const titleOf = titlesIn(world);
  return {
    items: await Promise.all(items.map(async ({ row }) => ({ ...row, ...(await titleOf(row)) }))),
    next,
  };
}

/** Titles of sessions; the record of a project is read once, and only if it is on the page. */
function titlesIn(world: World): (row: HistoryRow) => Promise<Pick<HistoryRow, 'title'>> {
  const projects = new Map<ProjectId, Promise<Manifest['sessions']>>();
  const sessionsOf = async (projectId: ProjectId) => {
    // Of a project that a newer Keepsake wrote no title is known.
    const opened = await orFault(world.archive.open(projectId));
    return opened instanceof Fault ? {} : (opened?.manifest.sessions ?? {});
  };
  return async ({ projectId, sessionId }) => {
    if (sessionId === undefined) return {};
    const sessions = projects.get(projectId) ?? sessionsOf(projectId);
    projects.set(projectId, sessions);
    const session = (await sessions)[sessionId];
    const title = session && sessionTitle(session)?.trim();
    return title ? { title } : {};
  };
}

/** A text is purged in every folder, each with its own record: they are one purge. */
function purgeOf({ action, at, details }: HistoryEvent): string | undefined {
  const tombstone = details?.tombstone as { id?: unknown } | undefined;
  return action === 'purge' && typeof tombstone?.id === 'string' ? `${tombstone.id} ${at}` : undefined;
}
