import { spawn } from 'node:child_process';
import { Fault } from '../../core/model/fault.ts';
import type { GitBranches } from '../../ports/git-branches.ts';

const LONGEST_MS = 30_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** Nothing that a repository's own settings name is run, and nothing is signed. */
const SAFE = ['--no-optional-locks', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];

type Ran = { status: number | string; out: Buffer; said: string };

/** By the plumbing of the installed git: objects and one ref are written, never a file of the checkout. */
export const gitBranches: GitBranches = {
  async userName(folder) {
    const name = (await asked(folder, ['config', 'user.name'])).trim();
    return name === '' ? undefined : name;
  },
  async mainBranch(folder) {
    const remote = (await asked(folder, ['symbolic-ref', '-q', 'refs/remotes/origin/HEAD'])).trim();
    if (remote.startsWith('refs/remotes/')) return remote.slice('refs/remotes/'.length);
    for (const name of ['main', 'master']) if (await commitOf(folder, `refs/heads/${name}`)) return name;
    return undefined;
  },
  async readFile(folder, branch, path) {
    await refuseBadName(folder, branch);
    const commit =
      (await commitOf(folder, `refs/heads/${branch}`)) ?? (await commitOf(folder, `refs/remotes/${branch}`));
    if (commit === undefined)
      throw new Fault('not-found', `No branch ${branch}.`, {
        hint: 'Give the name of a branch with --branch.',
      });
    const { status, out } = await git(folder, ['cat-file', 'blob', `${commit}:${path}`]);
    return status === 0 ? { commit, content: out.toString('utf8') } : undefined;
  },
  commitFile: async (folder, file) => {
    await refuseBadName(folder, file.branch);
    const ref = `refs/heads/${file.branch}`;
    await refuseCheckedOut(folder, ref, file.branch);
    const tip = await commitOf(folder, ref);
    const base = await baseOf(folder, tip);
    const before =
      base === undefined ? undefined : await git(folder, ['cat-file', 'blob', `${base}:${file.path}`]);
    if (tip !== undefined && before?.status === 0 && before.out.toString('utf8') === file.content)
      return { commit: tip, isNew: false };
    const tree = await treeWith(folder, base, file.path.split('/'), file.content);
    const parent = base === undefined ? [] : ['-p', base];
    const commit = (await must(folder, ['commit-tree', tree, ...parent, '-m', file.message])).trim();
    // Only if it is still where it was.
    const old = tip ?? '0'.repeat(commit.length);
    await must(folder, ['update-ref', '-m', 'keepsake team export', ref, commit, old]);
    return { commit, isNew: true };
  },
};

/** The branch itself while its pull request is open; what is checked out once it was merged, and at first. */
async function baseOf(folder: string, tip: string | undefined): Promise<string | undefined> {
  const main = await gitBranches.mainBranch(folder);
  const start =
    (main &&
      ((await commitOf(folder, `refs/remotes/${main}`)) ?? (await commitOf(folder, `refs/heads/${main}`)))) ||
    (await commitOf(folder, 'HEAD'));
  if (tip === undefined || start === undefined) return tip ?? start;
  const { status } = await git(folder, ['merge-base', '--is-ancestor', tip, start]);
  return status === 0 ? start : tip;
}

/** The tree of a commit, or a folder of it, with one file more. */
async function treeWith(
  folder: string,
  base: string | undefined,
  [name = '', ...rest]: readonly string[],
  content: string,
): Promise<string> {
  const listed = base === undefined ? '' : await asked(folder, ['ls-tree', '-z', base]);
  const entries = listed.split('\0').filter((entry) => entry !== '');
  const found = entries.find((entry) => entry.slice(entry.indexOf('\t') + 1) === name);
  const [, kind, id] = found?.split(/[ \t]/, 3) ?? [];
  const made =
    rest.length === 0
      ? `100644 blob ${(await must(folder, ['hash-object', '-w', '--stdin'], content)).trim()}`
      : `040000 tree ${await treeWith(folder, kind === 'tree' ? id : undefined, rest, content)}`;
  const others = entries.filter((entry) => entry !== found);
  const input = [...others, `${made}\t${name}`].map((entry) => `${entry}\0`).join('');
  return (await must(folder, ['mktree', '-z'], input)).trim();
}

async function refuseBadName(folder: string, branch: string): Promise<void> {
  const { status } = await git(folder, ['check-ref-format', `refs/heads/${branch}`]);
  if (status === 'ENOENT')
    throw new Fault('config', 'git is not installed.', { hint: 'Install git, or use a remote instead.' });
  if (status === 0 && !branch.startsWith('-')) return;
  throw new Fault('usage', `${JSON.stringify(branch)} is not a valid branch name.`, {
    hint: 'Give another one with --branch.',
  });
}

/** A branch that moves under a checkout would look as if its files had been changed back. */
async function refuseCheckedOut(folder: string, ref: string, branch: string): Promise<void> {
  const list = await must(folder, ['worktree', 'list', '--porcelain']);
  if (list.split('\n').includes(`branch ${ref}`))
    throw new Fault('conflict', `The branch ${branch} is checked out.`, {
      hint: 'Switch to another branch there, or give another name with --branch.',
    });
}

async function commitOf(folder: string, ref: string): Promise<string | undefined> {
  const found = (await asked(folder, ['rev-parse', '--verify', '-q', `${ref}^{commit}`])).trim();
  return found === '' ? undefined : found;
}

async function asked(folder: string, args: readonly string[]): Promise<string> {
  const { status, out } = await git(folder, args);
  return status === 0 ? out.toString('utf8') : '';
}

async function must(folder: string, args: readonly string[], input = ''): Promise<string> {
  const { status, out, said } = await git(folder, args, input);
  if (status === 0) return out.toString('utf8');
  const why = said.trim().split('\n').slice(-2).join(' ') || status;
  throw new Fault('bad-input', `git ${args[0]} failed: ${why}`, {
    hint: 'Check that the folder is a checkout and that git knows your name (`git config user.name`).',
  });
}

async function git(folder: string, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn('git', [...SAFE, ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    windowsHide: true,
  });
  const [out, said]: [Buffer[], Buffer[]] = [[], []];
  let bytes = 0;
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= MOST_BYTES) out.push(piece);
  });
  child.stderr.on('data', (piece: Buffer) => said.push(piece));
  // A git that ends before it read all says why on its own.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const status = await new Promise<number | string>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'killed'));
  });
  return { status, out: Buffer.concat(out), said: Buffer.concat(said).toString('utf8') };
}
