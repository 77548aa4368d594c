import { spawnSync } from 'node:child_process';

type Typed = { prompt: string; cwd: string; env: Record<string, string>; isDone: () => boolean };

const LONGEST_MS = 60_000;
const pause = (millis: number) => new Promise((done) => setTimeout(done, millis));

export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** Starts a program in a terminal of its own, types a prompt into it, and ends it once that was answered. */
export async function inTerminal(command: string[], { prompt, cwd, env, isDone }: Typed): Promise<void> {
  const socket = `keepsake-${process.pid}`;
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-L', socket, ...args], {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
      encoding: 'utf8',
    });
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  tmux('new-session', '-d', '-x', '120', '-y', '40', line);
  try {
    const end = Date.now() + LONGEST_MS;
    // It takes what is typed once it shows where.
    while (!tmux('capture-pane', '-p').stdout.includes('❯') && Date.now() < end) await pause(500);
    await pause(3000);
    tmux('send-keys', '-l', prompt);
    await pause(1500);
    tmux('send-keys', 'Enter');
    while (!isDone() && Date.now() < end) await pause(500);
    await pause(2000);
  } finally {
    tmux('kill-server');
  }
}
