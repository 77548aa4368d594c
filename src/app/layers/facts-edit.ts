import { hitId, statementId } from '../../core/layers/facts/ids.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { redact } from '../../core/text/redact.ts';
import { editStamp } from '../edit-records.ts';
import { projectHere } from '../find/locate-project.ts';
import { findProject } from '../find/project.ts';
import { refuseUnrecorded } from '../find/recording.ts';
import type { World } from '../world.ts';
import { allFacts, type FactRow, findFact, ME } from './facts.ts';
import { updateLayers } from './update.ts';

const LONGEST = 2000;

/** Who decides about a fact: this user, the agent at work, or a model that was asked to look over the facts. */
export type Decider = 'user' | 'assistant' | 'model';

export type NewFact = {
  content: string;
  kind?: Extract<FactEdit, { action: 'add' }>['kind'];
  project?: string;
  /** An agent's word is stored as its own and makes no rule until the user confirms it. */
  by?: Decider;
};

/** Remembers something that was stated outright. */
export async function addFact(world: World, fact: NewFact): Promise<FactRow> {
  const project = await projectFor(world, fact.project);
  await refuseUnrecorded(world, { project });
  const content = cleaned(fact.content);
  const kind = fact.kind ?? 'rule';
  const factId = statementId(kind, content);
  const base = await takeStamp(world, { folders: [project], factId, by: fact.by ?? 'user' });
  await storeFactEdit(world, project, { ...base, action: 'add', kind, content });
  return now(world, project, factId, content);
}

export type Settlement =
  | { action: 'confirm' | 'keep' | 'forget' }
  | { action: 'correct'; content: string }
  | { action: 'contradict' | 'reject'; note: string };

/** What a user or an agent decides about a fact. The fact as it is then; undefined once it is forgotten. */
export async function settleFact(
  world: World,
  id: string,
  settlement: Settlement,
  { project, by = 'user' }: { project?: string; by?: Decider } = {},
): Promise<{ before: FactRow; after?: FactRow }> {
  const before = await findFact(world, id, project);
  if (before.by !== ME && isAdopting(settlement)) return adopt(world, before, settlement, by);
  await settleCopies(world, before, settlement, by);
  if (settlement.action === 'forget' || settlement.action === 'reject') return { before };
  return { before, after: await now(world, before.projectId, before.id, before.content) };
}

/** In every folder that has it, in whatever words. */
async function settleCopies(world: World, fact: FactRow, settlement: Settlement, by: Decider): Promise<void> {
  const ids = new Map([[fact.id, fact.folders]]);
  for (const { projectId, id } of fact.sameAs ?? []) ids.set(id, [...(ids.get(id) ?? []), projectId]);
  // One time for all: they are undone together, too.
  const at = world.clock.now();
  for (const [id, folders] of ids) {
    const base = await takeStamp(world, { folders: fact.folders, factId: id, by, at });
    const edit = editOf(base, settlement, fact);
    for (const folder of folders) await storeFactEdit(world, folder, edit);
  }
}

type EditBase = Awaited<ReturnType<typeof takeStamp>>;

function editOf(base: EditBase, settlement: Settlement, { sources }: FactRow): FactEdit {
  switch (settlement.action) {
    case 'correct':
      return { ...base, action: 'correct', content: cleaned(settlement.content) };
    case 'contradict':
      return { ...base, action: 'contradict', note: cleaned(settlement.note) };
    case 'reject':
      return rejection(base, settlement.note, sources);
    default:
      return { ...base, action: settlement.action };
  }
}

/** That something is not true, with the messages that say it. */
function rejection(
  base: EditBase,
  note: string,
  said: readonly { sessionId: string; src: number }[],
): FactEdit {
  const places = said
    .filter(({ sessionId }) => sessionId !== '')
    .map(({ sessionId, src }) => ({ sessionId, src }));
  const from = places[0]?.sessionId;
  const why = note.trim() === '' ? '' : cleaned(note);
  return { ...base, action: 'reject', note: why, places, ...(from === undefined ? {} : { from }) };
}

function isAdopting({ action }: Settlement): boolean {
  return action === 'confirm' || action === 'keep' || action === 'correct';
}

/** A fact of someone else becomes one of this user's own: it is stated again, and whose it was stays in the history. */
async function adopt(
  world: World,
  before: FactRow,
  settlement: Settlement,
  by: Decider,
): Promise<{ before: FactRow; after: FactRow }> {
  const content = cleaned(settlement.action === 'correct' ? settlement.content : before.content);
  const kind = isStated(before.kind) ? before.kind : 'fact';
  const project = before.projectId;
  const after = await addFact(world, { content, kind, project, by });
  // In other words it would be listed beside the new one.
  if (after.id !== before.id) await settleCopies(world, before, { action: 'forget' }, by);
  return { before, after };
}

function isStated(kind: FactRow['kind']): kind is NonNullable<NewFact['kind']> {
  return kind !== 'solution' && kind !== 'core_logic' && kind !== 'candidate';
}

export async function storeFactEdit(world: World, project: ProjectId, edit: FactEdit): Promise<void> {
  const words = 'content' in edit && edit.content !== undefined ? `: ${edit.content.slice(0, 120)}` : '';
  await world.archive.change(
    project,
    [{ at: ['factEdits'], append: edit, unique: 'editId' }],
    [{ at: edit.at, action: 'fact', note: `${NOTE[edit.action]} ${edit.factId}${words}`, details: { edit } }],
  );
  await updateLayers(world, project);
}

/** How often a fact that was just written is looked for. */
const LOOKS = 5;

const NOTE = {
  add: 'Added',
  confirm: 'Confirmed',
  correct: 'Corrected',
  forget: 'Forgot',
  reject: 'Rejected',
  keep: 'Kept after a review',
  contradict: 'Contradicted',
  undo: 'Undid the last edit of',
  promote: 'Offered to the team',
  'team-review': 'Reviewed for the team',
} as const satisfies Record<FactEdit['action'], string>;

/** As it is after an edit. It may go by another id now: that of the words it was first said in. */
async function now(world: World, project: ProjectId, id: string, content: string): Promise<FactRow> {
  for (let look = 0; look < LOOKS; look++) {
    // Someone else may just have put older facts in their place, or taken them away to rebuild them.
    if (look > 0) await updateLayers(world, project);
    const rows = await allFacts(world, project);
    const own = rows.filter(({ by }) => by === ME);
    const row =
      [...own, ...rows].find((it) => it.id === id || it.sameAs?.some((copy) => copy.id === id)) ??
      rows.find((it) => it.content === content);
    if (row) return row;
  }
  throw new Fault('not-found', `The fact ${id} no longer exists.`, {
    hint: '`keepsake facts` lists them.',
  });
}

const VIA = { user: 'typed', assistant: 'agent', model: 'model' } as const;

type Edited = { folders: ProjectId[]; factId: string; by: Decider; at?: string };

export async function takeStamp(world: World, { folders, factId, by, at = world.clock.now() }: Edited) {
  const { hlc, device } = await editStamp(world, folders);
  const editId = `fe_${shortHash(`${at}\0${factId}\0${by}\0${hlc}\0${device}`, 12)}`;
  const whose = by === 'user' ? ('user' as const) : ('assistant' as const);
  return { editId, at, factId, by: whose, hlc, device, via: VIA[by] };
}

/** The project that is named, else the one of this folder. */
export async function projectFor(world: World, named?: string): Promise<ProjectId> {
  const project = named === undefined ? await projectHere(world) : await findProject(world, named);
  if (project !== undefined) return project;
  const hasFolder = world.places.cwd !== '';
  throw new Fault('usage', hasFolder ? 'No project is known for this folder.' : 'Missing project.', {
    hint: 'Give it with --project; `keepsake projects` lists them.',
  });
}

function cleaned(text: string): string {
  const plain = redact(text.replace(/\s+/g, ' ').trim()).text;
  if (!/[\p{L}\p{N}]/u.test(plain))
    throw new Fault('usage', 'The text is empty.', { hint: 'Give a sentence.' });
  if (plain.length > LONGEST)
    throw new Fault('usage', `A fact has at most ${LONGEST} characters.`, {
      hint: 'Shorten it to one or two sentences.',
    });
  return plain;
}

/** A message of a session, by the byte of its line in the original. */
export type SaidAt = { project: ProjectId; sessionId: string; src: number };

/** Marks a found message as not true: no layer states it, and searches mark it. Returns the id for `undoFact`. */
export async function rejectMessage(
  world: World,
  { project, sessionId, src }: SaidAt,
  note: string,
): Promise<{ id: string }> {
  const { manifest } = (await world.archive.open(project)) ?? {};
  if (!manifest || !Object.hasOwn(manifest.sessions, sessionId))
    throw new Fault('not-found', `No session ${JSON.stringify(sessionId.slice(0, 60))} in this project.`, {
      hint: '`keepsake sessions` lists them.',
    });
  await refuseUnrecorded(world, { project });
  const factId = hitId(sessionId, src);
  const base = await takeStamp(world, { folders: [project], factId, by: 'user' });
  await storeFactEdit(world, project, rejection(base, note, [{ sessionId, src }]));
  return { id: factId };
}
