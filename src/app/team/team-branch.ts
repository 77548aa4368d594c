import { claimedName } from '../../core/model/author-name.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { type PageFact, readTeamPage, TEAM_PAGE, teamPage } from '../../core/team/team-page.ts';
import type { GitBranches } from '../../ports/git-branches.ts';
import { projectFor, storeFactEdit, takeStamp } from '../layers/facts-edit.ts';
import { repositoryAt, repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';
import { listTeamFacts, type TeamFactRow } from './team-facts.ts';

export const TEAM_BRANCH = 'keepsake/team-facts';
const GIT = 'git ';

export type BranchRequest = { project?: string; branch?: string };
export type TeamExport = {
  branch: string;
  path: string;
  commit: string;
  /** False: the branch says all of it already. */
  isNew: boolean;
  facts: number;
  /** They speak to an agent or are no plain statement: agents read the files of a repository, too. */
  heldBack: string[];
};

/** Writes what the team offered and nobody refused to a branch of the project's repository, for a pull request. */
export async function exportTeamFacts(world: World, request: BranchRequest): Promise<TeamExport> {
  const { branches, folder, project, name } = await placeOf(world, request);
  const rows = (await listTeamFacts(world, { project })).filter(({ state }) => state !== 'refused');
  const facts = rows.filter(({ isHeldBack }) => !isHeldBack);
  const heldBack = rows.filter(({ isHeldBack }) => isHeldBack).map(({ content }) => content);
  if (facts.length === 0)
    throw new Fault('not-found', 'No team facts to export.', {
      hint: '`keepsake facts promote ID` offers one of your facts to the team.',
    });
  const { branch = TEAM_BRANCH } = request;
  const content = teamPage(name, facts, (await branches.userName(folder)) ?? 'unknown');
  const message = `docs: team facts of ${name}`;
  const done = await branches.commitFile(folder, { branch, path: TEAM_PAGE, content, message });
  return { branch, path: TEAM_PAGE, ...done, facts: facts.length, heldBack };
}

export type TeamImport = {
  branch: string;
  commit: string;
  /** Offers that were not known here, offers that the branch accepted, said better or took out. */
  added: number;
  accepted: number;
  corrected: number;
  removed: number;
  refused: string[];
  unknown: number;
};

/**
 * Reads facts back. What is in the branch that pull requests go to was reviewed there: it counts as accepted, with the branch
 * as its reviewer. From another branch facts come as offers.
 */
export async function importTeamFacts(world: World, request: BranchRequest): Promise<TeamImport> {
  const { branches, folder, project } = await placeOf(world, request);
  const main = await branches.mainBranch(folder);
  const branch = request.branch ?? main;
  if (branch === undefined)
    throw new Fault('usage', 'Missing branch: the target branch of pull requests is unknown.', {
      hint: 'Give it with --branch.',
    });
  const file = await branches.readFile(folder, branch, TEAM_PAGE);
  if (!file)
    throw new Fault('not-found', `${branch} has no ${TEAM_PAGE}.`, {
      hint: `\`keepsake team export --to git\` writes one. Merge its branch, or import from that branch: \`keepsake team import --from git --branch ${TEAM_BRANCH}\`.`,
    });
  const { facts, refused, unknown } = readTeamPage(file.content);
  const { commit } = file;
  const done: TeamImport = {
    branch,
    commit,
    added: 0,
    accepted: 0,
    corrected: 0,
    removed: 0,
    refused,
    unknown,
  };
  const known = new Map((await listTeamFacts(world, { project })).map((row) => [row.id, row]));
  const reviewer = GIT + branch;
  for (const fact of new Map(facts.map((it) => [it.id, it])).values()) {
    const before = known.get(fact.id);
    if (!before) {
      await storeFactEdit(world, project, await offerOf(world, project, fact));
      done.added++;
    }
    if (branch !== main || isAgreed(before, fact)) continue;
    const words = before?.content ?? fact.content;
    const verdict =
      words === fact.content
        ? { verdict: 'accept' as const }
        : { verdict: 'correct' as const, content: fact.content };
    await storeFactEdit(world, project, await reviewOf(world, project, { fact, reviewer, ...verdict }));
    done[verdict.verdict === 'accept' ? 'accepted' : 'corrected']++;
  }
  // Taken out of the page: who accepted it there does so no longer.
  const listed = new Set(facts.map(({ id }) => id));
  for (const row of branch === main ? known.values() : []) {
    if (listed.has(row.id) || row.state !== 'accepted' || !row.reviewer?.startsWith(GIT)) continue;
    const note = `no longer in ${branch}`;
    await storeFactEdit(
      world,
      project,
      await reviewOf(world, project, { fact: row, reviewer, verdict: 'refuse', note }),
    );
    done.removed++;
  }
  return done;
}

/** This user's own decision counts before that of a branch. */
function isAgreed(before: TeamFactRow | undefined, { content }: PageFact): boolean {
  if (!before) return false;
  return before.reviewer === '' || (before.state === 'accepted' && before.content === content);
}

type FactRef = Pick<PageFact, 'id' | 'factId'>;
type Said = { fact: FactRef; reviewer: string; note?: string } & (
  | { verdict: 'accept' | 'refuse' }
  | { verdict: 'correct'; content: string }
);

async function offerOf(world: World, project: ProjectId, fact: PageFact): Promise<FactEdit> {
  const base = await takeStamp(world, {
    folders: [project],
    factId: fact.factId,
    by: 'user',
    at: fact.offeredAt,
  });
  const author = claimedName(fact.author, 'unknown');
  return { ...base, editId: fact.id, author, action: 'promote', kind: fact.kind, content: fact.content };
}

async function reviewOf(
  world: World,
  project: ProjectId,
  { fact, reviewer, ...said }: Said,
): Promise<FactEdit> {
  const base = await takeStamp(world, { folders: [project], factId: fact.factId, by: 'user' });
  const editId = `fe_${shortHash(JSON.stringify([fact.id, reviewer, said, base.hlc]), 12)}`;
  return { ...base, editId, author: reviewer, action: 'team-review', of: fact.id, ...said };
}

type Place = { branches: GitBranches; folder: string; project: ProjectId; name: string };

/** The checkout of the project that is meant. */
async function placeOf(world: World, { project: asked }: BranchRequest): Promise<Place> {
  if (!world.branches) throw new Fault('internal', 'Git branches are not available here.');
  const project = await projectFor(world, asked);
  const { folders, name } = await repositoryOf(world, project);
  const paths = [world.places.cwd, ...folders.map(({ originalPath }) => originalPath)];
  for (const [at, folder] of paths.entries()) {
    const checkout = folder === '' ? undefined : await world.git.checkout(folder);
    if (!checkout) continue;
    // The current folder may belong to another repository, or to this one without a session of its own.
    const isIts = at > 0 || folders.some(({ originalPath }) => isWithin(checkout.top, originalPath));
    const found = isIts ? undefined : await repositoryAt(world, checkout.top);
    if (isIts || found?.folders.some(({ projectId }) => projectId === project))
      return { branches: world.branches, folder: checkout.top, project, name };
  }
  throw new Fault('not-found', `${name} has no git checkout on this machine.`, {
    hint: 'Run the command in a checkout of the repository.',
  });
}

function isWithin(top: string, path: string): boolean {
  return path === top || path.startsWith(`${top}/`);
}
