import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Turn, transcript } from '../made/conversation.ts';
import { programEnv } from './built-cli.ts';
import { type Ran, runProgram, spawnProgram } from './program-run.ts';

/** A person's home folder with an agent in it, and the built program to run there. */
export class CliHome {
  readonly path = mkdtempSync(join(tmpdir(), 'keepsake-cli-'));
  readonly archive = join(this.path, '.claude-memory');
  readonly projects = join(this.path, '.claude', 'projects');

  #owner: number | undefined;

  /** Makes the home another user's, who then runs the program. */
  give(owner: number | undefined): void {
    if (owner === undefined) return;
    for (const name of ['.', ...readdirSync(this.path, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(this.path, name), owner, owner);
    }
    this.#owner = owner;
  }

  run(args: string[], env: Record<string, string> = {}, cwd = this.path, input = ''): Ran {
    if (input !== '' || this.#owner !== undefined) return this.spawn(args, env, cwd, input);
    return runProgram({ args, cwd, env: { ...programEnv(this.path), ...env } });
  }

  /** The same in a process of its own, with the launcher and the entry. */
  spawn(args: string[], env: Record<string, string> = {}, cwd = this.path, input = ''): Ran {
    return spawnProgram({ args, cwd, env: { ...programEnv(this.path), ...env } }, input, this.#owner);
  }

  /** The same from another folder, and it must succeed. */
  in(folder: string, ...args: string[]): string {
    const { status, stdout, stderr } = this.run(args, {}, folder);
    if (status !== 0) throw new Error(`keepsake ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** For commands that must succeed. */
  ok(...args: string[]): string {
    const ran = this.run(args);
    if (ran.status !== 0)
      throw new Error(`keepsake ${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
    return ran.stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever was printed
  json(...args: string[]): any {
    return JSON.parse(this.ok(...args, '--json'));
  }

  /** A transcript where the agent writes it. */
  session(cwd: string, id: string, turns: Turn[]): string {
    const path = join(this.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
    return this.file(path, transcript(cwd, id, turns));
  }

  file(path: string, text: string): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
