import { type EventAuthor, eventAuthor } from '../../core/model/event-author.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { foldersAsked } from './project.ts';

/** Of an edit with its author; nobody decided the others. */
export type HistoryRow = HistoryEvent & { projectId: ProjectId; projectName: string } & Partial<EventAuthor>;

/** What was done to the memory, newest first, in all projects or in one. */
export async function readHistory(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<HistoryRow>> {
  const ids = await foldersAsked(world, request.project);
  const names = await repositoryNames(world);
  const rows: { row: HistoryRow; key: string }[] = [];
  for (const projectId of ids) {
    const projectName = names.get(projectId) ?? projectId;
    const events = await world.archive.history(projectId);
    events.forEach((event, index) => {
      const key = `${event.at}\u0000${projectId}\u0000${String(index).padStart(9, '0')}`;
      rows.push({ row: { projectId, projectName, ...event, ...eventAuthor(event) }, key });
    });
  }
  const { items, next } = page(rows, ({ key }) => key, request);
  return { items: items.map(({ row }) => row), next };
}
