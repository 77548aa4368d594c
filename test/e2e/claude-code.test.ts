import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The tests with the real client are left out: ${client.missing}`);

const PAINT = 'Our lighthouse tower paint is Cormorant Grey number 4711, ordered from the harbour merchant.';
const PIN = '##keepit1.00## The lamp must never be dark at night.';
const BASH = ['--allowedTools', 'Bash(echo:*)'];
const CALL = 'CALL:Bash:{"command":"echo painted","description":"say it"}:END';
/** By these words anyone can tell what a hook said. */
const OURS = /from Keepsake|Keepsake's answer|records of what was said/i;

// The scenes follow one another, as they would in a user's day.
describe.skipIf('missing' in client)('inside the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  let first = '';
  beforeAll(async () => {
    const cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    spawnSync('git', ['init', '-q'], { cwd: home.app });
    writeFileSync(join(home.app, 'README.md'), '# Lighthouse\n');
    spawnSync('git', ['add', '.'], { cwd: home.app });
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    spawnSync('git', [...who, 'commit', '-qm', 'begin'], { cwd: home.app });
    return async () => {
      await model.stop();
      home.remove();
      cleanUp();
    };
  });
  afterAll(() => expect(leftRunning(home.path)).toEqual([]));

  test('install --print says what it would do and does nothing', async () => {
    const { status, stdout } = await home.keepsake('install', '--print');
    expect(status).toBe(0);
    expect(stdout).toContain('claude plugin marketplace add');
    expect(stdout).toContain(process.execPath);
    expect(existsSync(home.archive)).toBe(false);
  });

  test('install adds the plugin with the client’s own commands, with this Node in its hooks', async () => {
    const { status, stderr } = await home.keepsake('install', '--yes', '--no-sync');
    expect(`${status} ${stderr}`).toBe('0 ');
    const { stdout } = await home.claude(['plugin', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ id: 'keepsake@keepsake', enabled: true }]);
    const hooks = readFileSync(join(home.archive, 'plugin', 'hooks', 'hooks.json'), 'utf8');
    expect(hooks).toContain(JSON.stringify(process.execPath));
    const checked = await home.claude(['plugin', 'validate', '--strict', join(home.archive, 'plugin')]);
    expect(`${checked.status} ${checked.stdout}`).toContain('Validation passed');
  });

  test('a first session gets no injection; its messages are archived when it ends', async () => {
    const asked = await home.ask(`${PAINT}\n\n${PIN}\n\n${CALL}`, BASH);
    expect(asked).not.toMatch(OURS);
    first = home.sessions()[0] ?? '';
    const { items } = await home.json('sessions');
    expect(items).toMatchObject([{ sessionId: first, registered: true }]);
    expect(items[0].metadata.counts.toolCalls).toBe(1);
    expect(home.remembered()).toContain('Cormorant Grey');
  });

  test('a second session begins with what the first one said and what was pinned', async () => {
    const asked = await home.ask('Hello again.');
    expect(asked).toContain('Cormorant Grey');
    expect(asked).toContain('The lamp must never be dark at night.');
    expect(asked).toContain('records of what was said then');
  });

  test('a prompt gets what matches it, once, and nothing if nothing matches', async () => {
    // No start, so that only the prompt can bring it.
    const env = await settings(home, 'hooks.startTokens', '0');
    const fits = await home.ask('Which paint number did we order for the lighthouse tower?', [], env);
    expect(fits).toContain('Memory that fits this prompt');
    expect(fits).toContain('Cormorant Grey');
    const idle = await home.ask('Thank you, go on please.', [], env);
    expect(idle).not.toMatch(OURS);
    await home.keepsake('config', 'unset', 'hooks.startTokens');
  });

  test('after a compaction the agent gets what the summary lost', async () => {
    const compacted = await home.claude(['-p', '/compact', '--resume', first]);
    expect(compacted.status).toBe(0);
    const asked = await home.ask('What now?', ['--resume', first]);
    expect(asked).toContain('not in its summary');
    expect(asked.split('not in its summary')[1]).toContain('The lamp must never be dark at night.');
    const again = await home.ask('And now?', ['--resume', first]);
    expect(count(again, 'not in its summary')).toBe(count(asked, 'not in its summary'));
  });

  test('after a clear the new session starts with memory', async () => {
    const known = new Set(home.sessions());
    const before = model.requests.length;
    expect((await home.claude(['-p', '/clear', '--resume', first])).status).toBe(0);
    const [fresh] = home.sessions().filter((session) => !known.has(session));
    expect(fresh).toBeDefined();
    expect(model.requests.length).toBe(before);
    expect(home.transcript(fresh!)).toContain('Memory of lighthouse, from Keepsake');
  });

  test('slash commands accept any arguments, and no shell interprets them', async () => {
    const bad = "lighthouse's $(touch stolen) `touch stolen` paint";
    const asked = await home.ask(`/keepsake:search ${bad}`);
    expect(asked).toContain("Keepsake's answer to /keepsake:search");
    expect(asked).toContain('Cormorant Grey');
    expect(existsSync(join(home.app, 'stolen'))).toBe(false);
    expect(await home.ask('/keepsake:status')).toContain('sessions of 1 projects archived');
    expect(await home.ask('/keepsake:recall paint')).toContain("Keepsake's answer to /keepsake:recall");
    expect(await home.ask('/keepsake:suggest paint the tower')).toContain('Sessions that may help');
    const composes = await home.ask('/keepsake:compose paint');
    expect(composes).toContain("Keepsake's answer to /keepsake:compose");
    expect(composes).toContain(`session ${first}`);
    const stored = await home.ask('/keepsake:remember Brushes are always cleaned with linseed oil.');
    expect(stored).toContain('Remembered as');
    expect(await home.ask('Hello.')).toContain('Brushes are always cleaned with linseed oil.');
  });

  test('the tools of the MCP server are there and answer', async () => {
    const asked = await home.ask('CALL:keepsake__search:{"query":"tower paint"}:END', [
      '--allowedTools',
      'mcp__plugin_keepsake_keepsake__search',
    ]);
    expect(asked).toContain('Found in memory: tower paint');
    const composed = await home.ask(`CALL:keepsake__compose:{"sessions":["${first}"]}:END`, [
      '--allowedTools',
      'mcp__plugin_keepsake_keepsake__compose',
    ]);
    expect(composed).toContain(`- session ${first}: `);
  });

  test('an agent that Keepsake starts itself does not trigger its hooks', async () => {
    const known = (await home.json('sessions')).items.length;
    const asked = await home.ask('Which paint number for the lighthouse tower?', [], {
      KEEPSAKE_HOOKS: 'off',
    });
    expect(asked).not.toMatch(OURS);
    expect((await home.json('sessions')).items).toHaveLength(known);
  });

  test('nothing that was injected comes back as memory, whichever command reads it', async () => {
    expect(
      home
        .sessions()
        .map((session) => home.transcript(session))
        .join(''),
    ).toMatch(OURS);
    expect(home.remembered()).not.toMatch(OURS);
    await home.json('sync');
    expect(home.remembered()).not.toMatch(OURS);
    const pinned = (await home.json('keepits')).items as { content: string }[];
    expect(pinned.map(({ content }) => content)).toEqual(['The lamp must never be dark at night.']);
    expect((await home.json('verify')).passed).toBe(true);
  });

  test('the repository of a project that did not opt in stays unchanged', () => {
    const { stdout } = spawnSync('git', ['status', '--porcelain', '--ignored'], {
      cwd: home.app,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  test('uninstall removes the plugin and leaves the archive', async () => {
    expect((await home.keepsake('uninstall', '--yes')).status).toBe(0);
    const { stdout } = await home.claude(['plugin', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual([]);
    expect(existsSync(join(home.archive, 'plugin'))).toBe(false);
    expect((await home.json('sessions')).items.length).toBeGreaterThan(3);
    expect(await home.ask('Which paint number for the lighthouse tower?')).not.toMatch(OURS);
  });
});

async function settings(home: ClaudeHome, key: string, value: string): Promise<Record<string, string>> {
  const { status, stderr } = await home.keepsake('config', 'set', key, value);
  if (status !== 0) throw new Error(stderr);
  return {};
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Programs that still run and whose command line names this home. */
function leftRunning(path: string): string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return command.includes(path) ? [command] : [];
      } catch {
        return [];
      }
    });
}
