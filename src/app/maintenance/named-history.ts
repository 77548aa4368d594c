import type { ProjectId } from '../../core/model/ids.ts';
import { type HistoryRow, readHistory } from '../find/history.ts';
import { allFacts, listFacts } from '../layers/facts.ts';
import type { Page, PageRequest } from '../page.ts';
import type { World } from '../world.ts';

/** With the words of the fact that was edited, where it still exists. */
export type NamedHistoryRow = HistoryRow & { fact?: string };

/** The history for people: an edit that has only the id of a fact gets the fact's words. */
export async function readNamedHistory(
  world: World,
  request: PageRequest & { project?: string } = {},
): Promise<Page<NamedHistoryRow>> {
  const { items, next } = await readHistory(world, request);
  const known = new Map<ProjectId, Promise<Map<string, string>>>();
  const named = items.map(async (row): Promise<NamedHistoryRow> => {
    const id = editedFact(row);
    if (id === undefined) return row;
    const facts = known.get(row.projectId) ?? factsOf(world, row.projectId);
    known.set(row.projectId, facts);
    const fact = (await facts).get(id);
    return fact === undefined ? row : { ...row, fact };
  });
  return { items: await Promise.all(named), next };
}

/** The id of a fact that an edit was about without repeating its words. */
function editedFact({ action, details }: HistoryRow): string | undefined {
  const edit = details?.edit as { factId?: unknown; content?: unknown } | undefined;
  return action === 'fact' && typeof edit?.factId === 'string' && edit.content === undefined
    ? edit.factId
    : undefined;
}

const MOST_REJECTED = 1000;

async function factsOf(world: World, project: ProjectId): Promise<Map<string, string>> {
  const rejected = await listFacts(world, { project, rejected: true, limit: MOST_REJECTED });
  const rows = [...rejected.items, ...(await allFacts(world, project))];
  const named = rows.flatMap(({ id, sameAs = [], content }) =>
    [id, ...sameAs.map((it) => it.id)].map((one): [string, string] => [one, content]),
  );
  return new Map(named);
}
