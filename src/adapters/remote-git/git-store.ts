import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/model/fault.ts';
import type { RemoteStore, StoredName } from '../../ports/remotes.ts';
import { type GitRun, runGit } from './run-git.ts';

const NAME = /^r\/[0-9a-f]{32}\/([0-9a-f]{32})\/[a-z]+\/\d{8}-[0-9a-f]{32}$/;
const REFS = 'refs/keepsake/';
const AUTHOR = {
  GIT_AUTHOR_NAME: 'keepsake',
  GIT_AUTHOR_EMAIL: 'keepsake@localhost',
  GIT_COMMITTER_NAME: 'keepsake',
  GIT_COMMITTER_EMAIL: 'keepsake@localhost',
};
/** As git names a folder without anything in it. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** A server that is not there by then is not reached. */
const LIST_MS = 20_000;
const MOST_TRIES = 5;

type Waiting = { put: Map<string, Uint8Array>; remove: Set<string> };

/**
 * A git repository as a store: one ref for each device, `refs/keepsake/<device>`, which no clone or fetch of branches
 * touches. Objects are in a bare repository of our own in `folder`; a checkout of the user's is never opened.
 */
export function gitStore(
  address: string,
  folder: string,
  variables: Record<string, string | undefined>,
): RemoteStore {
  const url = address.replace(/^git\+/, '');
  const bare = join(folder, `${createHash('sha256').update(url).digest('hex').slice(0, 16)}.git`);
  const waiting: Waiting = { put: new Map(), remove: new Set() };
  /** Exists while there may be unreachable objects: a killed process leaves it, and the next one cleans up. */
  const unclean = join(bare, 'keepsake-unclean');
  const git = (args: readonly string[], run: Omit<GitRun, 'variables'> = {}) =>
    runGit(bare, args, { ...run, variables });

  const ready = async () => {
    if (existsSync(join(bare, 'HEAD'))) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await git(['init', '-q', '--bare', bare]);
  };

  /** One question to the server; what is new is brought. */
  const refresh = async (): Promise<Map<string, string>> => {
    await ready();
    const there = refsOf(
      (await git(['ls-remote', url, `${REFS}*`], { longestMs: LIST_MS })).toString('utf8'),
    );
    const here = refsOf(
      (await git(['for-each-ref', '--format=%(objectname)%09%(refname)', REFS])).toString('utf8'),
    );
    const isBehind = [...there].some(([ref, id]) => here.get(ref) !== id);
    const isGone = [...here.keys()].some((ref) => !there.has(ref));
    let isLess = existsSync(unclean);
    if (isBehind || isGone) await writeFile(unclean, '');
    if (isBehind) await git(['fetch', '-q', '--no-tags', '--no-write-fetch-head', url, `+${REFS}*:${REFS}*`]);
    for (const [ref, id] of here) {
      const now = there.get(ref);
      if (now === undefined) await git(['update-ref', '-d', ref]);
      isLess ||= now === undefined || (now !== id && !(await leadsTo(now, id)));
    }
    await settle(isLess);
    return there;
  };

  const leadsTo = async (commit: string, earlier: string): Promise<boolean> =>
    (await git(['rev-list', '-1', earlier, `^${commit}`], { also: [128] })).length === 0;

  /** What was taken down somewhere is not kept here either. */
  const settle = async (isLess: boolean): Promise<void> => {
    if (isLess) await git(['gc', '-q', '--force', '--prune=now']);
    await rm(unclean, { force: true });
  };

  const entries = async (ref: string): Promise<StoredName[]> => {
    const text = (await git(['ls-tree', '-r', '-l', '-z', ref])).toString('utf8');
    return text.split('\0').flatMap((line) => {
      const [, size, name] = /^\d+ blob [0-9a-f]+ +(\d+)\t(.*)$/s.exec(line) ?? [];
      return name !== undefined && NAME.test(name) ? [{ name, bytes: Number(size) }] : [];
    });
  };

  const commit = async (
    ref: string,
    parent: string | undefined,
    change: Waiting,
  ): Promise<{ id: string; isEmpty: boolean }> => {
    const index = join(bare, `index-${process.pid}`);
    const env = { GIT_INDEX_FILE: index, ...AUTHOR };
    try {
      if (parent !== undefined) await git(['read-tree', parent], { env });
      const lines: string[] = [];
      for (const [name, bytes] of change.put) {
        const blob = (await git(['hash-object', '-w', '--stdin'], { input: bytes })).toString('utf8').trim();
        lines.push(`100644 ${blob}\t${name}\0`);
      }
      for (const name of change.remove) lines.push(`0 ${'0'.repeat(40)}\t${name}\0`);
      await git(['update-index', '-z', '--index-info'], { env, input: lines.join('') });
      const tree = (await git(['write-tree'], { env })).toString('utf8').trim();
      // After a removal nothing may lead to what was there before.
      const from = parent === undefined || change.remove.size > 0 ? [] : ['-p', parent];
      const message = `keepsake ${ref.slice(REFS.length, REFS.length + 8)}`;
      const made = await git(['commit-tree', tree, ...from, '-m', message], { env });
      return { id: made.toString('utf8').trim(), isEmpty: tree === EMPTY_TREE };
    } finally {
      await rm(index, { force: true });
    }
  };

  const send = async (device: string, change: Waiting): Promise<void> => {
    const ref = `${REFS}${device}`;
    for (let tries = 1; ; tries++) {
      const parent = (await refresh()).get(ref);
      await writeFile(unclean, '');
      const { id, isEmpty } = await commit(ref, parent, change);
      if (isEmpty && parent === undefined) return settle(false);
      // The name of a ref is a machine's: without files it goes, too.
      const from = isEmpty ? '' : id;
      const lease = `--force-with-lease=${ref}:${parent ?? ''}`;
      const pushed = (
        await git(['push', '-q', '--porcelain', lease, url, `${from}:${ref}`], { also: [1] })
      ).toString('utf8');
      if (!pushed.includes('!\t')) {
        await git(isEmpty ? ['update-ref', '-d', ref] : ['update-ref', ref, id]);
        return settle(change.remove.size > 0);
      }
      if (tries === MOST_TRIES)
        throw new Fault(
          'remote',
          `${address} refused ${ref}: ${pushed.split('\n').find((line) => line.startsWith('!')) ?? ''}`,
          {
            hint: 'Some servers accept only branches and tags; use a folder or S3 instead.',
          },
        );
    }
  };

  return {
    prepare: async () => {
      await refresh();
      // Some servers take nothing outside branches and tags: better said now than at the first sync.
      const probe = `${REFS}probe-${process.pid}`;
      const { id } = await commit(probe, undefined, { put: new Map(), remove: new Set() });
      await git(['push', '-q', url, `${id}:${probe}`]);
      await git(['push', '-q', url, `:${probe}`]);
    },
    list: async (prefix) => {
      const refs = await refresh();
      const all = (await Promise.all([...refs.keys()].map(entries))).flat();
      const found = all.filter(({ name }) => name.startsWith(prefix));
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    get: async (name) => {
      const [, device] = NAME.exec(name) ?? [];
      if (device === undefined) return undefined;
      await ready();
      const ref = `${REFS}${device}`;
      const known = (await git(['rev-parse', '-q', '--verify', `${ref}:${name}`], { also: [1, 128] }))
        .toString('utf8')
        .trim();
      return known === '' ? undefined : git(['cat-file', 'blob', known]);
    },
    put: async (name, bytes) => {
      waiting.put.set(name, bytes);
      waiting.remove.delete(name);
    },
    remove: async (name) => {
      waiting.put.delete(name);
      waiting.remove.add(name);
    },
    flush: async () => {
      const names = [...waiting.put.keys(), ...waiting.remove];
      const devices = new Set(names.flatMap((name) => NAME.exec(name)?.[1] ?? []));
      for (const device of devices) {
        const isIts = (name: string) => name.includes(`/${device}/`);
        const change = {
          put: new Map([...waiting.put].filter(([name]) => isIts(name))),
          remove: new Set([...waiting.remove].filter(isIts)),
        };
        await send(device, change);
        for (const name of change.put.keys()) waiting.put.delete(name);
        for (const name of change.remove) waiting.remove.delete(name);
      }
    },
    forget: () => rm(bare, { recursive: true, force: true }),
    traits: async () => ({
      deletes: 'not by us',
      notes: ['This is a git server: use a repository that you can delete, or share only facts.'],
    }),
  };
}

function refsOf(text: string): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [id, ref] = line.split('\t');
    if (id && ref && /^refs\/keepsake\/[0-9a-f]{32}$/.test(ref)) refs.set(ref, id);
  }
  return refs;
}
