import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorld } from './world.ts';

export function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd, stdio: 'pipe' });
}

/** Real repositories below a test's home, and sessions that ran in them. */
export class Checkouts {
  readonly root: string;
  readonly #projects: string;

  constructor({ places, projects }: TestWorld) {
    this.root = join(realpathSync(places.home), 'work');
    this.#projects = projects;
    mkdirSync(this.root);
  }

  make(name: string, origin?: string): string {
    const folder = join(this.root, name);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'commit', '-q', '--allow-empty', '-m', `first of ${name}`);
    if (origin) git(folder, 'remote', 'add', 'origin', origin);
    return folder;
  }

  worktree(of: string, name: string): string {
    const tree = join(this.root, name);
    git(of, 'worktree', 'add', '-q', tree);
    return tree;
  }

  /** A session of Claude Code that says one sentence in a folder. */
  session(id: string, cwd: string, text: string): void {
    const folder = join(this.#projects, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    const line = (type: string, at: number, content: unknown) =>
      JSON.stringify({
        type,
        uuid: `${id}-${at}`,
        parentUuid: at === 0 ? null : `${id}-${at - 1}`,
        sessionId: id,
        cwd,
        version: '2.1.0',
        timestamp: `2026-01-0${1 + at}T10:00:00.000Z`,
        message: { role: type, content },
      });
    const lines = [line('user', 0, text), line('assistant', 1, [{ type: 'text', text: 'Understood.' }])];
    writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  }
}
