/** A file of this name in a folder keeps the sessions of that folder, and of all below it, out of the archive. */
export const RECORD_MARKER = '.keepsake-ignore';

/**
 * What is kept out of the archive, in one small file that a hook reads before anything else. The sessions are recorded
 * here and nowhere else; what projects set is repeated from their settings.
 */
export type Unrecorded = {
  version: 1;
  /** Sessions that the user turned off, with the time. */
  sessions: Record<string, string>;
  /** The setting `record` of projects that have their own, by id. */
  projects: Record<string, { path: string; record: boolean }>;
};

export function nothingUnrecorded(): Unrecorded {
  return { version: 1, sessions: {}, projects: {} };
}

/** A folder and all above it. */
export function foldersUp(path: string): string[] {
  const folders: string[] = [];
  let end = path.length;
  // Every hook does this: no pattern is compiled for it.
  while (end > 1 && lastSeparator(path, end) === end - 1) end--;
  for (; end > 0; end = lastSeparator(path, end)) folders.push(path.slice(0, end));
  const [first] = path;
  return path !== '/' && (first === '/' || first === '\\') ? [...folders, '/'] : folders;
}

/** The last one before `end`; -1 where there is none. */
function lastSeparator(path: string, end: number): number {
  return Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1));
}

/** A checkout that a folder is in: the folder that contains `.git`, and the main one where this is a worktree of it. */
export type CheckoutFolders = { root: string; main?: string | undefined };

/** The main checkout of a worktree, from the text of its `.git` file; undefined if it is none. */
export function mainCheckout(root: string, gitFile: string): string | undefined {
  const [, gitDir = ''] = /^gitdir:\s*(.+?)\s*$/m.exec(gitFile) ?? [];
  const [, main = ''] = /^(.*?)[\\/]\.git[\\/]worktrees[\\/][^\\/]+$/.exec(gitDir) ?? [];
  if (main === '' || /^([\\/]|[A-Za-z]:)/.test(main)) return main || undefined;
  const parts = root.split(/[\\/]/);
  for (const part of main.split(/[\\/]/)) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * The folders that decide for a session in `cwd`, the nearest first. A marker counts from any folder above; a setting of a
 * project counts for the folders below it in the same checkout, and both count for its worktrees.
 */
export function decidingFolders(
  cwd: string,
  checkout?: CheckoutFolders,
): { marker: string[]; setting: string[] } {
  const up = foldersUp(cwd);
  if (!checkout) return { marker: up, setting: up.slice(0, 1) };
  const { root, main } = checkout;
  const inside = up.slice(0, up.indexOf(root) + 1);
  const twins = main === undefined ? [] : inside.map((folder) => main + folder.slice(root.length));
  return { marker: [...up, ...twins, ...foldersUp(main ?? '').slice(1)], setting: [...inside, ...twins] };
}

/** What the nearest of these folders sets that is a project with a setting of its own. */
export function settingAt(
  projects: Unrecorded['projects'],
  folders: readonly string[],
): { project: string; record: boolean } | undefined {
  const all = Object.entries(projects);
  for (const folder of folders) {
    const [project, own] = all.find(([, { path }]) => path === folder) ?? [];
    if (project !== undefined && own) return { project, record: own.record };
  }
  return undefined;
}

export type SessionAt = {
  session: string;
  cwd: string;
  /** Of `decidingFolders`. */
  folders: readonly string[];
  /** The name of the folder that the agent keeps the session's file in: the id of the project that it began in. */
  stored: string;
};

/** Whether a hook can be sure that nothing of this session is to be recorded. `record` is the setting of all projects. */
export function isSurelyUnrecorded(
  { sessions, projects }: Unrecorded,
  { session, cwd, folders, stored }: SessionAt,
  record: boolean,
): boolean {
  if (Object.hasOwn(sessions, session)) return true;
  const began = Object.hasOwn(projects, stored) ? projects[stored] : undefined;
  // Two paths can have one id: it is this one while the agent works in it.
  if (began && foldersUp(cwd).includes(began.path)) return !began.record;
  const set = settingAt(projects, folders);
  if (set) return !set.record;
  // A project that is on may have the second id of this name, which only the session's lines show.
  return !record && !began && !Object.keys(projects).some((id) => id.startsWith(`${stored}~`));
}
