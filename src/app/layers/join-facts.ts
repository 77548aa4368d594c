import { factWords } from '../../core/layers/facts/fact-words.ts';
import type { Fact, FactSource } from '../../core/model/fact.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { allRepositories } from '../repository/repositories.ts';
import type { World } from '../world.ts';

/** A fact as one folder has it. */
export type FactCopy = { projectId: ProjectId; id: string };

/** What a fact needs to be one with that of another folder. */
type FolderFact = Fact & {
  kind: string;
  content: string;
  problem?: string;
  feature?: string;
  /** What others say is never one with what this user says. */
  by: string;
  projectId: ProjectId;
  folders: ProjectId[];
  /** Under other ids: in slightly other words. */
  sameAs?: FactCopy[];
  projectName: string;
  review: boolean;
  files?: string[];
};

/**
 * Facts as their projects have them: one that several folders of a project have, in the same words or nearly so, is one, with
 * the sources of all.
 */
export async function joinFacts<T extends FolderFact>(world: World, rows: T[]): Promise<T[]> {
  const repositories = await allRepositories(world);
  const owners = new Map<string, { key: string; name: string; rank: number }>(
    repositories.flatMap(({ key, name, folders }) =>
      folders.map(({ projectId }, rank) => [projectId, { key, name, rank }] as const),
    ),
  );
  const rankOf = (row: T) => owners.get(row.projectId)?.rank ?? 0;
  const joined = new Map<string, T>();
  for (const row of [...rows].sort((a, b) => rankOf(a) - rankOf(b))) {
    const owner = owners.get(row.projectId);
    const named = { ...row, projectName: owner?.name ?? row.projectName };
    const key = `${owner?.key ?? row.projectId}\0${row.by}\0${row.kind}\0${saying(row)}`;
    const known = joined.get(key);
    joined.set(key, known ? both(known, named) : named);
  }
  return [...joined.values()];
}

function saying({ id, content, problem, feature }: FolderFact): string {
  return problem === undefined && feature === undefined ? factWords(content) : id;
}

/** The surer one, with what speaks for and against either. It is stored with the first. */
function both<T extends FolderFact>(a: T, b: T): T {
  const [best, other] = b.confidence > a.confidence ? [b, a] : [a, b];
  return {
    ...best,
    projectId: a.projectId,
    folders: [...new Set([...a.folders, ...b.folders])],
    ...sameAs(best, other),
    contradictions: Math.max(a.contradictions, b.contradictions),
    last_validated: a.last_validated > b.last_validated ? a.last_validated : b.last_validated,
    validatedByUser: a.validatedByUser || b.validatedByUser,
    review: a.review || b.review,
    sources: each([...best.sources, ...other.sources]),
    against: each([...best.against, ...other.against]),
    ...(a.files || b.files ? { files: [...new Set([...(best.files ?? []), ...(other.files ?? [])])] } : {}),
  };
}

/** Every copy that goes by another id than the best one's. */
function sameAs(best: FolderFact, other: FolderFact): Pick<FolderFact, 'sameAs'> {
  const own = other.id === best.id ? [] : other.folders.map((projectId) => ({ projectId, id: other.id }));
  const copies = [...(best.sameAs ?? []), ...own, ...(other.sameAs ?? [])];
  return copies.length === 0 ? {} : { sameAs: copies.filter(({ id }) => id !== best.id) };
}

function each(sources: FactSource[]): FactSource[] {
  return [
    ...new Map(
      sources.map((it) => [JSON.stringify([it.sessionId, it.exchange, it.messageUuid, it.excerpt]), it]),
    ).values(),
  ];
}
