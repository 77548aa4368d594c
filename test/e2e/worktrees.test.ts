import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Turn, transcript } from '../made/conversation.ts';
import { builtCli, programEnv } from './built-cli.ts';
import { HookRuns } from './hook-runs.ts';
import { runProgram } from './program-run.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const OIL: Turn[] = [
  {
    you: 'From now on always check the foghorn compressor before the lamp. Which oil does it need?',
    agent: 'The foghorn compressor needs Albatross 40 oil.',
  },
];
const PROMPT = { prompt: 'Which oil does the foghorn compressor need again?' };

beforeAll(() => builtCli());
let hooks: HookRuns;
let main: string;
let tree: string;
beforeEach(() => {
  hooks = new HookRuns();
  main = realpathSync(hooks.cwd);
  tree = join(dirname(main), 'trees', '3');
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  git('worktree', 'add', '-q', tree);
});
afterEach(() => hooks.remove());

function git(...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: main, stdio: 'pipe' });
}

/** A whole session in a folder, as the agent and its hooks see it. */
async function worked(session: string, cwd: string): Promise<void> {
  const path = hooks.path(session);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, transcript(cwd, session, OIL));
  for (const event of ['SessionStart', 'Stop', 'SessionEnd'])
    await hooks.injected(event, session, { cwd, transcript_path: path });
}

const inMain = (event: string, more: object = {}) => hooks.injected(event, B, { cwd: main, ...more });

function keepsake(...args: string[]) {
  return runProgram({ args, cwd: main, env: programEnv(hooks.home) });
}

describe('text from a worktree', () => {
  test.each([
    ['with a remote', 'git@github.com:acme/lighthouse.git'],
    ['without a remote', undefined],
  ])('is known in the main checkout, %s, after the worktree is gone', async (_, origin) => {
    if (origin) git('remote', 'add', 'origin', origin);
    await worked(A, tree);
    rmSync(tree, { recursive: true });
    const beside = await inMain('UserPromptSubmit', PROMPT);
    expect(beside).toContain('Albatross 40');
    expect(beside).toContain('always check the foghorn compressor');
    expect(await inMain('SessionStart', { source: 'startup' })).toContain('Albatross 40');
  });

  test('belongs to a project that lists name alike: sessions have its id, and that of their folder', async () => {
    await worked(B, main);
    await worked(A, tree);
    const items = (args: string[]) => JSON.parse(keepsake(...args, '--json').stdout).items;
    const [project] = items(['projects']);
    const sessions = items(['sessions']) as { sessionId: string; projectId: string; folderId: string }[];
    expect(sessions.map(({ projectId }) => projectId)).toEqual([project.projectId, project.projectId]);
    const folder = sessions.find(({ sessionId }) => sessionId === A)!.folderId;
    expect(folder).not.toBe(project.projectId);
    expect(project.folders.map((it: { projectId: string }) => it.projectId)).toContain(folder);
  });

  test('is found in another worktree and in a clone', async () => {
    git('remote', 'add', 'origin', 'https://github.com/acme/lighthouse');
    await worked(A, main);
    const other = join(dirname(main), 'trees', 'other');
    git('worktree', 'add', '-q', other);
    expect(await hooks.injected('UserPromptSubmit', B, { cwd: other, ...PROMPT })).toContain('Albatross 40');
    const clone = join(dirname(main), 'clone');
    git('clone', '-q', main, clone);
    expect(
      await hooks.injected('UserPromptSubmit', A.replaceAll('1', '3'), { cwd: clone, ...PROMPT }),
    ).toContain('Albatross 40');
  });

  test('is not found in a fork', async () => {
    git('remote', 'add', 'origin', 'https://github.com/acme/lighthouse');
    await worked(A, tree);
    const fork = join(dirname(main), 'fork');
    git('clone', '-q', main, fork);
    execFileSync('git', ['remote', 'set-url', 'origin', 'https://github.com/me/lighthouse'], { cwd: fork });
    expect(await hooks.injected('UserPromptSubmit', B, { cwd: fork, ...PROMPT })).toBe('');
  });
});

describe('the projects command', () => {
  test('lists one project, its folders with reasons, and joins and splits with the commands it prints', async () => {
    git('remote', 'add', 'origin', 'https://github.com/acme/lighthouse');
    await worked(A, tree);
    await worked(B, main);
    expect(keepsake('projects').stdout.trim().split('\n')).toHaveLength(2);
    // The overview lists the sessions of both folders under the one project.
    const overview = keepsake('--list').stdout;
    for (const session of [A, B]) expect(overview).toContain(session.slice(0, 8));
    const folders = keepsake('projects', 'folders', 'app').stdout;
    expect(folders).toContain(`same remote, a worktree of ${main}`);
    const split = keepsake('projects', 'split', tree).stdout;
    expect(split).toContain('is now a separate project');
    expect(keepsake('projects').stdout.trim().split('\n')).toHaveLength(3);
    const undo = /keepsake (projects join .*)$/m.exec(split)?.[1]?.split(' ') ?? [];
    expect(keepsake(...undo).stdout).toContain('now has 2 folders and 2 sessions');
    expect(keepsake('projects').stdout.trim().split('\n')).toHaveLength(2);
    expect(keepsake('projects', 'join', 'app', 'app').status).toBe(2);
    expect(keepsake('projects', 'split', 'nowhere').status).not.toBe(0);
  });
});
