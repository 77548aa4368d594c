import { spawn } from 'node:child_process';
import { Fault } from '../../core/model/fault.ts';

/** A push of a large archive over a slow line takes its time; a server that says nothing at all is gone. */
const LONGEST_MS = 30 * 60 * 1000;

export type GitRun = {
  input?: string | Uint8Array | undefined;
  /** The user's own environment, and what comes besides. */
  variables: Record<string, string | undefined>;
  env?: Record<string, string> | undefined;
  longestMs?: number;
  /** Statuses other than 0 that are an answer. */
  also?: readonly number[];
};

/** The user's own git: ssh keys and credentials are theirs. It never asks, runs no hook and signs nothing. */
export async function runGit(folder: string, args: readonly string[], run: GitRun): Promise<Buffer> {
  const safe = ['-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', '-c', 'gc.auto=0'];
  const child = spawn('git', ['--git-dir', folder, ...safe, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...run.variables, ...run.env },
    timeout: run.longestMs ?? LONGEST_MS,
    windowsHide: true,
  });
  const out: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => out.push(piece));
  child.stderr.on('data', (piece: Buffer) => said.push(piece));
  // A git that ends before it read all says why on its own.
  child.stdin.on('error', () => undefined);
  child.stdin.end(run.input ?? '');
  const status = await new Promise<number | string>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'killed'));
  });
  if (status === 0 || run.also?.includes(status as number)) return Buffer.concat(out);
  throw new Fault('remote', `git ${args[0]} failed: ${reasonIn(Buffer.concat(said)) || status}.`, {
    hint: 'Check that `git ls-remote` reaches the repository at the same address. Nothing is lost: the next sync continues.',
  });
}

const REASON = /^(?:fatal|error):|denied|not found/im;

/** Advice follows the reason as a paragraph of its own; a greeting of the server may be before it. */
function reasonIn(said: Buffer): string {
  const paragraphs = said
    .toString('utf8')
    .trim()
    .split(/\r?\n[ \t]*\r?\n/);
  const reason = paragraphs.find((paragraph) => REASON.test(paragraph)) ?? paragraphs[0] ?? '';
  return reason.split('\n').slice(-3).join(' ').replace(/\.+$/, '');
}
