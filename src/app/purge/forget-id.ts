import { needlesOf } from '../../core/model/folded-text.ts';
import { isProjectId, type SessionId } from '../../core/model/ids.ts';
import type { SecondSearch } from '../../ports/archive.ts';
import { openProjects } from '../find/projects.ts';
import type { World } from '../world.ts';

/**
 * These may name a purged session: its tombstone and history, the agent's own files that sync leaves out, other sessions that
 * speak of it, with what was made from them, and which segments of a remote are known.
 */
const MAY_NAME =
  /^(?:cache\/sources\.json|unrecorded\.json|remotes\/[^/]+\/repos\/[^/]+\/state\.json$|projects\/[^/]+\/(?:manifest\.|history\.jsonl|(?:originals|memory|summaries|composed|journal|rolling|others|backups|injections)\/))/;

/**
 * Removes every file that is named after a purged session, and what of the cache names it. Gives what is left of it. A
 * folder that has the session as well keeps its own.
 */
export async function forgetId(world: World, session: SessionId): Promise<SecondSearch> {
  const needles = needlesOf([session]);
  const keeping = (await openProjects(world)).filter(({ sessions }) => Object.hasOwn(sessions, session));
  const places = keeping.map(({ projectId }) => `projects/${projectId}/`);
  const isKept = (name: string) => places.some((place) => name.startsWith(place));
  // A replay quotes sessions in what it would have said to others.
  for (const name of await world.archive.files.list(undefined, 'replay'))
    await remove(world, `cache/replay/${name}`);
  const unfinished = new Set<string>();
  for (const { path } of (await world.archive.lookAgain(needles, [])).files) {
    const name = inside(world, path);
    if (isKept(name)) continue;
    if (isUnfinished(name)) unfinished.add(name);
    else if (isNamed(name, session) || !MAY_NAME.test(name)) await remove(world, name);
  }
  let { files, looked } = await world.archive.lookAgain(needles, []);
  // One that is still there after a look at the whole archive has no writer any more; the others got their names meanwhile.
  const dead = new Set(files.map(({ path }) => inside(world, path)).filter((name) => unfinished.has(name)));
  if (dead.size > 0) {
    const swept = new Set(await world.archive.sweep(dead));
    files = files.filter(({ path }) => !swept.has(inside(world, path)));
  }
  const left = files.filter(({ path }) => {
    const name = inside(world, path);
    return !isKept(name) && (isNamed(name, session) || !MAY_NAME.test(name));
  });
  return { files: left, looked };
}

function inside(world: World, path: string): string {
  return path.slice(world.archive.root.length + 1).replaceAll('\\', '/');
}

/** What a writer has not given its name yet, or never will. */
function isUnfinished(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.tmp-'));
}

function isNamed(name: string, session: SessionId): boolean {
  return name.split('/').some((part) => part === session || part.startsWith(`${session}.`));
}

/** Only files that can be rebuilt or belong to the session alone; logs and similar files stay, and are reported. */
async function remove(world: World, name: string): Promise<void> {
  const { files, originals } = world.archive;
  const [top, project = '', ...rest] = name.split('/');
  const [folder, ...inOriginals] = rest;
  if (top === 'cache') await files.remove(undefined, name.slice('cache/'.length));
  else if (top === 'projects' && isProjectId(project) && rest.length > 0)
    if (folder === 'originals')
      // A copy whose record was never written: an import was cut off.
      await originals.remove(project, inOriginals.join('/').replace(/\.link$/, ''));
    else await files.remove(project, rest.join('/'));
}
