import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { mounted } from '../faults/mounted.ts';
import { builtCli, LAUNCHER, programEnv } from './built-cli.ts';
import { HookRuns } from './hook-runs.ts';
import { runProgram } from './program-run.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '22222222-2222-4222-8222-222222222222';
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
];
const OIL = {
  you: 'Which oil does the foghorn compressor need?',
  agent: 'The foghorn compressor needs Albatross 40 oil.',
};

beforeAll(() => builtCli());
let hooks: HookRuns;
beforeEach(() => {
  hooks = new HookRuns();
});
afterEach(() => hooks.remove());

const keepsake: HookRuns['json'] = (...args) => hooks.json(...args);

test.runIf(process.platform !== 'win32')(
  'input that comes late is waited for, by the plugin and the command',
  async () => {
    for (const program of [undefined, [LAUNCHER, 'hook']]) {
      const session = program ? B : A;
      hooks.write(session, [OIL]);
      const ran = await hooks.slowly(hooks.input('SessionEnd', session), program);
      expect(ran).toEqual({ status: 0, stdout: '', stderr: '' });
    }
    expect(
      keepsake('sessions')
        .items.map((it: { sessionId: string }) => it.sessionId)
        .sort(),
    ).toEqual([A, B]);
  },
);

describe('when anything is wrong, a hook answers nothing and exits 0', () => {
  const quiet = { status: 0, stdout: '', stderr: '' };

  test.each(['', '{', '[]', 'null', '7', '"Stop"', '{"hook_event_name":"Stop"}', '\0\0\xff'])(
    'garbage on stdin: %j',
    async (text) => {
      expect(await hooks.raw(text)).toEqual(quiet);
    },
  );

  test('ids that would leave their folder, unknown events, wrong types', async () => {
    for (const session of ['../../etc', '__proto__', '', 7, null, 'x'.repeat(500)]) {
      const input = { session_id: session, transcript_path: '/x', cwd: hooks.cwd, hook_event_name: 'Stop' };
      expect(await hooks.raw(JSON.stringify(input))).toEqual(quiet);
    }
    expect(await hooks.run('FutureEvent', A)).toEqual(quiet);
    expect(await hooks.run('constructor', A)).toEqual(quiet);
    expect(await hooks.run('UserPromptSubmit', A, { prompt: { not: 'text' } })).toEqual(quiet);
    expect(existsSync(join(hooks.archive, 'projects'))).toBe(false);
  });

  test.each(EVENTS)('%s without a transcript, and with a folder as transcript', async (event) => {
    expect(await hooks.run(event, A, { source: 'startup', prompt: 'foghorn oil' })).toEqual(quiet);
    mkdirSync(hooks.path(B), { recursive: true });
    expect(await hooks.run(event, B, { source: 'compact', prompt: 'foghorn oil' })).toEqual(quiet);
  });

  test.each(EVENTS)('%s where the archive can be neither read nor created', async (event) => {
    hooks.write(A, [OIL]);
    for (const place of ['/dev/null/archive', '/proc/archive', hooks.path(A)]) {
      const more = { source: 'startup', prompt: 'foghorn oil' };
      expect(await hooks.run(event, A, more, { CLAUDE_MEMORY_DIR: place })).toEqual(quiet);
    }
  });

  test.each(['Stop', 'SessionStart', 'SessionEnd'])('%s without HOME', async (event) => {
    hooks.write(A, [OIL]);
    const input = hooks.input(event, A, { source: 'startup' });
    const env = { HOME: undefined, CLAUDE_MEMORY_DIR: hooks.archive };
    expect(await hooks.raw(input, env)).toEqual(quiet);
  });

  test.each(EVENTS)('%s with a manifest of a newer Keepsake', async (event) => {
    hooks.readAtEveryStop();
    hooks.write(A, [OIL]);
    await hooks.run('Stop', A);
    for (const project of readdirSync(join(hooks.archive, 'projects'))) {
      const file = join(hooks.archive, 'projects', project, 'manifest.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"version":"\d+/, '"version":"99'));
    }
    hooks.write(A, [{ you: 'more' }], 1);
    expect(await hooks.run(event, A, { source: 'startup', prompt: 'x' })).toEqual(quiet);
  });

  test('an archive that another process has locked is left alone, and the next hook reads what is missing', async () => {
    hooks.readAtEveryStop();
    hooks.write(A, [OIL]);
    await hooks.run('Stop', A);
    const lock = new DatabaseSync(join(hooks.archive, 'lock.sqlite'));
    lock.exec('BEGIN EXCLUSIVE');
    hooks.write(A, [{ you: 'And the bell?', agent: 'The bell needs Petrel grease.' }], 1);
    for (const event of EVENTS) expect(await hooks.run(event, A, { source: 'clear' })).toMatchObject(quiet);
    lock.exec('ROLLBACK');
    lock.close();
    await hooks.run('Stop', A);
    expect(JSON.stringify(keepsake('search', 'Petrel', 'grease'))).toContain('needs Petrel grease');
  });

  test('a damaged index, a damaged state, a damaged card', async () => {
    hooks.readAtEveryStop();
    hooks.write(A, [OIL]);
    await hooks.run('SessionEnd', A);
    writeFileSync(join(hooks.archive, 'index.sqlite'), 'no index at all');
    for (const name of readdirSync(join(hooks.archive, 'cache'), { recursive: true, encoding: 'utf8' }))
      if (/hooks.*\.json$/.test(name)) writeFileSync(join(hooks.archive, 'cache', name), '{"version":1');
    for (const event of EVENTS) {
      const { status, stderr } = await hooks.run(event, A, { source: 'startup', prompt: 'foghorn oil?' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
    expect(keepsake('search', 'Albatross')).toBeTruthy();
  });

  test.runIf(mounted.possible)(
    'a full disk: nothing is told, nothing breaks, and it goes on once there is room',
    () =>
      mounted('size=8m', async (disk) => {
        const archive = { CLAUDE_MEMORY_DIR: join(disk, 'archive') };
        hooks.readAtEveryStop(archive.CLAUDE_MEMORY_DIR);
        hooks.write(A, [OIL]);
        await hooks.run('Stop', A, {}, archive);
        writeFileSync(join(disk, 'filler'), Buffer.alloc(1));
        spawnSync('sh', ['-c', `cat /dev/zero > ${join(disk, 'filler')}`]);
        hooks.write(A, [{ you: 'x'.repeat(50_000), agent: 'Petrel grease.' }], 1);
        for (const event of EVENTS)
          expect(await hooks.run(event, A, { source: 'resume' }, archive)).toEqual(quiet);
        rmSync(join(disk, 'filler'));
        expect(await hooks.run('SessionEnd', A, {}, archive)).toEqual(quiet);
        const env = { ...programEnv(hooks.home), ...archive };
        const ran = runProgram({ args: ['verify', '--json'], cwd: hooks.cwd, env });
        expect(JSON.parse(ran.stdout).passed).toBe(true);
      }),
  );

  test('turned off by the variable, by the setting', async () => {
    hooks.write(A, [OIL]);
    expect(await hooks.run('SessionEnd', A, {}, { KEEPSAKE_HOOKS: 'off' })).toEqual(quiet);
    expect(existsSync(hooks.archive)).toBe(false);
    keepsake('config', 'set', 'hooks.enabled', 'false');
    expect(await hooks.run('SessionEnd', A)).toEqual(quiet);
    expect(existsSync(join(hooks.archive, 'projects'))).toBe(false);
  });
});

describe('what hooks do', () => {
  test('a clock that jumps back and ahead changes nothing that is stored', async () => {
    hooks.write(A, [
      { ...OIL, at: '2093-01-01T00:00:00.000Z' },
      { you: 'Now?', at: '1999-01-01T00:00:00.000Z' },
    ]);
    await hooks.run('Stop', A);
    await hooks.run('SessionEnd', A);
    expect(keepsake('verify').passed).toBe(true);
    expect(await hooks.injected('SessionStart', B, { source: 'startup' })).toContain('Albatross 40');
  });

  test("the user gets one note about Claude Code's own memory, and the agent's text does not change", async () => {
    hooks.write(A, [OIL]);
    await hooks.run('SessionEnd', A);
    const own = join(hooks.home, '.claude', 'projects', sanitizePath(hooks.cwd), 'memory');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'MEMORY.md'), '# Notes\n');
    const start = async () => JSON.parse((await hooks.run('SessionStart', B, { source: 'startup' })).stdout);
    const first = await start();
    expect(first.systemMessage).toContain('auto memory (MEMORY.md) is also active in this project');
    expect(first.hookSpecificOutput.additionalContext).toContain('Albatross 40');
    expect(first.hookSpecificOutput.additionalContext).not.toContain('MEMORY.md');
    expect(await start()).not.toHaveProperty('systemMessage');
    expect(readFileSync(join(own, 'MEMORY.md'), 'utf8')).toBe('# Notes\n');
  });

  test('tool calls are counted, and after a certain number the session is read', async () => {
    keepsake('config', 'set', 'hooks.everyToolCalls', '3');
    hooks.write(A, [OIL]);
    for (const calls of [1, 2]) {
      await hooks.run('PostToolUse', A, { tool_response: 'x'.repeat(100_000 * calls) });
      expect(existsSync(join(hooks.archive, 'projects'))).toBe(false);
    }
    await hooks.run('PostToolUse', A);
    expect(keepsake('sessions').items).toHaveLength(1);
  });

  test('a stop with little to read is counted, and the next question reads the rest first', async () => {
    hooks.write(A, [OIL]);
    await hooks.run('Stop', A);
    const state = () => readFileSync(join(hooks.archive, 'cache', 'hooks', 'sessions', `${A}.json`), 'utf8');
    const before = state();
    hooks.write(A, [{ you: 'And the bell?', agent: 'The bell needs Petrel grease.' }], 1);
    await hooks.run('Stop', A);
    expect(state()).toBe(before);
    const prompt = 'Which grease does the bell need, Petrel?';
    expect(await hooks.injected('UserPromptSubmit', B, { prompt })).toContain('needs Petrel grease');
    hooks.write(A, [{ you: 'And the rope?', agent: 'The rope needs Gannet wax.' }], 2);
    expect(JSON.stringify(keepsake('search', 'Gannet', 'wax'))).toContain('needs Gannet wax');
    expect(keepsake('verify').passed).toBe(true);
  });

  test('a session that continues after its end is also read to its new end', async () => {
    hooks.write(A, [OIL]);
    await hooks.run('SessionEnd', A);
    hooks.write(A, [{ you: 'And the bell?', agent: 'The bell needs Petrel grease.' }], 1);
    await hooks.run('Stop', A);
    hooks.write(A, [{ you: 'And the rope?', agent: 'The rope needs Gannet wax.' }], 2);
    await hooks.run('Stop', A);
    expect(JSON.stringify(keepsake('search', 'Gannet', 'wax'))).toContain('needs Gannet wax');
  });

  test('a stop with much to read reads the session', async () => {
    hooks.write(A, [OIL]);
    await hooks.run('Stop', A);
    hooks.write(A, [{ you: 'x'.repeat(40_000), agent: 'The bell needs Petrel grease.' }], 1);
    await hooks.run('Stop', A);
    const l1 = readdirSync(hooks.archive, { recursive: true, encoding: 'utf8' }).find((it) =>
      it.endsWith('.l1.jsonl'),
    );
    expect(readFileSync(join(hooks.archive, l1!), 'utf8')).toContain('Petrel grease');
  });

  test('new sessions are archived but not registered if the setting says so', async () => {
    keepsake('config', 'set', 'defaults.autoRegisterSessions', 'false');
    hooks.write(A, [OIL]);
    await hooks.run('SessionEnd', A);
    expect(keepsake('sessions').items).toEqual([]);
    const files = readdirSync(join(hooks.archive, 'projects'), { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.endsWith(`originals/${A}.jsonl`))).toBe(true);
  });

  test('a session that was unregistered or purged does not come back', async () => {
    for (const session of [A, B]) {
      hooks.write(session, [OIL]);
      await hooks.run('Stop', session);
    }
    keepsake('unregister', A);
    keepsake('unregister', B, '--purge', '--yes');
    for (const session of [A, B]) {
      hooks.write(session, [{ you: 'Secret Gannet matter.' }], 1);
      for (const event of EVENTS) await hooks.run(event, session, { source: 'resume' });
    }
    expect(keepsake('sessions').items).toEqual([]);
    const files = readdirSync(join(hooks.archive, 'projects'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.includes(B) && name.includes('originals'))).toEqual([]);
  });

  test('secrets are neither in injections nor in the log', async () => {
    const secret = `ghp_${'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z0A'}`;
    hooks.write(A, [{ you: `The token of the foghorn service is ${secret}.`, agent: 'Noted.' }]);
    await hooks.run('SessionEnd', A, {}, { SOME_TOKEN: secret });
    const start = await hooks.injected('SessionStart', B, { source: 'startup' });
    expect(start).toContain('foghorn service');
    expect(start).not.toContain(secret);
    const log = join(hooks.archive, 'logs');
    const logged = existsSync(log)
      ? readdirSync(log).map((name) => readFileSync(join(log, name), 'utf8'))
      : [];
    expect(logged.join('')).not.toContain(secret);
  });

  test("injections stay below the client's limit, however much there is to inject", async () => {
    const long = Array.from({ length: 60 }, (_, n) => ({
      you: `Foghorn gannet${n} petrel${n} question: "${'\u0007\n\\'.repeat(50)}" ${'oil valve '.repeat(80)}`,
      agent: `Foghorn gannet${n} answer. ${'compressor pressure '.repeat(200)}`,
    }));
    hooks.write(A, long);
    keepsake('config', 'set', 'hooks.startTokens', '2500');
    keepsake('config', 'set', 'hooks.promptTokens', '2500');
    await hooks.run('SessionEnd', A);
    const start = await hooks.run('SessionStart', B, { source: 'startup' });
    const prompt = await hooks.run('UserPromptSubmit', B, {
      prompt: 'What about gannet1 petrel1?',
    });
    for (const { stdout } of [start, prompt]) {
      expect(stdout.length).toBeGreaterThan(400);
      expect(stdout.length).toBeLessThan(10_000);
    }
  });

  test('an agent that compacts in the middle of its work gets what was lost after its next tool call', async () => {
    const kept = '##keepit1.00## The foghorn is only ever oiled with Albatross 40.';
    hooks.write(A, [{ you: `Note this.\n\n${kept}`, agent: 'Noted.' }]);
    await hooks.run('PreCompact', A);
    expect(await hooks.injected('PostToolUse', A)).toBe('');
    const summary = { role: 'user', content: 'This session went on about a foghorn.' };
    const line = { type: 'user', isCompactSummary: true, message: summary, uuid: 'c0', sessionId: A };
    appendFileSync(
      hooks.path(A),
      `${JSON.stringify({ ...line, cwd: hooks.cwd, timestamp: '2026-05-01T10:00:00.000Z' })}\n`,
    );
    const injected = await hooks.injected('PostToolUse', A);
    expect(injected).toContain('The foghorn is only ever oiled with Albatross 40.');
    expect(injected).not.toContain('##keepit');
    expect(await hooks.injected('PostToolUse', A)).toBe('');
  });

  test('nothing is injected twice in one context', async () => {
    hooks.write(A, [OIL]);
    await hooks.run('SessionEnd', A);
    const prompt = { prompt: 'What about the foghorn compressor oil?' };
    expect(await hooks.injected('UserPromptSubmit', B, prompt)).toContain('Albatross 40');
    expect(await hooks.injected('UserPromptSubmit', B, prompt)).toBe('');
    expect(await hooks.injected('SessionStart', B, { source: 'startup' })).toContain('Albatross 40');
    expect(await hooks.injected('SessionStart', B, { source: 'resume' })).toBe('');
    expect(await hooks.injected('SessionStart', B, { source: 'clear' })).toContain('Albatross 40');
  });
});
