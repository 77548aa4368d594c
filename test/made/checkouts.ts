import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { TestWorld } from './world.ts';

export function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd, stdio: 'pipe' });
}

/** The id that every repository knows without an object: a tree without files. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A repository with one empty commit, as git writes it, without starting git. */
function writeRepository(folder: string, message: string, origin: string | undefined): void {
  const write = (path: string, content: string | Buffer) => {
    const file = join(folder, '.git', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const who = `a <a@b.invalid> ${Math.floor(Date.now() / 1000)} +0000`;
  const body = `tree ${EMPTY_TREE}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`;
  const object = Buffer.from(`commit ${Buffer.byteLength(body)}\0${body}`);
  const id = createHash('sha1').update(object).digest('hex');
  const remote = origin
    ? `[remote "origin"]\n\turl = ${origin}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`
    : '';
  write('HEAD', 'ref: refs/heads/main\n');
  write('config', `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${remote}`);
  write(join('objects', id.slice(0, 2), id.slice(2)), deflateSync(object));
  write(join('refs', 'heads', 'main'), `${id}\n`);
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
    writeRepository(folder, `first of ${name}`, origin);
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
