import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HANDOFF_TARGETS } from '../../src/core/agents/handoff-targets.ts';
import { SETUP_AGENTS } from '../../src/core/model/agent-setup.ts';
import { WRITERS } from '../made/agent-sessions.ts';
import { workSession } from '../made/work.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

let home: CliHome;
let shop: string;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  shop = join(home.path, 'shop');
  mkdirSync(shop);
  const folder = join(home.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const steps = [
    { you: 'Round all prices half up. Never edit the files under `src/gen`, run `make gen` instead.' },
    { edit: 'src/price.ts' },
    { agent: 'Prices are rounded half up in `roundPrice`.' },
    { you: 'Now the invoices, too.' },
    { agent: 'The invoices still use the old rounding; `invoice.ts` is next.' },
  ];
  writeFileSync(join(folder, 'first001.jsonl'), workSession('first001', steps, '2026-01-05'));
  home.ok('sync');
});
afterEach(() => home.remove());

test('a task has the request, its outcome, the decisions and the changed files, within its budget', () => {
  const text = home.ok('handoff', 'first001', '--to', 'codex', '--print');
  for (const words of [
    'Round all prices half up',
    'Now the invoices, too.',
    '`invoice.ts` is next',
    'src/price.ts',
  ])
    expect(text).toContain(words);
  expect(text).toMatch(/^<!-- keepsake:begin [0-9a-f]{16} -->/);
  const { tokens, command, to } = home.json('handoff', 'first001', '--to', 'gemini', '--budget', '300');
  expect(tokens).toBeLessThanOrEqual(300);
  expect({ to, command }).toEqual({
    to: 'gemini',
    command: expect.stringMatching(/^gemini -i "\$\(cat .*\)"$/),
  });
  expect(home.run(['handoff', 'first001', '--to', 'codex', '--budget', '10']).status).toBe(2);
});

test('none of its words count as typed in the session of the other agent', () => {
  const ran = home.run(['handoff', 'first001', '--to', 'codex', '--start']);
  // The folder of the session is not on this machine.
  expect(ran.status).toBe(3);
  expect(ran.stderr).toContain("can't be started here");
  const text = home.json('handoff', 'first001', '--to', 'codex').text;
  const lines = WRITERS.codex([
    { kind: 'ask', text },
    { kind: 'answer', text: 'I go on with the invoices.' },
    { kind: 'ask', text: 'Good, go on.' },
    { kind: 'answer', text: 'Done.' },
  ]);
  home.file(
    join(home.path, '.codex', 'sessions', '2026', '01', '06', 'rollout-made.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  home.ok('sync');
  const own = home
    .json('sessions')
    .items.find((row: { metadata: { agent: string } }) => row.metadata.agent === 'codex');
  const shown = home.ok('show', own.sessionId, '--messages');
  expect(shown).toContain('I go on with the invoices.');
  expect(shown).not.toContain('Never edit the files');
});

test('the agent is started in the folder of the session, and its exit status is returned', () => {
  const bin = join(home.path, 'bin');
  const log = join(home.path, 'got.txt');
  mkdirSync(bin);
  writeFileSync(join(bin, 'pi'), `#!/bin/sh\npwd > '${log}'\nprintf '%s' "$1" >> '${log}'\nexit 7\n`);
  chmodSync(join(bin, 'pi'), 0o755);
  home.session(shop, '44444444-dddd-4ddd-8ddd-000000000001', [
    { you: 'Paint the door blue.' },
    { agent: 'Done.' },
  ]);
  home.ok('sync');
  const ran = home.run(['handoff', '44444444', '--to', 'pi', '--start'], {
    PATH: `${bin}:${process.env.PATH}`,
  });
  expect(ran).toMatchObject({ status: 7, stderr: '' });
  expect(readFileSync(log, 'utf8')).toMatch(/shop\n<!-- keepsake:begin[\s\S]*Paint the door blue\./);
  // Without a name it is the newest session of the folder.
  expect(home.in(shop, 'handoff', '--to', 'qwen')).toContain('qwen -i "$(cat ');
});

test('Kimi Code, which answers a first prompt and ends, changes nothing and is then opened', () => {
  const bin = join(home.path, 'bin');
  const log = join(home.path, 'got.txt');
  mkdirSync(bin);
  const script = (status: number) =>
    `#!/bin/sh\nprintf '%s|' "$@" >> '${log}'\nif [ "$1" = -p ]; then exit ${status}; else exit 7; fi\n`;
  const start = (status: number) => {
    writeFileSync(log, '');
    writeFileSync(join(bin, 'kimi'), script(status), { mode: 0o755 });
    return home.run(['handoff', '44444444', '--to', 'kimi', '--start'], {
      PATH: `${bin}:${process.env.PATH}`,
    });
  };
  home.session(shop, '44444444-dddd-4ddd-8ddd-000000000003', [
    { you: 'Paint the door blue.' },
    { agent: 'Done.' },
  ]);
  home.ok('sync');
  expect(start(0)).toMatchObject({ status: 7, stderr: '' });
  expect(readFileSync(log, 'utf8')).toMatch(
    /^-p\|<!-- keepsake:begin[\s\S]*change no file yet[\s\S]*Paint the door blue\.[\s\S]*\|--continue\|$/,
  );
  expect(start(5).status).toBe(5);
  expect(readFileSync(log, 'utf8')).not.toContain('|--continue|');
  expect(home.ok('handoff', '44444444', '--to', 'kimi')).toMatch(
    /kimi -p "\$\(cat .*\)" && kimi --continue\n/,
  );
  expect(home.ok('handoff', '44444444', '--to', 'codex', '--print')).toContain('then continue');
});

test('an agent that no command starts with a prompt gets a file to paste, and every agent that install knows is a target', () => {
  const { command, file, text } = home.json('handoff', 'first001', '--to', 'roo');
  expect(command).toBeNull();
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(home.ok('handoff', 'first001', '--to', 'roo')).toContain(
    'paste the text of this file into it.\n\n  ',
  );
  const started = home.run(['handoff', 'first001', '--to', 'roo', '--start']);
  expect(started).toMatchObject({ status: 2, stdout: '' });
  expect(started.stderr).toContain('Roo Code has no command that starts it with a prompt.');
  expect(SETUP_AGENTS.filter((agent) => !HANDOFF_TARGETS.includes(agent))).toEqual([]);
});

test('Claude Code gets a session of its own', () => {
  home.session(shop, '44444444-dddd-4ddd-8ddd-000000000002', [
    { you: 'Paint the door blue.' },
    { agent: 'Done.' },
  ]);
  home.ok('sync');
  const made = JSON.parse(home.in(shop, 'handoff', '44444444', '--to', 'claude', '--json'));
  const { command, cwd, tokens, text } = made;
  expect(cwd).toBe(shop);
  // What it begins with is the composition, not the text for other agents.
  const { items } = home.json('compositions');
  expect(items.map((it: { totalTokens: number }) => it.totalTokens)).toEqual([tokens]);
  expect(text).not.toContain('Task handed over');
  expect(text).toContain('Paint the door blue.');
  const [, id] = /^claude --resume ([0-9a-f-]{36})$/.exec(command) ?? [];
  const file = join(home.projects, shop.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`);
  expect(readFileSync(file, 'utf8')).toContain('Paint the door blue.');
});

test('an unknown agent is refused with the list', () => {
  const { status, stderr } = home.run(['handoff', 'first001', '--to', 'emacs']);
  expect(status).toBe(2);
  expect(stderr).toContain('claude, codex, gemini, opencode');
});
