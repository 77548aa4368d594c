import type { FactEdit } from '../../core/model/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { isPlainStatement } from '../../core/team/injectable.ts';
import { type TeamFact, teamFacts } from '../../core/team/team-facts.ts';
import { foldersAsked } from '../find/project.ts';
import { findFact, ME } from '../layers/facts.ts';
import { storeFactEdit, takeStamp } from '../layers/facts-edit.ts';
import type { World } from '../world.ts';

/** An offer with the project it is of. */
export type TeamFactRow = TeamFact & {
  projectId: ProjectId;
  projectName: string;
  /** It speaks to an agent, or is no plain statement: it is never injected. */
  isHeldBack: boolean;
};

/** What members offered, newest first; with `waiting` only what this user could decide. */
export async function listTeamFacts(
  world: World,
  { project, waiting }: { project?: string; waiting?: boolean } = {},
): Promise<TeamFactRow[]> {
  const rows: TeamFactRow[] = [];
  for (const folder of await foldersAsked(world, project)) {
    const manifest = (await world.archive.open(folder))?.manifest;
    if (!manifest) continue;
    for (const fact of teamFacts(manifest.factEdits ?? []))
      rows.push({
        ...fact,
        projectId: folder,
        projectName: manifest.displayName,
        isHeldBack: !isPlainStatement(fact.content),
      });
  }
  const once = [...new Map(rows.map((row) => [row.id, row])).values()];
  return waiting ? once.filter((row) => row.author !== '' && row.state === 'offered') : once;
}

/** Offers a fact of this user's to the team. It leaves with the next sync of a remote that its project is shared with. */
export async function promoteFact(world: World, id: string, project?: string): Promise<TeamFactRow> {
  const fact = await findFact(world, id, project);
  if (fact.by !== ME)
    throw new Fault('usage', `${fact.id} belongs to ${fact.by}; only they can offer it.`, {
      hint: `Make it yours first: keepsake facts confirm ${fact.id}`,
    });
  if (fact.kind === 'candidate')
    throw new Fault('usage', `${fact.id} is not a fact yet.`, {
      hint: `Confirm it first: keepsake facts confirm ${fact.id}`,
    });
  const before = (await listTeamFacts(world, project === undefined ? {} : { project })).find(
    (row) => row.author === '' && row.factId === fact.id && row.content === fact.content,
  );
  // The same words are the same offer.
  if (before) return before;
  const base = await takeStamp(world, { folders: fact.folders, factId: fact.id, by: 'user' });
  const edit: FactEdit = { ...base, action: 'promote', kind: fact.kind, content: fact.content };
  await storeFactEdit(world, fact.projectId, edit);
  return findOffer(world, edit.editId, project);
}

export type TeamVerdict =
  | { verdict: 'accept' | 'refuse'; note?: string }
  | { verdict: 'correct'; content: string; note?: string };

/** Decides about an offer of a colleague. It is said to the others with the next sync. */
export async function reviewOffer(
  world: World,
  id: string,
  decided: TeamVerdict,
  project?: string,
): Promise<TeamFactRow> {
  const offer = await findOffer(world, id, project);
  if (offer.author === '')
    throw new Fault('usage', "You can't review your own offer; another member has to.", {
      hint: '`keepsake facts forget` withdraws a fact.',
    });
  const base = await takeStamp(world, { folders: [offer.projectId], factId: offer.factId, by: 'user' });
  await storeFactEdit(world, offer.projectId, { ...base, action: 'team-review', of: offer.id, ...decided });
  return findOffer(world, offer.id, project);
}

async function findOffer(world: World, id: string, project?: string): Promise<TeamFactRow> {
  const rows = await listTeamFacts(world, project === undefined ? {} : { project });
  const found = rows.filter((row) => row.id === id || row.factId === id || row.id.startsWith(id));
  const [row, ...others] = found;
  if (row && others.length === 0) return row;
  if (row)
    throw new Fault('ambiguous', `${id} matches several offers.`, {
      choices: found.map((it) => ({ id: it.id, name: it.content.slice(0, 80) })),
      hint: 'Give the full id of one of them.',
    });
  throw new Fault('not-found', `No offer ${id}.`, { hint: '`keepsake facts team` lists them.' });
}
