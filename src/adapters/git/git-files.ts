import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Commit, Git } from '../../ports/git.ts';
import { readGitConfig } from './git-config.ts';
import { GitObjects } from './git-objects.ts';

/** Commits: a longer history without any remote is rare, and walking it takes seconds. */
const MOST_WALKED = 10_000;
const ID = /^[0-9a-f]{40}$/;

/** Reads a checkout's own files: no process to start, and it works where git is not installed. */
export const gitFiles: Git = {
  remote: async (folder) => (await gitFiles.checkout(folder))?.remote,
  async checkout(folder) {
    const git = await gitFolder(folder);
    if (!git) return undefined;
    const { remote, identity, scopes } = readGitConfig((await readIfThere(join(git.common, 'config'))) ?? '');
    const isLinked = git.own !== git.common && basename(git.common) === '.git';
    return {
      top: git.top,
      ...(isLinked ? { worktreeOf: dirname(git.common) } : {}),
      ...(remote === undefined ? {} : { remote }),
      ...(identity === undefined ? {} : { identity }),
      scopes,
    };
  },
  async holds(folder, commit) {
    const git = ID.test(commit) ? await gitFolder(folder) : undefined;
    return git !== undefined && (await new GitObjects(git.common).commit(commit)) !== undefined;
  },
  async rootCommit(folder) {
    const git = await gitFolder(folder);
    if (!git || (await readIfThere(join(git.common, 'shallow'))) !== undefined) return undefined;
    const objects = new GitObjects(git.common);
    let id = await headOf(git);
    for (let left = MOST_WALKED; id !== undefined && left > 0; left--) {
      const text = await objects.commit(id);
      if (text === undefined) return undefined;
      const parent = firstParent(text);
      if (parent === undefined) return id;
      id = parent;
    }
    return undefined;
  },
  async branch(folder) {
    const git = await gitFolder(folder);
    const head = git && (await readIfThere(join(git.own, 'HEAD')));
    return head ? /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() : undefined;
  },
  async commits(folder, most) {
    const git = await gitFolder(folder);
    if (!git) return [];
    const objects = new GitObjects(git.common);
    const found: Commit[] = [];
    for (let id = await headOf(git); id !== undefined && found.length < most; ) {
      const text = await objects.commit(id);
      const when = text && /^committer .* (\d{1,12}) [+-]\d{4}$/m.exec(text)?.[1];
      if (!text || when === undefined) break;
      const subject = text.slice(text.indexOf('\n\n') + 2).split('\n')[0] ?? '';
      found.push({ id, ts: new Date(Number(when) * 1000).toISOString(), subject: subject.trim() });
      id = firstParent(text);
    }
    return found;
  },
  // Rarely asked for, and the only one that starts a process.
  blame: async (file, line) => (await import('./blame-lines.ts')).blameLines(file, line),
};

function firstParent(commit: string): string | undefined {
  return /^parent ([0-9a-f]{40})$/m.exec(commit.slice(0, commit.indexOf('\n\n')))?.[1];
}

/** The commit that is checked out: named in HEAD, in a branch's file, or among the packed ones. */
async function headOf({ own, common }: { own: string; common: string }): Promise<string | undefined> {
  const head = (await readIfThere(join(own, 'HEAD')))?.trim() ?? '';
  if (ID.test(head)) return head;
  const ref = /^ref: (refs\/[^\s]{1,300})$/.exec(head)?.[1];
  if (ref === undefined || ref.includes('..')) return undefined;
  const loose = (await readIfThere(join(common, ref)))?.trim() ?? '';
  if (ID.test(loose)) return loose;
  const packed = (await readIfThere(join(common, 'packed-refs'))) ?? '';
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.slice(0, 40);
}

/** The checkout's git folder, and the one that contains the configuration: two places in a worktree. */
async function gitFolder(start: string): Promise<{ own: string; common: string; top: string } | undefined> {
  // A chat's project has a name for a path: the checkout that one is in is not its own.
  if (!isAbsolute(start)) return undefined;
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const dot = join(folder, '.git');
    if ((await readIfThere(join(dot, 'HEAD'))) !== undefined) return { own: dot, common: dot, top: folder };
    const link = /^gitdir: (.+)$/m.exec((await readIfThere(dot)) ?? '')?.[1]?.trim();
    if (link) {
      const own = resolve(folder, link);
      const common = (await readIfThere(join(own, 'commondir')))?.trim();
      return { own, common: common ? resolve(own, common) : own, top: folder };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
