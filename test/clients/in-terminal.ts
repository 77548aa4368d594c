import { spawnSync } from 'node:child_process';

/** `isAsked`: the model got the prompt; `isDone`: the answer is in the client's files. */
type Typed = {
  prompt: string;
  cwd: string;
  env: Record<string, string>;
  isAsked: () => boolean;
  isDone: () => boolean;
};

/** Counted in looks instead of seconds, since a busy machine gives fewer of them. After these the client hangs. */
const MOST_LOOKS = 1200;
/** After this many looks without an effect, the key is pressed again. */
const LOOKS_FOR_A_KEY = 20;
const pause = (millis: number) => new Promise((done) => setTimeout(done, millis));

/** Waits until the condition holds; `again` runs first, and again whenever nothing happens for a while. */
async function until(isSo: () => boolean, again?: () => void): Promise<boolean> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    if (isSo()) return true;
    if (look % LOOKS_FOR_A_KEY === 0) again?.();
    await pause(250);
  }
  return isSo();
}

export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0;
}

/** Starts a program in a terminal, types a prompt, and ends it after the answer. */
export async function inTerminal(
  command: string[],
  { prompt, cwd, env, isAsked, isDone }: Typed,
): Promise<void> {
  const socket = `keepsake-${process.pid}`;
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-L', socket, ...args], {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
      encoding: 'utf8',
    });
  const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  tmux('new-session', '-d', '-x', '120', '-y', '40', line);
  // A narrow field may wrap the line.
  const shows = (text: string) =>
    tmux('capture-pane', '-p')
      .stdout.replace(/[\s│|]+/g, '')
      .includes(text.replace(/\s+/g, ''));
  try {
    // The client accepts input once it shows the field; earlier input is lost or shown later.
    await until(() => shows('❯'));
    await until(
      () => shows(prompt),
      () => {
        tmux('send-keys', 'C-u');
        tmux('send-keys', '-l', prompt);
      },
    );
    await until(isAsked, () => tmux('send-keys', 'Enter'));
    await until(isDone);
  } finally {
    tmux('kill-server');
  }
}
