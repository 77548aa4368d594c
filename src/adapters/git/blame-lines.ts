import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import type { BlamedCommit } from '../../ports/git.ts';

/** Limit for a long file with a long history: a question about one line does not wait longer. */
const LONGEST_MS = 8000;
const MOST_BYTES = 32 * 1024 * 1024;
/** Nothing that a repository's own settings name is run. */
const SAFE = ['--no-optional-locks', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false'];
/** Lines that are not committed yet. */
const UNCOMMITTED = /^0+$/;

/** By `git blame`, which follows moved files; none where git is missing, too slow or does not know the file. */
export async function blameLines(file: string, line?: number): Promise<BlamedCommit[]> {
  const range = line === undefined ? [] : ['-L', `${line},${line}`];
  const args = [...SAFE, 'blame', '--porcelain', '--no-textconv', ...range, '--', basename(file)];
  const options = { cwd: dirname(file), timeout: LONGEST_MS, maxBuffer: MOST_BYTES, windowsHide: true };
  const text = await new Promise<string>((resolve) => {
    execFile('git', args, options, (error, stdout) => resolve(error ? '' : stdout));
  });
  return blamedCommits(text);
}

/** `<id> <line then> <line now>`, what is said of a commit when it first comes, and a tab before the line itself. */
function blamedCommits(porcelain: string): BlamedCommit[] {
  const found = new Map<string, BlamedCommit>();
  let current: BlamedCommit | undefined;
  for (const row of porcelain.split('\n')) {
    if (row.startsWith('\t')) continue;
    const [, id, at] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row) ?? [];
    if (id !== undefined) {
      current = found.get(id) ?? { id, ts: '', subject: '', lines: 0, first: Number(at) };
      current.lines++;
      found.set(id, current);
      continue;
    }
    if (!current) continue;
    const seconds = /^author-time (\d{1,12})$/.exec(row)?.[1];
    if (seconds !== undefined) current.ts = new Date(Number(seconds) * 1000).toISOString();
    else if (row.startsWith('summary ')) current.subject = row.slice('summary '.length).trim();
  }
  return [...found.values()]
    .filter(({ id }) => !UNCOMMITTED.test(id))
    .sort((a, b) => b.lines - a.lines || (a.ts < b.ts ? 1 : -1));
}
