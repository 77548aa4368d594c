import { join, sep } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import { isSessionId, type ProjectId, toProjectId } from '../../core/model/ids.ts';
import { TEMP_PREFIX } from './write-file.ts';

const LONGEST_NAME = 1000;
/** In bytes: what every common file system takes. */
const LONGEST_SEGMENT = 240;
const OWN_FILES = /^(manifest\.|history\.jsonl$|originals$|place\.json$)/;

/** The second name of the agent's own file, beside our copy. */
export const LINK_SUFFIX = '.link';

/** Of the archive in use: what a path means is worked out once, and names that were checked are only put behind it. */
let base = { root: '', projects: '', cache: '' };

function baseOf(root: string): typeof base {
  if (base.root !== root) base = { root, projects: join(root, 'projects'), cache: join(root, 'cache') };
  return base;
}

export function projectsFolder(root: string): string {
  return baseOf(root).projects;
}

export function projectFolder(root: string, project: ProjectId): string {
  return baseOf(root).projects + sep + toProjectId(project);
}

export function originalPath(root: string, project: ProjectId, name: string): string {
  const segments = checkedName(name);
  const first = segments[0] ?? '';
  const id = segments.length > 1 ? first : first.replace(/\.jsonl$/, '');
  if (!isSessionId(id) || (segments.length === 1 && id === first) || name.endsWith(LINK_SUFFIX)) {
    throw badName(name);
  }
  return `${projectFolder(root, project)}${sep}originals${sep}${segments.join(sep)}`;
}

/** Below the project's folder, or below `cache/`; never one of the archive's own files. */
export function derivedPath(root: string, project: ProjectId | undefined, name: string): string {
  const segments = checkedName(name);
  if (project === undefined) return baseOf(root).cache + sep + segments.join(sep);
  if (OWN_FILES.test(segments[0] ?? '')) throw badName(name);
  return projectFolder(root, project) + sep + segments.join(sep);
}

/** The parts of a name that can't leave the folder it is put below. */
export function checkedName(name: string): string[] {
  const segments = name.split('/');
  const bad = (segment: string) =>
    segment === '' ||
    segment === '.' ||
    segment === '..' ||
    segment.startsWith(TEMP_PREFIX) ||
    Buffer.byteLength(segment) > LONGEST_SEGMENT;
  // A backslash parts folders on Windows.
  if (name.length > LONGEST_NAME || /[\0\\]/.test(name) || segments.some(bad)) throw badName(name);
  return segments;
}

function badName(name: string): Fault {
  return new Fault(
    'usage',
    `${JSON.stringify(name.slice(0, 80))} can't be the name of a file in the archive.`,
    {
      hint: 'Names are relative, without "..", empty parts or control characters.',
    },
  );
}
