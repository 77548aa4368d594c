import { actionLookup } from '../../core/actions/action-lookup.ts';
import type { ActionLookup } from '../../core/actions/action-note.ts';
import { type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import { fields, figure, list, oneOf, record, type Shape, text, tuple } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { allRepositories, type Repository, repositoryOf } from '../repository/repositories.ts';
import { unhelpfulSources } from '../search/unhelpful-sources.ts';
import type { World } from '../world.ts';
import { actionSources, type ReadActions } from './action-sources.ts';

const FOLDER = 'hooks/actions';
/** What was read of each session, so that only those that grew are read again; and the generations that it was made from. */
type ReadBefore = { version: 1; made: Record<string, number>; unhelpful: number; sessions: ReadActions[] };

const form = { kind: oneOf('missing', 'word', 'refused'), program: text, subcommand: text, word: text };
const segment = fields({ program: text, words: list(text) });
const mended = fields({
  errors: list(text),
  failed: text,
  edits: list(fields({ file: text, lines: text })),
  ran: list(text),
  more: figure,
  ts: text,
});
const session: Shape<ReadActions> = fields(
  {
    sessionId: text,
    bytes: figure,
    lessons: list(fields({ ...form, error: text, ts: text }, { worked: text })),
    passed: list(fields({ ts: text, segments: list(segment) })),
    errors: list(fields({ error: text, failed: text, worked: text, ts: text })),
    changed: list(tuple(figure, list(text))),
  },
  { mended: list(mended) },
);
const READ_BEFORE: StoredKind<ReadBefore> = {
  schema: fields({ version: oneOf(1), made: record(figure), unhelpful: figure, sessions: list(session) }),
  format: ['version', 1],
  damaged: 'Keepsake reads the sessions again.',
  derived: true,
};

/** What hooks say at the point of action, for each project that changed since it was last made. */
export async function refreshActionLookups(world: World): Promise<void> {
  for (const repository of await allRepositories(world)) await make(world, repository);
}

export async function makeActionLookup(world: World, project: ProjectId): Promise<void> {
  await make(world, await repositoryOf(world, project));
}

async function make(world: World, { main, folders }: Repository): Promise<void> {
  const manifests = [];
  for (const { projectId } of folders) {
    const manifest = (await world.archive.open(projectId))?.manifest;
    if (manifest) manifests.push(manifest);
  }
  const own = manifests.find(({ projectId }) => projectId === main.projectId) ?? manifests[0];
  if (!own) return;
  const tokens = (await world.settings.resolve(own.settings)).config.hooks.actionTokens;
  const file = `${FOLDER}/read/${main.projectId}.json`;
  if (tokens === 0) return forget(world, folders, file);
  const before = (await readStored(world, undefined, file, READ_BEFORE)).value;
  const made = Object.fromEntries(manifests.map(({ projectId, gen }) => [projectId, gen]));
  const lowered = await unhelpfulSources(world, folders);
  const isFresh = before && before.unhelpful === lowered.ids.size && same(before.made, made);
  if (isFresh) return;
  const known = new Map((before?.sessions ?? []).map((it) => [it.sessionId, it]));
  const { sessions, stated } = await actionSources(world, manifests, known);
  const lookup = actionLookup(
    sessions,
    stated.filter(({ statement }) => !lowered.ids.has(statement.id)),
  );
  await write(
    world,
    folders,
    { ...lookup, commands: lookup.commands.filter((it) => !lowered.ids.has(it.key)) },
    tokens,
  );
  const now = new Set(sessions.map(({ sessionId }) => sessionId));
  const read: ReadBefore = {
    version: 1,
    made,
    unhelpful: lowered.ids.size,
    sessions: [...known.values()].filter(({ sessionId }) => now.has(sessionId)),
  };
  await world.archive.files.write(undefined, file, JSON.stringify(read));
}

/** A file for each folder, by its path: a hook knows no more. Commands and edits apart: it reads one of them. */
async function write(
  world: World,
  folders: Repository['folders'],
  { files, ...commands }: ActionLookup,
  tokens: number,
): Promise<void> {
  for (const { projectId: project, originalPath: root } of folders) {
    if (root === '') continue;
    const store = (kind: string, notes: unknown) =>
      world.archive.files.write(
        undefined,
        fileOf(root, kind),
        JSON.stringify({ version: 1, project, root, tokens, notes }),
      );
    await store('commands', commands);
    await store('files', files);
  }
}

async function forget(world: World, folders: Repository['folders'], file: string): Promise<void> {
  if ((await world.archive.files.size(undefined, file)) === 0) return;
  await world.archive.files.remove(undefined, file);
  for (const { originalPath: root } of folders)
    for (const kind of ['commands', 'files']) await world.archive.files.remove(undefined, fileOf(root, kind));
}

function fileOf(root: string, kind: string): string {
  return `${FOLDER}/${sanitizePath(root)}.${kind}.json`;
}

function same(a: Record<string, number>, b: Record<string, number>): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key])
  );
}
