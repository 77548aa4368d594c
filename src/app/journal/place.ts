import { Fault } from '../../core/model/fault.ts';
import { type ProjectId, shortHash } from '../../core/model/ids.ts';
import { fields, oneOf, text } from '../../core/model/shape.ts';
import type { ProjectFile } from '../../ports/project-files.ts';
import { isUnplaced, locateProject } from '../find/locate-project.ts';
import { makeProject } from '../find/make-project.ts';
import { findProject } from '../find/project.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { repositoryAt, repositoryOf } from '../repository/repositories.ts';
import type { World } from '../world.ts';

export const JOURNAL = '_memory';
const MARKER = `${JOURNAL}/.keepsake`;
const IGNORE = `${JOURNAL}/.gitignore`;
const RECORD = 'journal/state.json';
/** Files of a journal that are looked at. */
const MOST_FILES = 20_000;
const MOST_NAMED = 10;
const SCOPE = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

/** What an archive knows of a project's journal. `id` is in a file of the journal, too, which git never carries. */
type JournalRecord = { version: 1; id: string; approved?: { hash: string; at: string } };

export const JOURNAL_RECORD: StoredKind<JournalRecord> = {
  schema: fields({ version: oneOf(1), id: text }, { approved: fields({ hash: text, at: text }) }),
  format: ['version', 1],
  damaged: 'Keepsake does not trust the journal until you approve it again with --approve.',
};

/** A project's journal as it is. */
export type Journal = {
  project: ProjectId;
  /** The project's own folder. */
  root: string;
  /** It is in the archive. */
  known: boolean;
  /** `foreign`: made elsewhere, and not approved yet. */
  state: 'none' | 'ours' | 'foreign';
  /** Every file below `_memory/`, named relative to the project. */
  files: ProjectFile[];
};

type JournalPlace = Pick<Journal, 'project' | 'root' | 'known'>;

/** The journal of the project that is named, else of this folder or of one above it, else of this folder itself. */
export async function openJournal(world: World, named?: string): Promise<Journal> {
  const place = named === undefined ? await placeHere(world) : await placeOf(world, named);
  return inspectJournal(world, await homeOf(world, place));
}

/** The journal of a project whose folder is known. */
export async function inspectJournal(world: World, place: JournalPlace): Promise<Journal> {
  const files = await world.projectFiles.list(place.root, JOURNAL, MOST_FILES);
  const own = files.filter(({ name }) => name !== MARKER && name !== IGNORE);
  if (own.length === 0) return { ...place, state: 'none', files: own };
  const record = place.known
    ? (await readStored(world, place.project, RECORD, JOURNAL_RECORD)).value
    : undefined;
  const mark = record && (await world.projectFiles.read(place.root, MARKER, 100))?.toString('utf8').trim();
  return { ...place, state: record && mark === record.id ? 'ours' : 'foreign', files: own };
}

/**
 * Makes the journal this archive's own, before anything is written to it or quoted from it. One that came with a clone needs
 * the user's word, once: the agent will read it.
 */
export async function claimJournal(world: World, journal: Journal, approve = false): Promise<void> {
  if (journal.state === 'ours') return;
  if (journal.state === 'foreign' && !approve) throw foreignJournal(journal);
  refuseOddPlaces(world, journal.root);
  const { project, root } = journal;
  if (!journal.known) await makeProject(world, project, root, `Its journal: ${root}`);
  const record: JournalRecord = { version: 1, id: world.random.uuid() };
  if (journal.state === 'foreign') {
    record.approved = { hash: await hashOf(world, journal), at: world.clock.now() };
    const note = `Approved the journal in ${root}/${JOURNAL}`;
    await world.archive.change(
      project,
      [],
      [{ at: record.approved.at, action: 'journal', note, details: { approved: record.approved.hash } }],
    );
  }
  await world.archive.files.write(project, RECORD, `${JSON.stringify(record)}\n`);
  const ignored = (await world.projectFiles.read(root, IGNORE, 65_536))?.toString('utf8') ?? '';
  // The mark says that it was made here: it must not come along with a clone.
  if (!/^\.keepsake$/m.test(ignored))
    await world.projectFiles.write(
      root,
      IGNORE,
      `${ignored === '' ? '' : `${ignored.trimEnd()}\n`}.keepsake\n`,
    );
  await world.projectFiles.write(root, MARKER, `${record.id}\n`);
  journal.state = 'ours';
  journal.known = true;
}

/** `conversations/<id>.md` or `<scope>/conversations/<id>.md`, below the project. */
export function pageName(session: string, scope?: string): string {
  return `${folderOf(scope)}/conversations/${session}.md`;
}

export function masterName(scope?: string): string {
  return `${folderOf(scope)}/master.md`;
}

function folderOf(scope: string | undefined): string {
  if (scope === undefined) return JOURNAL;
  if (!SCOPE.test(scope) || scope.toLowerCase() === 'conversations')
    throw new Fault('usage', `${JSON.stringify(scope.slice(0, 60))} is not a valid scope name.`, {
      hint: 'Use letters, digits, "-", "_" and ".", as in: --scope frontend',
    });
  return `${JOURNAL}/${scope}`;
}

/** The scopes that a journal has, besides the whole. */
export function scopesOf({ files }: Journal): string[] {
  const found = files.flatMap(
    ({ name }) => /^_memory\/([^/]+)\/(?:conversations\/|master\.md$)/.exec(name)?.[1] ?? [],
  );
  return [...new Set(found)].filter((it) => it !== 'conversations' && SCOPE.test(it));
}

export function foreignJournal({ root, files }: Journal): Fault {
  const list = files.slice(0, MOST_NAMED).map(({ name }) => `  ${name}`);
  if (files.length > MOST_NAMED) list.push(`  and ${files.length - MOST_NAMED} more`);
  return new Fault(
    'conflict',
    `${root}/${JOURNAL} contains files that Keepsake did not write on this machine:\n${list.join('\n')}`,
    { hint: 'Review them: the agent will read their text. Then approve them once with --approve.' },
  );
}

async function placeOf(world: World, named: string): Promise<JournalPlace> {
  const project = await findProject(world, named);
  const head = await world.archive.head(project);
  if (!head || isUnplaced(head))
    throw new Fault(
      'not-found',
      `The folder of project ${named} is unknown, so its journal has nowhere to be saved.`,
      {
        hint: '`keepsake summarize ID --print` shows the page without saving it.',
      },
    );
  const root = head.originalPath;
  if ((await world.machine.accessTo(root)) !== 'missing') return { project, root, known: true };
  const { folders } = await repositoryOf(world, project);
  for (const { projectId, originalPath } of folders)
    if (originalPath !== '' && (await world.machine.accessTo(originalPath)) !== 'missing')
      return { project: projectId, root: originalPath, known: true };
  throw new Fault('not-found', `The folder of project ${named} is not on this machine: ${root}`, {
    hint: 'The journal is saved in the project. Run the command in the current folder of the project, or add --print to see the page only.',
  });
}

/** A worktree is deleted one day: its pages are saved in the main checkout, where that is on this machine. */
async function homeOf(world: World, place: JournalPlace): Promise<JournalPlace> {
  const main = (await world.git.checkout(place.root))?.worktreeOf;
  if (main === undefined || (await world.machine.accessTo(main)) === 'missing') return place;
  const { project, exists } = await locateProject(world, main);
  return { project, root: main, known: exists };
}

async function placeHere(world: World): Promise<JournalPlace> {
  const { cwd } = world.places;
  for (let root = cwd; root !== ''; root = root.replace(/[\\/]?[^\\/]*$/, '')) {
    const { project, exists, unplaced } = await locateProject(world, root);
    if (exists && !unplaced) return { project, root, known: true };
  }
  // A checkout that was moved is known by its repository.
  const repository = await repositoryAt(world, cwd);
  if (repository) return { project: repository.main.projectId, root: cwd, known: true };
  return { project: (await locateProject(world, cwd)).project, root: cwd, known: false };
}

async function hashOf(world: World, { root, files }: Journal): Promise<string> {
  const parts: string[] = [];
  for (const { name } of files) {
    const bytes = await world.projectFiles.read(root, name, 1 << 26);
    parts.push(`${name}\0${shortHash(bytes?.toString('base64') ?? '', 64)}`);
  }
  return shortHash(parts.join('\n'), 64);
}

function refuseOddPlaces(world: World, root: string): void {
  const inside = (path: string, folder: string) => `${path}/`.startsWith(`${folder}/`);
  if (!inside(root, world.places.claude) && !inside(root, world.archive.root)) return;
  throw new Fault('usage', `${root} can't hold a journal: it is not a project folder.`, {
    hint: 'Run the command in a project folder.',
  });
}
