import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Injection, InjectionSource } from '../../core/model/injection.ts';
import { fields, list, oneOf, text } from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';
import { readInjections } from './injection-log.ts';

/** Injections that did not help, with what they were made of. */
type Feedback = { version: 1; unhelpful: { id: string; at: string; sources: InjectionSource[] }[] };

const FILE = 'injections/feedback.json';
const FEEDBACK: StoredKind<Feedback> = {
  schema: fields({
    version: oneOf(1),
    unhelpful: list(
      fields({ id: text, at: text, sources: list(fields({ session: text }, { exchange: text, id: text })) }),
    ),
  }),
  format: ['version', 1],
  damaged: 'Which injections did not help is not known any more.',
};

/** Sources that did not help in a project: exchanges, and facts or statements, by their ids. */
export type Unhelpful = { exchanges: ReadonlySet<string>; ids: ReadonlySet<string> };

export async function unhelpfulSources(
  world: World,
  folders: readonly { projectId: ProjectId }[],
): Promise<Unhelpful> {
  const exchanges = new Set<string>();
  const ids = new Set<string>();
  for (const { projectId } of folders) {
    for (const { sources } of (await read(world, projectId)).unhelpful)
      for (const { exchange, id } of sources) {
        if (exchange !== undefined) exchanges.add(exchange);
        if (id !== undefined) ids.add(id);
      }
  }
  return { exchanges, ids };
}

/** Whether a piece is made of what did not help before. */
export function isUnhelpful(
  { exchange, id }: { exchange?: string; id?: string },
  unhelpful: Unhelpful,
): boolean {
  return (
    (exchange !== undefined && unhelpful.exchanges.has(exchange)) ||
    (id !== undefined && unhelpful.ids.has(id))
  );
}

/** Those that did not help before come after the others. */
export function unhelpfulLast<P extends object>(pieces: P[], unhelpful: Unhelpful): P[] {
  const isLast = (piece: P) => isUnhelpful(piece, unhelpful);
  return [...pieces.filter((it) => !isLast(it)), ...pieces.filter(isLast)];
}

/** Which injections of these folders were called unhelpful. */
export async function unhelpfulInjections(
  world: World,
  folders: readonly ProjectId[],
): Promise<ReadonlySet<string>> {
  const all = await Promise.all(folders.map((folder) => read(world, folder)));
  return new Set(all.flatMap(({ unhelpful }) => unhelpful.map(({ id }) => id)));
}

/** Notes that an injection did not help, or takes that back. */
export async function rateInjection(
  world: World,
  folders: readonly ProjectId[],
  id: string,
  helped: boolean,
): Promise<Injection> {
  const fitting = (await readInjections(world, folders)).filter((row) => row.id.startsWith(id));
  const [injection, ...more] = fitting;
  if (!injection)
    throw new Fault('not-found', `No injection ${id}.`, { hint: 'Its id is in the list of injections.' });
  if (more.length > 0) {
    const choices = fitting.map((row) => ({ id: row.id }));
    throw new Fault('ambiguous', `${id} is the beginning of ${fitting.length} injections.`, { choices });
  }
  const { unhelpful } = await read(world, injection.project);
  const others = unhelpful.filter((it) => it.id !== injection.id);
  const own = helped ? [] : [{ id: injection.id, at: world.clock.now(), sources: injection.sources }];
  const feedback: Feedback = { version: 1, unhelpful: [...others, ...own] };
  await world.archive.files.write(injection.project, FILE, JSON.stringify(feedback));
  const { project: _, ...row } = injection;
  return row;
}

async function read(world: World, project: ProjectId): Promise<Feedback> {
  return (await readStored(world, project, FILE, FEEDBACK)).value ?? { version: 1, unhelpful: [] };
}
