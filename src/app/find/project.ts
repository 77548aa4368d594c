import { Fault } from '../../core/model/fault.ts';
import { isProjectId, type ProjectId, sanitizePath } from '../../core/model/ids.ts';
import type { ProjectHead } from '../../ports/archive.ts';
import { ifReadable } from '../if-readable.ts';
import { nearest } from '../nearest.ts';
import type { World } from '../world.ts';

const byOption = (id: ProjectId) => `--project=${id}`;

/**
 * The project that an id, a path or a name means. Fault `not-found` or `ambiguous` when it means none or several; `naming`
 * is how one of several is asked for.
 */
export async function findProject(world: World, text: string, naming = byOption): Promise<ProjectId> {
  const heads = await projectHeads(world);
  const path = pathMeant(world, text);
  const ways: ((head: ProjectHead) => boolean)[] = [
    (head) => head.projectId === text,
    (head) => head.originalPath === path,
    (head) => head.displayName === text,
    (head) => head.displayName.toLowerCase() === text.toLowerCase(),
    (head) => isProjectId(text) && head.projectId.startsWith(text),
    (head) => head.projectId === sanitizePath(path),
  ];
  for (const fits of ways) {
    const found = heads.filter(fits);
    if (found.length > 1) throw ambiguous(text, found, naming);
    if (found[0]) return found[0].projectId;
  }
  throw notFound(text, heads);
}

async function projectHeads(world: World): Promise<ProjectHead[]> {
  const ids = await world.archive.projects();
  const heads = await Promise.all(
    ids.map((id) => ifReadable(world.archive.head(id).then((head) => ({ head })))),
  );
  // One that can't be read is found by its id, so that the caller learns why.
  return heads.flatMap((found, place) => (found ? (found.head ?? []) : unread(ids[place]!)));
}

function unread(projectId: ProjectId): ProjectHead {
  return { projectId, originalPath: '', displayName: projectId, gen: 0, settings: {} };
}

/** The path a person means: `~`, `.` and `..` worked out from where they are. */
export function pathMeant(world: World, text: string): string {
  const { home, cwd } = world.places;
  const expanded = text === '~' || text.startsWith('~/') ? home + text.slice(1) : text;
  const isWhole = cwd === '' || /^([/\\]|[A-Za-z]:[/\\])/.test(expanded);
  const whole = isWhole ? expanded : `${cwd}/${expanded}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return whole.startsWith('/') ? `/${parts.join('/')}` : parts.join('/');
}

function ambiguous(text: string, found: ProjectHead[], naming: typeof byOption): Fault {
  const list = found.map((head) => `  ${naming(head.projectId)}  ${head.originalPath}`).join('\n');
  return new Fault('ambiguous', `${found.length} projects are called ${JSON.stringify(text)}.`, {
    hint: `Say which by its id:\n${list}`,
    choices: found.map(({ projectId, displayName }) => ({ projectId, name: displayName })),
  });
}

function notFound(text: string, heads: ProjectHead[]): Fault {
  const near = nearest(text, new Set(heads.flatMap((head) => [head.displayName, head.projectId])));
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : '`keepsake projects` lists them.';
  return new Fault('not-found', `No project ${JSON.stringify(text.slice(0, 200))}.`, { hint });
}
