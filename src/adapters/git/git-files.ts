import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Commit, Git } from '../../ports/git.ts';
import { GitObjects } from './git-objects.ts';

/** Reads a checkout's own files: no process to start, and it works where git is not installed. */
export const gitFiles: Git = {
  async remote(folder) {
    const git = await gitFolder(folder);
    const text = git && (await readIfThere(join(git.common, 'config')));
    return text ? remoteIn(text) : undefined;
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
      id = /^parent ([0-9a-f]{40})$/m.exec(text.slice(0, text.indexOf('\n\n')))?.[1];
    }
    return found;
  },
};

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

const ID = /^[0-9a-f]{40}$/;

/** The checkout's git folder, and the one that holds the configuration: two places in a worktree. */
async function gitFolder(start: string): Promise<{ own: string; common: string } | undefined> {
  // A chat's project has a name for a path: the checkout that one is in is not its own.
  if (!isAbsolute(start)) return undefined;
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const dot = join(folder, '.git');
    if ((await readIfThere(join(dot, 'HEAD'))) !== undefined) return { own: dot, common: dot };
    const link = /^gitdir: (.+)$/m.exec((await readIfThere(dot)) ?? '')?.[1]?.trim();
    if (link) {
      const own = resolve(folder, link);
      const common = (await readIfThere(join(own, 'commondir')))?.trim();
      return { own, common: common ? resolve(own, common) : own };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** `origin`, or the only remote there is. */
function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let name: string | undefined;
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*(\w+)(?:\s+"(.*)")?\s*\]/.exec(line);
    if (section) name = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const url = /^\s*url\s*=\s*(.+?)\s*$/i.exec(line)?.[1];
    if (name && url && !remotes.has(name)) remotes.set(name, withoutCredentials(url));
  }
  return remotes.get('origin') ?? (remotes.size === 1 ? [...remotes.values()][0] : undefined);
}

/** A token in an address must not reach the archive; `git@` of an ssh address is no secret and stays. */
function withoutCredentials(url: string): string {
  return url.replace(/^"|"$/g, '').replace(/^(https?:\/\/)[^@/]*@/i, '$1');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}
