import { compositionName, isSameName } from '../../core/compose/composition-name.ts';
import { Fault } from '../../core/model/fault.ts';
import { openProjects } from '../find/projects.ts';
import type { World } from '../world.ts';
import { type ComposeOptions, type Composition, composeRequest } from './compose.ts';
import type { CompositionRow } from './compositions.ts';

type ReuseAsk = ComposeOptions & { budget?: number; as?: string };

/** Makes a composition again from what was asked for then, with another budget or under another name. */
export async function reuseComposition(
  world: World,
  row: CompositionRow,
  ask: ReuseAsk,
): Promise<Composition> {
  if (!row.request)
    throw new Fault('bad-input', `${row.name} has no record of the request it was made from.`, {
      hint: 'Make a new one with `keepsake compose`.',
    });
  const { budget, as, ...options } = ask;
  const there = new Set(
    (await openProjects(world)).flatMap(({ projectId, sessions }) =>
      Object.keys(sessions).map((session) => `${projectId}/${session}`),
    ),
  );
  const components = row.request.components.filter((it) => there.has(`${it.projectId}/${it.sessionId}`));
  if (components.length === 0)
    throw new Fault('not-found', `None of the sessions of ${row.name} are in the archive anymore.`);
  const request = {
    ...row.request,
    components,
    ...(budget === undefined ? {} : { totalTokenBudget: budget }),
  };
  const name = as === undefined ? row.name : compositionName(as);
  // In its own place it replaces itself, which is what was asked for.
  const force = options.force === true || isSameName(name, row.name);
  const named = { name, request, home: row.projectId };
  const done = await composeRequest(world, named, { ...options, force, lenient: true });
  const lost = row.request.components.length - components.length;
  return lost === 0
    ? done
    : { ...done, notes: [...done.notes, `${lost} of its sessions are no longer in the archive.`] };
}
