import { isSameConcept } from '../../core/layers/concepts/same-concept.ts';
import type { Concept } from '../../core/model/concept.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** A concept as one folder has it. */
export type ConceptPart = { projectId: ProjectId; id: string; exchanges: string[]; sessions: string[] };

export type ConceptRow = Concept & {
  projectId: ProjectId;
  projectName: string;
  /** Why it may no longer hold in the checkout as it is. */
  stale?: string;
  /** Where several folders of the project have it: each with its own id and exchanges. */
  parts?: ConceptPart[];
};

/** Concepts as their projects have them: what several folders of a project have under a like name, or of the same files, is one. */
export async function joinConcepts(world: World, rows: ConceptRow[]): Promise<ConceptRow[]> {
  const owners = new Map<string, { key: string; name: string }>(
    (await allRepositories(world)).flatMap(({ key, name, folders }) =>
      folders.map(({ projectId }) => [projectId, { key, name }] as const),
    ),
  );
  const joined = new Map<string, ConceptRow[]>();
  for (const row of rows) {
    const owner = owners.get(row.projectId);
    const named = { ...row, projectName: owner?.name ?? row.projectName };
    const key = owner?.key ?? row.projectId;
    const known = joined.get(key) ?? [];
    joined.set(key, known);
    const at = known.findIndex((one) => isOfOther(one, row.projectId) && isSameConcept(one, named));
    if (at === -1) known.push(named);
    else known[at] = both(known[at]!, named);
  }
  return [...joined.values()].flat();
}

/** Concepts of one folder were already separated when they were made. */
function isOfOther(row: ConceptRow, project: ProjectId): boolean {
  return partsOf(row).every(({ projectId }) => projectId !== project);
}

/** The concept in each folder that has it. */
export function partsOf({ parts, projectId, id, exchanges, sessions }: ConceptRow): ConceptPart[] {
  return parts ?? [{ projectId, id, exchanges, sessions }];
}

function both(a: ConceptRow, b: ConceptRow): ConceptRow {
  const all = (of: (row: ConceptRow) => string[] | undefined) => [
    ...new Set([...(of(a) ?? []), ...(of(b) ?? [])]),
  ];
  const by = all((row) => row.by).sort();
  return {
    ...a,
    exchanges: all((row) => row.exchanges),
    files: all((row) => row.files),
    keywords: all((row) => row.keywords),
    sessions: all((row) => row.sessions),
    updated: a.updated > b.updated ? a.updated : b.updated,
    ...(a.edited || b.edited ? { edited: true } : {}),
    ...(by.length > 0 ? { by } : {}),
    parts: [...partsOf(a), ...partsOf(b)],
  };
}
