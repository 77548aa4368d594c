import { compositionContentId } from '../../core/bundle/content-id.ts';
import { isSameName } from '../../core/compose/composition-name.ts';
import type { ComposedContextRecord, CompositionComponent } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { openFolders, openProjects } from '../find/projects.ts';
import { nearest } from '../nearest.ts';
import { type Page, type PageRequest, page } from '../page.ts';
import { repositoryNames } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { readComposed, removeComposed } from './files.ts';

export type CompositionRow = ComposedContextRecord & {
  projectId: ProjectId;
  projectName: string;
  /** The same in every archive that has it; the name belongs to this archive. */
  contentId: string;
};

/** Compositions of all projects or of one, newest first. */
export async function listCompositions(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<CompositionRow> & { total: number }> {
  const rows = await allCompositions(world, request.project);
  return {
    ...page(rows, (row) => `${row.createdAt}\u0000${row.compositionId}`, request),
    total: rows.length,
  };
}

async function allCompositions(world: World, project: string | undefined): Promise<CompositionRow[]> {
  const manifests = project === undefined ? await openProjects(world) : await openFolders(world, project);
  const names = await repositoryNames(world);
  return manifests.flatMap((manifest) =>
    Object.values(manifest.compositions).map((record) => ({
      ...record,
      contentId: compositionContentId(record),
      usedInSessions: [...new Set(record.usedInSessions)],
      projectId: manifest.projectId,
      projectName: names.get(manifest.projectId) ?? manifest.displayName,
    })),
  );
}

/** By its name, its id, or the beginning of its id. */
export async function findComposition(world: World, text: string, project?: string): Promise<CompositionRow> {
  const rows = await allCompositions(world, project);
  const ways = [
    (row: CompositionRow) => row.name === text || row.compositionId === text || row.contentId === text,
    (row: CompositionRow) => isSameName(row.name, text),
    (row: CompositionRow) => text.length >= 6 && row.compositionId.startsWith(text),
  ];
  const found = ways.map((fits) => rows.filter(fits)).find((it) => it.length > 0) ?? [];
  if (found.length > 1)
    throw new Fault(
      'ambiguous',
      `${found.length} projects have a composition named ${JSON.stringify(text)}.`,
      {
        hint: `Choose one:\n${found.map((row) => `  --project=${row.projectId}`).join('\n')}`,
        choices: found.map(({ projectId, projectName }) => ({ projectId, name: projectName })),
      },
    );
  const [row] = found;
  if (row) return row;
  const near = nearest(text, new Set(rows.map(({ name }) => name)));
  throw new Fault('not-found', `No composition ${JSON.stringify(text.slice(0, 80))}.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`keepsake compositions` lists them.',
  });
}

export type CompositionDetails = {
  record: CompositionRow;
  markdown: string | undefined;
  jsonl: string | undefined;
  /** What it was made from and is no longer there: sentences. */
  gone: string[];
};

/** A composition with its own text, and what of its sources is gone since. */
export async function showComposition(world: World, row: CompositionRow): Promise<CompositionDetails> {
  const project = row.projectId;
  const markdown = await readComposed(world, project, row, 'md');
  const jsonl = await readComposed(world, project, row, 'jsonl');
  const manifests = new Map(
    (await openProjects(world)).map((manifest) => [manifest.projectId as string, manifest]),
  );
  const gone = row.components.flatMap((component) =>
    whatIsGone(component, manifests.get(component.projectId ?? row.projectId)),
  );
  const files = row.request?.outputFormat ?? 'both';
  if (!markdown && files !== 'jsonl') gone.push('Its file composed.md no longer exists.');
  if (!jsonl && files !== 'markdown') gone.push('Its file composed.jsonl no longer exists.');
  for (const { sessionId, file } of row.resumed ?? [])
    if ((await world.transcripts.inspect(file)) === undefined)
      gone.push(
        `The session file ${sessionId} for \`claude --resume\` no longer exists. Create another one: keepsake compositions reuse ${JSON.stringify(row.name)} --resume`,
      );
  return { record: row, markdown: markdown?.toString('utf8'), jsonl: jsonl?.toString('utf8'), gone };
}

function whatIsGone(
  { sessionId, versionId }: CompositionComponent,
  manifest: Manifest | undefined,
): string[] {
  const record = manifest?.sessions[sessionId];
  if (!record) return [`Session ${sessionId} is no longer in the archive.`];
  const known = new Set(record.compressions.map((version) => version.versionId));
  return versionId
    .split('+')
    .filter((id) => /^part\d+_v\d+$/.test(id) && !known.has(id))
    .map((id) => `${id} of ${sessionId} was deleted; this composition keeps its text.`);
}

/** Its record first: a kill leaves files that nothing names. `isPurge`: it goes with a session, and may come back with it. */
export async function deleteComposition(
  world: World,
  row: CompositionRow,
  { isPurge = false } = {},
): Promise<void> {
  const project = row.projectId;
  const at = world.clock.now();
  const deleted = { deleted: row.compositionId, deletedContent: row.contentId };
  const details = { composition: row.name, ...(isPurge ? {} : deleted) };
  await world.archive.change(
    project,
    [{ at: ['compositions', row.name], drop: true }],
    [{ at, action: 'compose', note: `${row.name}: deleted`, details }],
  );
  await removeComposed(world, project, row.name);
}

/** Ids of the compositions that the user deleted, and of their content, by the history. */
export function deletedCompositions(events: readonly HistoryEvent[]): Set<string> {
  return new Set(
    events.flatMap(({ action, details = {} }) =>
      action === 'compose'
        ? [details.deleted, details.deletedContent].filter((id) => typeof id === 'string')
        : [],
    ),
  );
}
