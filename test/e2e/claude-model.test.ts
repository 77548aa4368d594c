import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALONE, agentVariables, claudeAgent } from '../../src/adapters/model/claude-agent.ts';
import { modelContract } from '../contracts/model.ts';
import { transcript } from '../made/conversation.ts';
import { FakeModelServer } from '../made/fake-model-server.ts';
import { honest } from '../made/model-answers.ts';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
const command = 'path' in client ? client.path : '';
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

const QUIET = { DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1', DISABLE_ERROR_REPORTING: '1' };
const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

describe.skipIf(command === '')('the installed claude command', () => {
  modelContract({
    name: 'as a way to a model',
    streams: false,
    open(fake, timeoutMs) {
      const home = mkdtempSync(join(tmpdir(), 'keepsake-agent-'));
      homes.push(home);
      const variables = {
        PATH: process.env.PATH,
        HOME: home,
        ANTHROPIC_BASE_URL: fake.url,
        ANTHROPIC_API_KEY: 'sk-ant-fake-dummy',
        KEEPSAKE_HOOKS: 'off',
        ...QUIET,
      };
      return claudeAgent({ command, folder: join(home, 'empty'), timeoutMs, variables });
    },
  });
});

// Each guard alone must keep the product's own calls out of memory.
describe.skipIf(command === '')('four guards against archiving its own calls', () => {
  const own = '0f0e0d0c-0000-4000-8000-00000000000a';
  let model: FakeModel;
  let home: ClaudeHome;
  beforeAll(async () => {
    const cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome(command, model);
    const { status, stderr } = await home.keepsake('install', '--yes', '--no-sync');
    expect(`${status} ${stderr}`).toBe('0 ');
    return async () => {
      await model.stop();
      home.remove();
      cleanUp();
    };
  });
  const remembered = () => (existsSync(join(home.archive, 'projects')) ? home.remembered() : '');
  const sessions = async () => ((await home.json('sessions')).items as unknown[]).length;

  test('without any guard the session is archived, so the other tests can fail', async () => {
    await home.ask('The harbour crane is painted Pelican Red.');
    expect(remembered()).toContain('Pelican Red');
    expect(await sessions()).toBe(1);
  });

  test('the flag in its environment: its hooks do nothing', async () => {
    const before = remembered();
    const asked = await home.ask('The anchor is painted Tern White.', [], { KEEPSAKE_HOOKS: 'off' });
    expect(asked).not.toContain('Pelican Red');
    expect(remembered()).toBe(before);
    // Only this guard: its session file is there, and goes before anyone looks for new ones.
    rmSync(sessionFile(home, 'Tern White'));
  });

  test('the list of started sessions: neither hooks nor a sync archive it', async () => {
    const folder = join(home.archive, 'cache', 'spawned');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, own), 'started by Keepsake\n');
    await home.ask('The pier is painted Gannet Yellow.', ['--session-id', own]);
    expect(existsSync(sessionFile(home, 'Gannet Yellow'))).toBe(true);
    await home.json('sync');
    expect(remembered()).not.toContain('Gannet Yellow');
    expect(await sessions()).toBe(1);
  });

  test('isolation: no hook, no memory, no session file', async () => {
    const before = home.sessions();
    const asked = await home.ask('The buoy is painted Puffin Orange.', [...ALONE]);
    expect(asked).not.toContain('Pelican Red');
    expect(home.sessions()).toEqual(before);
    await home.json('sync');
    expect(remembered()).not.toContain('Puffin Orange');
    expect(agentVariables({ CLAUDECODE: '1' }, 5)).not.toHaveProperty('CLAUDECODE');
  });

  test('the cap: a loop ends before the call that would exceed it', async () => {
    await home.keepsake('config', 'set', 'model.service', 'claude');
    await home.keepsake('config', 'set', 'model.dailyCap', '0 USD');
    const [session] = (await home.json('sessions')).items as { sessionId: string }[];
    const before = model.requests.length;
    const ran = await home.keepsake('compress', session!.sessionId, '--model', 'haiku', '--ratio', '1');
    expect(ran.status).toBe(79);
    expect(model.requests).toHaveLength(before);
    await home.keepsake('config', 'unset', 'model.dailyCap');
  });
});

describe.skipIf(command === '')('a version by the claude command', () => {
  test('leaves no session, hook or process behind', async () => {
    const cleanUp = builtCli();
    const fake = await FakeModelServer.start((asked) => honest(asked));
    const home = new ClaudeHome(command, fake as unknown as FakeModel);
    try {
      const turns = Array.from({ length: 6 }, (_, n) => ({
        you: `Paint the hull of ship ${n}.${n === 2 ? '\n\n##keepit1.00## Hulls stay black.' : ''}`,
        agent:
          `Ship ${n} has a hull that was painted twice, because the first coat of ship ${n} peeled off. `.repeat(
            8,
          ),
      }));
      const file = join(home.path, 'chat.jsonl');
      writeFileSync(file, transcript(home.app, 'ship-1', turns));
      await home.json('register', file);
      await home.keepsake('config', 'set', 'model.service', 'claude');
      const made = await home.json('compress', 'ship-1', '--model', 'haiku', '--ratio', '4');
      expect(made.items[0].engine).toBe('model-2/claude/claude-haiku-5-5');
      expect(fake.asked.length).toBeGreaterThan(0);
      const { stdout } = await home.keepsake('versions', 'ship-1', 'part1_v001', '--markdown');
      expect(stdout).toContain('Hulls stay black.');
      expect(stdout).toContain('In short, ');
      expect(JSON.stringify(fake.asked)).not.toContain('Hulls stay black');
      const written = readdirSync(join(home.path, '.claude'), { recursive: true, encoding: 'utf8' });
      expect(written.filter((name) => name.endsWith('.jsonl'))).toEqual([]);
      expect((await home.json('sessions')).items).toHaveLength(1);
      expect(leftRunning(home.path)).toEqual([]);
    } finally {
      await fake.stop();
      home.remove();
      cleanUp();
    }
  });
});

function sessionFile(home: ClaudeHome, words: string): string {
  const found = home.sessions().find((session) => home.transcript(session).includes(words)) ?? 'none';
  return join(home.path, '.claude', 'projects', home.app.replace(/[^A-Za-z0-9]/g, '-'), `${found}.jsonl`);
}

/** Programs that still run and whose command line or folder names this home. */
function leftRunning(path: string): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return line.includes(path) ? [line] : [];
      } catch {
        return [];
      }
    });
}
