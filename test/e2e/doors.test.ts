import { appendFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteOpen } from '../../src/app/sync/open-sessions.ts';
import { loadHookSession, saveHookSession } from '../../src/app/sync/running-session.ts';
import { sync } from '../../src/app/sync/sync.ts';
import { syncSession } from '../../src/app/sync/sync-session.ts';
import { CONFIG_DEFAULTS } from '../../src/core/model/config-defaults.ts';
import { type SessionId, sanitizePath } from '../../src/core/model/ids.ts';
import { MEMORY_TOOLS } from '../../src/entrypoints/mcp/memory-tools.ts';
import { callTool } from '../../src/entrypoints/mcp/serve-mcp.ts';
import { type Turn, transcript } from '../made/conversation.ts';
import { HttpClient, type RouteName } from '../made/http-client.ts';
import { makeWorld, type TestWorld } from '../made/world.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';
import { HookRuns } from './hook-runs.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
const OTHER = '22222222-aaaa-4aaa-8aaa-000000000002';

/** Says a word that was never said before, in a session that goes on. */
class Talk {
  #said = 0;
  readonly #write: (turns: Turn[], from: number) => void;

  constructor(write: (turns: Turn[], from: number) => void) {
    this.#write = write;
  }

  says(): string {
    const word = `petrel${this.#said}`;
    this.#write(
      [
        {
          you: `And the ${word}?\n\n##keepit0.50## Grease the ${word}.`,
          agent: `I decided to use ${word} grease because it lasts longer.`,
        },
      ],
      this.#said,
    );
    this.#said++;
    return word;
  }
}

describe('the command line', () => {
  const home = new CliHome();
  const hooks = new HookRuns();
  const talk = new Talk((turns, from) => hooks.write(ID, turns, from));
  const env = { CLAUDE_MEMORY_DIR: hooks.archive };
  const run = (...args: string[]) => home.run(args, env, hooks.cwd);
  const archived = () => {
    const folder = join(hooks.archive, 'projects', sanitizePath(hooks.cwd), 'originals');
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  };
  let remove: () => void;
  beforeAll(async () => {
    remove = builtCli();
    hooks.readAtEveryStop();
    talk.says();
    await hooks.run('Stop', ID);
  });
  afterAll(() => {
    home.remove();
    hooks.remove();
    remove();
  });

  test.each([
    [['search', 'petrel1']],
    [['show', ID, '--messages']],
    [['show', ID, '--raw']],
    [['exchanges', ID]],
    [['keepits']],
    [['recall', 'petrel']],
    [['compose', 'now', '--latest', '1', '--budget', '9000', '--preview', '--markdown']],
    [['summarize', ID, '--print']],
  ])('%j prints what a running session said a moment ago', (args) => {
    const word = talk.says();
    const { stdout, stderr } = run(...args.map((arg) => (arg === 'petrel1' ? word : arg)));
    expect(stderr).toBe('');
    expect(stdout).toContain(word);
  });

  test.each([
    [['config']],
    [['status']],
    [['facts']],
    [['ledger']],
    [['history']],
    [['doctor']],
    [['models']],
  ])('%j reads no session, and leaves those that run alone', (args) => {
    const before = archived();
    talk.says();
    expect(run(...args).status).toBe(0);
    expect(archived()).toBe(before);
  });

  test('a slash command of another session finds it, too', async () => {
    const word = talk.says();
    hooks.write(OTHER, [{ you: 'Good morning.', agent: 'Good morning.' }]);
    const told = (prompt: string) => hooks.injected('UserPromptSubmit', OTHER, { prompt });
    expect(await told(`/keepsake:search ${word}`)).toContain(`And the ${word}?`);
    const next = talk.says();
    expect(await told(`/keepsake:recall ${next}`)).toContain(`And the ${next}?`);
  });
});

describe('HTTP and MCP', () => {
  let world: TestWorld;
  let client: HttpClient;
  const path = () => join(world.projects, `${ID}.jsonl`);
  const talk = new Talk((turns, from) => {
    const blank: Turn[] = Array.from({ length: from }, () => ({}));
    appendFileSync(path(), transcript('/srv/shop', ID, [...blank, ...turns]));
  });
  const project = sanitizePath('/srv/shop');
  const archived = () => world.archive.originals.size(project, `${ID}.jsonl`);
  beforeAll(async () => {
    world = makeWorld();
    world.places.cwd = '/srv/shop';
    client = new HttpClient(world);
    mkdirSync(world.projects, { recursive: true });
    writeFileSync(path(), '');
    talk.says();
    await sync(world);
    const state = await loadHookSession(world, ID);
    await syncSession(world, state, path(), { config: CONFIG_DEFAULTS, upTo: 'l1' });
    await saveHookSession(world, state);
    await noteOpen(world, ID);
  });
  afterAll(() => world.remove());

  const NOT_READING: [RouteName, Record<string, string>][] = [
    ['get /api/memory/config', {}],
    ['get /api/memory/strategies', {}],
    ['get /api/memory/status', {}],
    ['get /api/memory/waiting', {}],
    ['get /api/memory/jobs', {}],
    ['get /api/memory/ledger', {}],
    ['get /api/memory/history', {}],
    ['get /api/memory/facts', {}],
    ['get /api/memory/concepts', {}],
    ['get /api/memory/compositions', {}],
    ['get /api/memory/projects/{projectId}/memory', { projectId: project }],
    ['get /api/memory/decay/schedule', {}],
  ];
  test.each(NOT_READING)('%s reads no session, and leaves running sessions alone', async (name, params) => {
    const before = await archived();
    talk.says();
    expect((await client.call(name, params)).status).toBe(200);
    expect(await archived()).toBe(before);
  });

  const host = () => ({
    version: '0',
    world,
    failed: async (error: unknown) => expect(error).toBe(undefined),
  });
  const call = async (name: string, values: Record<string, unknown>) => {
    const tool = MEMORY_TOOLS.find((it) => it.name === name)!;
    return (await callTool(host(), tool, values)).content[0]!.text;
  };
  test.each<[string, (word: string) => Record<string, unknown>]>([
    ['recall', (topic) => ({ topic })],
    ['search', (query) => ({ query })],
    ['compose', () => ({ latest: 1, budget: 9000 })],
    ['compose', () => ({ sessions: ['current'], budget: 9000 })],
    ['story', () => ({ session: ID })],
    ['summarize', () => ({ session: ID })],
  ])('the tool %s tells what a running session said a moment ago', async (name, values) => {
    const word = talk.says();
    expect(await call(name, values(word))).toContain(word);
  });

  test('the tools sessions and suggest count and find it', async () => {
    const messages = async () => Number(/(\d+) messages/.exec(await call('sessions', {}))?.[1]);
    const before = await messages();
    const word = talk.says();
    expect(await messages()).toBe(before + 2);
    expect(await call('suggest', { task: word })).toContain(ID);
  });

  test('the tool remember reads no session', async () => {
    const before = await archived();
    talk.says();
    expect(await call('remember', { sentence: 'Bells are greased on Mondays.' })).toContain('Remembered');
    expect(await archived()).toBe(before);
  });
});
