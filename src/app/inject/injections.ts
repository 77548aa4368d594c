import { type InjectionUse, useOf } from '../../core/inject/was-used.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Injection } from '../../core/model/injection.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { type InjectionDay, injectionDays } from '../../core/stats/injection-days.ts';
import { openFolders, openProjects } from '../find/projects.ts';
import { readL1 } from '../find/read-l1.ts';
import { ifReadable } from '../or-fault.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import type { World } from '../world.ts';
import { unhelpfulInjections } from './injection-feedback.ts';
import { readInjections } from './injection-log.ts';

export type InjectionRow = Injection & {
  projectId: ProjectId;
  /** Of the session that got it; empty if it is not archived. */
  title: string;
  /** The user said that it did not help. */
  unhelpful: boolean;
  /** What the session took up of it; absent where the session is not archived. */
  use?: InjectionUse;
};

export type InjectionList = Page<InjectionRow> & {
  total: number;
  tokens: number;
  /** Injections whose session is archived, and those of them that it used. */
  known: number;
  used: number;
  /** Tokens by day and by when they were added. */
  days: InjectionDay[];
  /** The most tokens that may be added each time. */
  budgets: Record<Injection['on'], number>;
};

export type InjectionsRequest = PageRequest & { project?: string; session?: string };

/** What hooks added to conversations, newest first, and whether it was used. */
export async function listInjections(world: World, request: InjectionsRequest = {}): Promise<InjectionList> {
  const manifests =
    request.project === undefined ? await openProjects(world) : await openFolders(world, request.project);
  const folders = manifests.map(({ projectId }) => projectId);
  const unhelpful = await unhelpfulInjections(world, folders);
  const sessions = new Map(
    manifests.flatMap(({ projectId, sessions }) =>
      Object.values(sessions).map(
        (record) => [record.sessionId as string, { ...record, projectId }] as const,
      ),
    ),
  );
  const found = (await readInjections(world, folders)).filter(
    ({ session }) => request.session === undefined || session.startsWith(request.session),
  );
  const rows: InjectionRow[] = [];
  for (const { project: projectId, ...injection } of found) {
    const record = sessions.get(injection.session);
    const lines = record && (await ifReadable(readL1(world, record), world.report));
    rows.push({
      ...injection,
      projectId,
      title: (record && sessionTitle(record)?.trim()) ?? '',
      unhelpful: unhelpful.has(injection.id),
      ...(lines === undefined ? {} : { use: useOf(injection.text, injection.at, lines) }),
    });
  }
  const { hooks } = (
    await world.settings.resolve(request.project === undefined ? undefined : manifests[0]?.settings)
  ).config;
  const known = rows.filter(({ use }) => use !== undefined);
  return {
    ...page(rows.reverse(), ({ at, id }) => `${at} ${id}`, request),
    total: rows.length,
    tokens: rows.reduce((sum, { tokens }) => sum + tokens, 0),
    known: known.length,
    used: known.filter(({ use }) => isUsed(use)).length,
    days: injectionDays(rows, (time) => world.clock.local(time).slice(0, 10)),
    budgets: {
      start: hooks.startTokens,
      prompt: hooks.promptTokens,
      action: hooks.actionTokens,
      compaction: hooks.compactTokens,
    },
  };
}

export function isUsed(use: InjectionUse | undefined): boolean {
  return use !== undefined && use.files.length + use.words.length > 0;
}
