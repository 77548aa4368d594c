import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Injection } from '../../core/model/injection.ts';
import { FEEDBACK_FILE, type Feedback, readFeedback } from '../search/unhelpful-sources.ts';
import type { World } from '../world.ts';
import { readInjections } from './injection-log.ts';

/** Which injections of these folders were called unhelpful. */
export async function unhelpfulInjections(
  world: World,
  folders: readonly ProjectId[],
): Promise<ReadonlySet<string>> {
  const all = await Promise.all(folders.map((folder) => readFeedback(world, folder)));
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
    throw new Fault('not-found', `No injection ${id}.`, { hint: 'Use an id from the list of injections.' });
  if (more.length > 0) {
    const choices = fitting.map((row) => ({ id: row.id }));
    throw new Fault('ambiguous', `${id} matches ${fitting.length} injections.`, { choices });
  }
  const { unhelpful } = await readFeedback(world, injection.project);
  const others = unhelpful.filter((it) => it.id !== injection.id);
  const own = helped ? [] : [{ id: injection.id, at: world.clock.now(), sources: injection.sources }];
  const feedback: Feedback = { version: 1, unhelpful: [...others, ...own] };
  await world.archive.files.write(injection.project, FEEDBACK_FILE, JSON.stringify(feedback));
  const { project: _, ...row } = injection;
  return row;
}
