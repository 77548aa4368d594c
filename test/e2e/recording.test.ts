import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { HttpClient, nameOf, ROUTES, type RouteName } from '../made/http-client.ts';
import { makeWorld } from '../made/world.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';
import { HookRuns } from './hook-runs.ts';

const ONE = '11111111-1111-4111-8111-111111111111';
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolUse',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
];
const SECRET = { you: 'The launch is on Friday.', agent: 'Noted: Friday.' };

beforeAll(() => builtCli());

/** Every file below a folder, with its content. */
function contents(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`)
    .join('\n');
}

describe('hooks', () => {
  let hooks: HookRuns;
  beforeEach(() => {
    hooks = new HookRuns();
  });
  afterEach(() => hooks.remove());

  test('write nothing at all for a folder with a marker file', async () => {
    writeFileSync(join(hooks.cwd, '.keepsake-ignore'), '');
    hooks.write(ONE, [SECRET]);
    for (const event of EVENTS)
      expect(await hooks.run(event, ONE, { source: 'startup', prompt: 'When is the launch?' })).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      });
    expect(existsSync(hooks.archive)).toBe(false);
  });

  test('by the folder in which the agent was started, wherever it works now', async () => {
    const elsewhere = join(hooks.home, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(hooks.cwd, '.keepsake-ignore'), '');
    hooks.write(ONE, [SECRET]);
    for (const event of EVENTS)
      await hooks.run(event, ONE, { cwd: elsewhere, prompt: 'x' }, { CLAUDE_PROJECT_DIR: hooks.cwd });
    expect(existsSync(hooks.archive)).toBe(false);
  });

  test('a session that is turned off leaves only its mark, and comes back whole', async () => {
    const off = await hooks.injected('UserPromptSubmit', ONE, { prompt: '/keepsake:off' });
    expect(off).toContain(`Session ${ONE} is not recorded from now on.`);
    expect(off).toContain(`keepsake purge --session ${ONE}`);
    hooks.write(ONE, [SECRET]);
    for (const event of EVENTS) expect((await hooks.run(event, ONE, { prompt: 'x' })).stdout).toBe('');
    expect(contents(hooks.archive)).not.toContain('Friday');
    expect(existsSync(join(hooks.archive, 'projects'))).toBe(false);
    expect(existsSync(join(hooks.archive, 'cache', 'hooks'))).toBe(false);
    const on = await hooks.injected('UserPromptSubmit', ONE, { prompt: '/keepsake:on' });
    expect(on).toContain('is recorded again');
    await hooks.run('SessionEnd', ONE);
    expect(contents(join(hooks.archive, 'projects'))).toContain('Friday');
  });
});

const WORD = 'quetzalfish';
type Way = (home: CliHome, shop: string) => unknown;
const KEEP: [name: string, keepOut: Way, undo: Way][] = [
  [
    'a marker file',
    (_, shop) => writeFileSync(join(shop, '.keepsake-ignore'), ''),
    (_, shop) => rmSync(join(shop, '.keepsake-ignore')),
  ],
  [
    'its setting',
    (home, shop) => home.ok('config', 'set', 'record', 'false', '--project', shop),
    (home, shop) => home.ok('config', 'unset', 'record', '--project', shop),
  ],
  [
    'the setting of all',
    (home) => home.ok('config', 'set', 'record', 'false'),
    (home) => home.ok('config', 'unset', 'record'),
  ],
  ['its session', (home) => home.ok('record', 'off', ONE), (home) => home.ok('record', 'on', ONE)],
];

describe.each(KEEP)('a word of a session that is excluded by %s', (_, keepOut, undo) => {
  let home: CliHome;
  let hooks: HookRuns;
  let shop: string;
  beforeEach(() => {
    home = new CliHome();
    hooks = new HookRuns();
    shop = join(home.path, 'shop');
    mkdirSync(shop);
  });
  afterEach(() => {
    home.remove();
    hooks.remove();
  });

  test('is in no byte of the archive after hooks, compaction, sync and commands', async () => {
    keepOut(home, shop);
    const said = {
      you: `Hide the ${WORD}. ##keepit1.00## The ${WORD} is blue.`,
      agent: `The ${WORD} is hidden.`,
    };
    const path = home.session(shop, ONE, [said, said]);
    const agentPath = join(dirname(path), ONE, 'subagents', 'agent-a1.jsonl');
    home.file(agentPath, readFileSync(path, 'utf8'));
    const env = { HOME: home.path, CLAUDE_PROJECT_DIR: shop };
    const more = {
      prompt: `Where is the ${WORD}?`,
      tool_response: WORD,
      agent_id: 'a1',
      agent_transcript_path: agentPath,
    };
    for (const source of ['startup', 'compact', 'resume']) {
      for (const event of EVENTS) {
        const common = { session_id: ONE, transcript_path: path, cwd: shop, hook_event_name: event };
        const ran = await hooks.raw(JSON.stringify({ ...common, source, ...more }), env);
        expect(ran).toEqual({ status: 0, stdout: '', stderr: '' });
      }
    }
    const asked = { session_id: ONE, transcript_path: path, cwd: shop, hook_event_name: 'UserPromptSubmit' };
    for (const prompt of [
      `/keepsake:remember The ${WORD} is blue.`,
      `/keepsake:search ${WORD}`,
      `/keepsake:recall ${WORD}`,
    ])
      await hooks.raw(JSON.stringify({ ...asked, prompt }), env);
    expect(home.ok('sync')).toContain('1 left out (1 not recorded)');
    expect(home.run(['register', path]).status).not.toBe(0);
    expect(home.run(['search', WORD], {}, shop).stdout).not.toContain('blue');
    expect(home.run(['recall', WORD], {}, shop).stdout).not.toContain('blue');
    home.run(['summarize', ONE], {}, shop);
    home.run(['compress', ONE], {}, shop);
    home.ok('doctor');
    home.ok('sync');
    expect(contents(home.archive)).not.toContain(WORD);
    expect(contents(home.archive)).not.toContain('Where is');
    undo(home, shop);
    expect(home.ok('sync')).toContain('1 new');
    expect(contents(home.archive)).toContain(WORD);
  });
});

test('a word of an excluded project is in no answer of the server, and in no file after it', async () => {
  const world = makeWorld();
  const client = new HttpClient(world);
  const cwd = join(world.places.home, 'shop');
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, '.keepsake-ignore'), '');
  writeFileSync(
    join(world.projects, `${ONE}.jsonl`),
    transcript(cwd, ONE, [{ you: `Hide the ${WORD}.`, agent: 'Yes.' }]),
  );
  const { json } = await client.call('post /api/memory/sync', {}, { body: {} });
  expect(json).toMatchObject({ leftOut: { notRecorded: 1 } });
  const plain = ROUTES.filter(
    ({ method, path, downloads }) => method === 'get' && !path.includes('{') && !downloads,
  );
  expect(plain.length).toBeGreaterThan(20);
  const found = await client.call('get /api/memory/search', { q: WORD });
  expect(found.json.items).toEqual([]);
  for (const route of plain) expect((await client.call(nameOf(route) as RouteName)).text).not.toContain(WORD);
  const { problem } = await client.call('post /api/memory/sessions', {}, { body: { target: ONE } });
  expect(problem.detail).toContain('is not recorded');
  expect(contents(world.places.archive)).not.toContain(WORD);
  rmSync(join(cwd, '.keepsake-ignore'));
  await client.call('post /api/memory/sync', {}, { body: {} });
  expect((await client.call('get /api/memory/search', { q: WORD })).json.items).not.toEqual([]);
  await world.remove();
});

describe('commands', () => {
  let home: CliHome;
  let shop: string;
  beforeEach(() => {
    home = new CliHome();
    shop = join(home.path, 'shop');
    mkdirSync(shop);
  });
  afterEach(() => home.remove());

  test('a project is excluded by its setting, and every command says so', () => {
    home.session(shop, ONE, [SECRET]);
    const set = home.run(['config', 'set', 'record', 'false', '--project', shop]);
    expect([set.status, set.stdout]).toEqual([0, 'record = false (project)\n']);
    expect(set.stderr).toContain('What was recorded before stays');
    expect(home.ok('sync')).toContain('1 left out (1 not recorded)');
    const refused = home.run(['register', ONE]);
    expect([refused.status, refused.stdout]).toEqual([65, '']);
    expect(refused.stderr).toContain('is not recorded');
    expect(home.ok('record')).toMatch(/project shop +setting `record`/);
    expect(home.ok('status')).toContain('1 project (shop)');
    expect(home.ok('doctor')).toContain('projects shop (setting)');
    expect(home.json('projects').items).toMatchObject([{ notRecorded: 'setting', sessionCount: 0 }]);
    expect(contents(home.archive)).not.toContain('Friday');
  });

  test('a session is turned off and on by its id', () => {
    const file = home.session(shop, ONE, [SECRET]);
    expect(home.ok('record', 'off', ONE.slice(0, 8))).toContain(`keepsake purge --session ${ONE}`);
    expect(home.ok('sync')).toContain('1 left out (1 not recorded)');
    expect(home.json('record').sessions).toMatchObject([{ sessionId: ONE }]);
    expect(home.ok('record', 'on', ONE)).toContain('is recorded again');
    expect(home.ok('sync')).toContain('1 new');
    expect(home.ok('record')).toBe('Everything that Keepsake has seen is recorded.\n');
    writeFileSync(join(shop, '.keepsake-ignore'), '');
    const inside = join(shop, 'src');
    mkdirSync(inside);
    expect(home.run(['record'], {}, inside).stdout).toMatch(/this folder +\S*\.keepsake-ignore/);
    expect(home.run(['record', 'off', 'nope']).status).toBe(3);
    rmSync(dirname(file), { recursive: true });
  });
});
