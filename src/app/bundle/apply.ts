import type { BundleFile, ProjectLine } from '../../core/bundle/bundle-line.ts';
import { newProjectChange, purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { originalName } from '../find/session-ref.ts';
import { sweepPurged } from '../purge/sweep.ts';
import { noteRepository } from '../repository/note-repository.ts';
import { shareSettings } from '../repository/share-settings.ts';
import type { RunOptions } from '../sync-report.ts';
import type { World } from '../world.ts';
import { putCompositions } from './import-compositions.ts';
import {
  type HeldOriginals,
  isComingBack,
  isSameStart,
  putOriginal,
  putSessions,
} from './import-sessions.ts';
import { keepOthersMemory } from './keep-others-memory.ts';
import { mergeJournal } from './merge-journal.ts';
import { mergeMemory } from './merge-memory.ts';
import type { Planned, Texts } from './plan.ts';
import { bundlesOf, readBundle } from './reader.ts';

type Options = RunOptions & {
  journal: boolean;
  purgesFollow?: boolean;
  /** A session that is another one here meanwhile is skipped: its sender sends it again. */
  comesAgain?: boolean;
};

/** Reads the bundle again and puts everything in its place: originals as they come, the rest once all is there. */
export async function applyBundle(
  world: World,
  path: string,
  planned: Planned[],
  options: Options,
): Promise<string[]> {
  const notes: string[] = [];
  let [index, texts]: [number, Texts] = [-1, []];
  const held: HeldOriginals = new Map();
  let open: { file: BundleFile; original?: Scratch; pieces: Buffer[]; bytes: number } | undefined;
  const total = planned.reduce((sum, { plan }) => sum + plan.sessions.size, 0);
  let done = 0;
  const close = async () => {
    if (index >= 0) notes.push(...(await finishProject(world, planned[index]!, texts, { ...options, held })));
    await removeHeld(held);
    texts = [];
  };
  const keepOriginal = async (file: BundleFile, original: Scratch) => {
    const { plan } = planned[index]!;
    const session = 'session' in file ? file.session : undefined;
    const incoming = session && plan.sessions.get(session);
    if (session && incoming && isComingBack(incoming)) {
      held.set(session, [...(held.get(session) ?? []), { name: nameOf(file), original }]);
      return;
    }
    const isOther = async () => !(await isSameStart(world, plan.project, nameOf(file), original.path));
    try {
      if (session && incoming && file.kind === 'original' && options.comesAgain && (await isOther())) {
        plan.sessions.set(session, { ...incoming, isSealed: true });
        return;
      }
      await putOriginal(world, plan.project, nameOf(file), original.path);
    } finally {
      await original.remove();
    }
  };
  try {
    for await (const event of readBundle(world, path)) {
      if (event.t === 'line' && event.line.t === 'project') {
        await close();
        index++;
        const { plan, again } = planned[index]!;
        if (planned.slice(0, index).some((it) => it.plan.project === plan.project))
          planned[index] = await again();
        await beginProject(world, planned[index]!);
      } else if (event.t === 'file') {
        if (options.signal?.aborted) throw cancelled();
        const { file } = event;
        const isOriginal = file.kind === 'original' || file.kind === 'beside';
        const isWanted = !isOriginal || planned[index]!.plan.sessions.get(file.session)?.isSealed === false;
        open = {
          file,
          pieces: [],
          bytes: 0,
          ...(isOriginal && isWanted ? { original: await bundlesOf(world).scratch() } : {}),
        };
      } else if (event.t === 'data' && open) {
        open.bytes += event.bytes.length;
        if (open.original) open.original.write(event.bytes);
        else if (open.file.kind !== 'original' && open.file.kind !== 'beside') {
          open.pieces.push(event.bytes);
        }
      } else if (event.t === 'eof' && open) {
        const { file, original, pieces } = open;
        open = undefined;
        if (original) {
          original.close();
          await keepOriginal(file, original);
          if (file.kind === 'original') {
            options.onProgress?.({
              phase: 'read',
              done: ++done,
              total,
              bytes: 0,
              totalBytes: 0,
              current: file.session,
            });
          }
        } else if (file.kind !== 'original' && file.kind !== 'beside')
          texts.push({ file, bytes: Buffer.concat(pieces) });
      }
    }
    await close();
  } finally {
    await removeHeld(held);
  }
  return notes;
}

async function removeHeld(held: HeldOriginals): Promise<void> {
  for (const { original } of [...held.values()].flat()) await original.remove();
  held.clear();
}

function nameOf(file: BundleFile): string {
  if (file.kind === 'original') return originalName(file.session);
  return file.kind === 'beside' ? [file.session, ...file.path].join('/') : '';
}

async function beginProject(world: World, { bundle, plan, isNew }: Planned): Promise<void> {
  if (!isNew && (await world.archive.head(plan.project))) return;
  const { path, name, createdAt, sample } = bundle.project;
  const isOthers = plan.author !== undefined;
  const { gitRemote, repository } = isOthers ? plainRepository(bundle.project) : bundle.project;
  const change = newProjectChange({
    projectId: plan.project,
    // A folder that someone else names is none to write to.
    originalPath: isOthers ? '' : path,
    displayName: isOthers ? labelOf(path, name) : name,
    createdAt,
    ...(gitRemote ? { gitRemote } : {}),
    ...(repository ? { repository } : {}),
    ...(sample && !isOthers ? { sample } : {}),
  });
  const note = `Imported: ${isOthers ? labelOf(path, name) : path || name}`;
  await world.archive.change(plan.project, [change], [{ at: world.clock.now(), action: 'create', note }]);
  if (!repository) await noteRepository(world, plan.project, { stated: gitRemote, since: createdAt });
}

/** What someone else says of a repository: its address. What they joined or split is for them. */
function plainRepository({
  gitRemote,
  repository,
}: ProjectLine): Pick<ProjectLine, 'gitRemote' | 'repository'> {
  const isAddress = (text: string | undefined) => text !== undefined && /^[^\s\p{C}]{1,200}$/u.test(text);
  const { identity, from } = repository ?? {};
  return {
    ...(isAddress(gitRemote) ? { gitRemote } : {}),
    ...(isAddress(identity) ? { repository: { identity, from } } : {}),
  };
}

/** One word, so that a name says nothing. */
function labelOf(path: string, name: string): string {
  const last = path.split(/[\\/]/).findLast((part) => part !== '') ?? name;
  return [...last.replace(/[^\p{L}\p{N}._-]+/gu, '-')].slice(0, 40).join('') || 'imported';
}

/** Files first, then what names them. What the user decided comes last: it speaks of sessions that exist by then. */
async function finishProject(
  world: World,
  begun: Planned,
  texts: Texts,
  options: Options & { held: HeldOriginals },
): Promise<string[]> {
  const { project } = begun.plan;
  const before = (await world.archive.head(project))?.gen;
  const notes = await putSessions(world, begun.plan, texts, { held: options.held, signal: options.signal });
  const planned = await withoutPurged(world, begun);
  const { plan, bundle } = planned;
  await putCompositions(world, plan, texts);
  if (plan.changes.length > 0) await world.archive.change(plan.project, plan.changes, plan.events);
  if (plan.author === undefined) await shareSettings(world, plan.project);
  await (plan.author === undefined
    ? mergeMemory(world, planned, texts)
    : keepOthersMemory(world, { project: plan.project, author: plan.author }, texts));
  notes.push(...(await mergeJournal(world, plan.project, texts, options.journal)));
  const forgotten = bundle.tombstones.filter(({ kind }) => kind !== 'session').length;
  if (forgotten > 0 && plan.added.tombstones > 0) {
    // Its contents are rebuilt from the records.
    await world.archive.files.remove(undefined, 'purged.json');
    if (!options.purgesFollow)
      notes.push(
        `${forgotten} texts were purged on the machine that exported this bundle. Keepsake masks them in future imports; to remove them from this archive, run \`keepsake purge\`.`,
      );
  }
  if (plan.purged.length > 0)
    notes.push(
      `${plan.purged.length} sessions of ${bundle.project.name} were purged here and were not imported.`,
    );
  if ((await world.archive.head(plan.project))?.gen !== before) await world.archive.fold(plan.project);
  return notes;
}

/** What was purged while it came in stays purged, and nothing stays of what was written of it. */
async function withoutPurged(world: World, planned: Planned): Promise<Planned> {
  const { project, sessions } = planned.plan;
  const manifest = (await world.archive.open(project))?.manifest;
  if (!manifest) return planned;
  const gone = [...sessions].flatMap(([id, { purges }]) => (purgesOf(manifest, id) > purges ? [id] : []));
  if (gone.length === 0) return planned;
  await sweepPurged(world, manifest, new Set<string>(gone));
  return planned.again();
}

function cancelled(): Fault {
  return new Fault(
    'cancelled',
    'Stopped. The next `keepsake import` or `keepsake sync` continues this import.',
  );
}
