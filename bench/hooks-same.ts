// Checks whether two builds answer identically, byte for byte: their hooks on prompts of real sessions; search, recall and lists as commands.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { homesFor } from './hook-homes.ts';
import { type RealPrompt, realPrompts } from './real-prompts.ts';

type Build = [name: string, root: string];

/** Number of prompts that are also sent to search and recall. */
const MOST_QUERIES = 60;
/** A command gets this many characters of a prompt. */
const LONGEST_QUERY = 100;
/** At most this many differing answers are printed. */
const MOST_SHOWN = 5;

/** Sends each prompt as the first of its session. */
export async function compareAnswers(
  folder: string,
  builds: Build[],
  { most, keep }: { most: number; keep: string | undefined },
): Promise<void> {
  const all = realPrompts(folder);
  const step = Math.max(1, all.length / most);
  const prompts = Array.from({ length: Math.min(most, all.length) }, (_, n) => all[Math.floor(n * step)]!);
  const archives = homesFor(folder, builds, keep);
  try {
    const hooks = prompts.map((prompt, n) => ({
      asked: prompt.text,
      by: ([, root]: Build, at: number) => answerTo(prompt, n, { root, home: archives.homes[at]! }),
    }));
    await compare('prompts are answered', hooks, builds);
    const commands = commandsFor(prompts).map((args) => ({
      asked: args.join(' '),
      // Both builds read the archive of the first.
      by: ([, root]: Build) => printed(root, args, archives.homes[0]!),
    }));
    await compare('commands print', commands, builds);
  } finally {
    archives.remove();
  }
}

type Compared = { asked: string; by: (build: Build, at: number) => Promise<string> };

async function compare(what: string, all: Compared[], builds: Build[]): Promise<void> {
  let [alike, spoke, shown] = [0, 0, 0];
  for (const { asked, by } of all) {
    // Both builds run at the same time.
    const [first = '', ...others] = await Promise.all(builds.map(by));
    if (first !== '') spoke++;
    if (others.every((other) => other === first)) alike++;
    else if (shown++ < MOST_SHOWN) console.log({ asked: asked.slice(0, 200), first, others });
  }
  console.log(`${alike} of ${all.length} ${what} alike; ${spoke} get an answer`);
}

function commandsFor(prompts: RealPrompt[]): string[][] {
  const short = prompts.map(({ text }) => text.replace(/\s+/g, ' ').slice(0, LONGEST_QUERY));
  return [
    ...short.slice(0, MOST_QUERIES).flatMap((query) => [
      ['search', '--json', '--', query],
      ['recall', '--', query],
    ]),
    ['sessions', '--all'],
    ['sessions', '--json'],
    ['projects'],
    ['facts'],
  ];
}

function printed(root: string, args: string[], home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, TZ: 'UTC' };
  return outputOf([join(root, 'bin', 'keepsake'), ...args], { env, cwd: join(home, 'app') });
}

function answerTo(
  { cwd, text }: RealPrompt,
  n: number,
  { root, home }: { root: string; home: string },
): Promise<string> {
  const number = String(process.pid * 10_000 + n).padStart(12, '0');
  const session_id = `dddddddd-0000-4000-8000-${number.slice(-12)}`;
  const input = { session_id, transcript_path: '', cwd, hook_event_name: 'UserPromptSubmit', prompt: text };
  const env = { PATH: process.env.PATH, HOME: home };
  return outputOf([join(root, 'plugin', 'dist', 'hook.cjs')], { env, input: JSON.stringify(input) });
}

function outputOf(
  args: string[],
  { env, cwd, input = '' }: { env: NodeJS.ProcessEnv; cwd?: string; input?: string },
): Promise<string> {
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const child = spawn(process.execPath, args, { env, stdio, ...(cwd === undefined ? {} : { cwd }) });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.on('error', reject);
    child.on('close', () => resolve(Buffer.concat(out).toString('utf8')));
  });
}
