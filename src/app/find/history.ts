import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { ifReadable } from '../if-readable.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import type { World } from '../world.ts';
import { findProject } from './project.ts';

export type HistoryRow = HistoryEvent & { projectId: ProjectId; projectName: string };

/** What was done to the memory, newest first, in all projects or in one. */
export async function readHistory(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<HistoryRow>> {
  const ids =
    request.project === undefined
      ? await world.archive.projects()
      : [await findProject(world, request.project)];
  const rows: { row: HistoryRow; key: string }[] = [];
  for (const projectId of ids) {
    const projectName = (await ifReadable(world.archive.head(projectId)))?.displayName ?? projectId;
    const events = await world.archive.history(projectId);
    events.forEach((event, index) => {
      const key = `${event.at}\u0000${projectId}\u0000${String(index).padStart(9, '0')}`;
      rows.push({ row: { projectId, projectName, ...event }, key });
    });
  }
  const { items, next } = page(rows, ({ key }) => key, request);
  return { items: items.map(({ row }) => row), next };
}
