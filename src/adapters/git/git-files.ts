import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Git } from '../../ports/git.ts';

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
};

/** The checkout's git folder, and the one that holds the configuration: two places in a worktree. */
async function gitFolder(start: string): Promise<{ own: string; common: string } | undefined> {
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
