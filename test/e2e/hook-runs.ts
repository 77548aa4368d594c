import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Turn, transcript } from '../made/conversation.ts';
import { LAUNCHER, programEnv } from './built-cli.ts';
import { runProgram } from './program-run.ts';
import { settled } from './settled.ts';

export type HookRan = { status: number | null; stdout: string; stderr: string };

/** The plugin's own hook, as the client would run it. */
const HOOK = join(dirname(LAUNCHER), '..', 'plugin', 'dist', 'hook.cjs');

/** A home with an agent's transcripts, whose hooks are run by hand. */
export class HookRuns {
  readonly home = mkdtempSync(join(tmpdir(), 'keepsake-hooks-'));
  readonly archive = join(this.home, '.claude-memory');
  readonly cwd = join(this.home, 'app');

  constructor() {
    mkdirSync(this.cwd);
  }

  /** As a stop is that has much to read. */
  readAtEveryStop(archive = this.archive): void {
    mkdirSync(archive, { recursive: true, mode: 0o700 });
    writeFileSync(join(archive, 'config.json'), '{"hooks":{"everyStops":1}}', { mode: 0o600 });
  }

  path(session: string): string {
    return join(this.home, '.claude', 'projects', '-app', `${session}.jsonl`);
  }

  /** The agent writes on. Each call is told apart by `from`. */
  write(session: string, turns: Turn[], from = 0): void {
    const path = this.path(session);
    mkdirSync(dirname(path), { recursive: true });
    const blank: Turn[] = Array.from({ length: from }, () => ({}));
    appendFileSync(path, transcript(this.cwd, session, [...blank, ...turns]));
  }

  input(event: string, session: string, more: object = {}): string {
    const common = { session_id: session, transcript_path: this.path(session), cwd: this.cwd };
    return JSON.stringify({ ...common, hook_event_name: event, ...more });
  }

  run(event: string, session: string, more: object = {}, env: Record<string, string> = {}): Promise<HookRan> {
    return this.raw(this.input(event, session, more), env);
  }

  /** What the agent is told, and it must go well. */
  async injected(event: string, session: string, more: object = {}): Promise<string> {
    const { status, stdout, stderr } = await this.run(event, session, more);
    if (status !== 0 || stderr !== '') throw new Error(`${event} ended with ${status}: ${stderr}`);
    return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput.additionalContext as string);
  }

  async raw(text: string, env: Record<string, string | undefined> = {}): Promise<HookRan> {
    const ran = await ended(this.start(text, env));
    await settled(env.CLAUDE_MEMORY_DIR ?? this.archive);
    return ran;
  }

  /** The same on a pipe that does not block, whose writer comes late and in two pieces. */
  async slowly(text: string, program: string[] = [HOOK]): Promise<HookRan> {
    const pipe = join(this.home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const end = openSync(pipe, constants.O_WRONLY);
    const env = programEnv(this.home);
    const child = spawn(process.execPath, program, { cwd: this.cwd, env, stdio: [reader, 'pipe', 'pipe'] });
    spawn(
      'sh',
      ['-c', 'sleep 0.5; printf %s "$1"; sleep 0.3; printf %s "$2"', 'sh', text.slice(0, 20), text.slice(20)],
      {
        stdio: ['ignore', end, 'ignore'],
      },
    );
    closeSync(reader);
    closeSync(end);
    const ran = await ended(child);
    await settled(this.archive);
    rmSync(pipe);
    return ran;
  }

  start(text: string, env: Record<string, string | undefined> = {}): ChildProcess {
    const child = spawn(process.execPath, [HOOK], {
      cwd: this.cwd,
      env: { ...programEnv(this.home), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(text);
    return child;
  }

  /** What a command answers after this, and it must go well. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was printed
  json(...args: string[]): any {
    const { status, stdout, stderr } = runProgram({
      args: [...args, '--json'],
      cwd: this.cwd,
      env: programEnv(this.home),
    });
    if (status !== 0) throw new Error(`keepsake ${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function ended(child: ChildProcess): Promise<HookRan> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (bytes: Buffer) => {
    stdout += bytes.toString('utf8');
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}
