import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from './built-cli.ts';
import { claudeClient } from './claude-client.ts';
import { ClaudeHome } from './claude-home.ts';
import { FakeModel } from './fake-model.ts';

const client = claudeClient();
if ('missing' in client) console.warn(`The journal with the real client is left out: ${client.missing}`);

const SUMMARIZE = ['--allowedTools', 'mcp__plugin_keepsake_keepsake__summarize'];
const SYNTHESIZE = ['--allowedTools', 'mcp__plugin_keepsake_keepsake__synthesize'];
const LAMP = "Let's keep the lamp oil in the stone cellar instead of the attic, since the attic gets hot.";
const page = (point: string) =>
  `# Lamp oil\n\n## Context\nWhere the oil is kept.\n\n## Tracking Points\n- **Decision:** ${point}\n`;

// The scenes follow one another; the project has neither git nor code.
describe.skipIf('missing' in client)('the journal inside the real Claude Code', () => {
  let model: FakeModel;
  let home: ClaudeHome;
  let session = '';
  let file = '';
  const master = () => join(home.app, '_memory', 'master.md');
  beforeAll(async () => {
    const cleanUp = builtCli();
    model = await FakeModel.start();
    home = new ClaudeHome('path' in client ? client.path : '', model);
    expect((await home.keepsake('install', '--yes', '--no-sync')).status).toBe(0);
    return async () => {
      await model.stop();
      home.remove();
      cleanUp();
    };
  });

  test('summarize knows its session, and writes nothing before the user agrees', async () => {
    await home.ask(LAMP);
    session = home.sessions()[0] ?? '';
    file = join(home.app, '_memory', 'conversations', `${session}.md`);
    const asked = await home.ask('/keepsake:summarize', ['--resume', session]);
    expect(asked).toContain("Keepsake's answer to /keepsake:summarize");
    expect(asked).toContain(`The session is ${session}. Its page is _memory/conversations/${session}.md.`);
    expect(asked).toContain('Show it to the user and ask');
    expect(existsSync(join(home.app, '_memory'))).toBe(false);
  });

  test("from prompt to file; the same conversation updates the same file, and the user's own lines stay", async () => {
    const saved = await home.ask(
      call('summarize', { session, text: page('The oil stands in the cellar.') }),
      SUMMARIZE,
    );
    expect(saved).toContain(`_memory/conversations/${session}.md`);
    expect(readFileSync(file, 'utf8')).toContain('The oil stands in the cellar.');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('## Tracking Points\n', '## Tracking Points\n- my own line\n'),
    );
    await home.ask(
      call('summarize', { session, text: page('The oil stands in the cellar, behind the door.') }),
      SUMMARIZE,
    );
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('behind the door.');
    expect(text).toContain('- my own line\n');
    expect(readdirSync(join(home.app, '_memory', 'conversations'))).toEqual([`${session}.md`]);
  });

  test('a session start names the number of waiting summaries', async () => {
    expect(await home.ask('Good morning.')).toContain('1 summary in _memory/, no master yet.');
  });

  test('synthesize from prompt to file, and recall loads it', async () => {
    const asked = await home.ask('/keepsake:synthesize');
    expect(asked).toContain("Keepsake's answer to /keepsake:synthesize");
    expect(existsSync(master())).toBe(false);
    await home.ask(call('synthesize', { save: true }), SYNTHESIZE);
    expect(readFileSync(master(), 'utf8')).toContain('The oil stands in the cellar, behind the door.');
    const recalled = await home.ask('/keepsake:recall');
    expect(recalled).toContain('_memory/master.md, made on');
    expect(recalled).toContain('behind the door.');
  });

  test('the client loads the master through the import line in CLAUDE.md', async () => {
    expect((await home.keepsake('init', '--claude-md', '--yes')).status).toBe(0);
    expect(readFileSync(join(home.app, 'CLAUDE.md'), 'utf8')).toBe('@_memory/master.md\n');
    const asked = await home.ask('Hello.', [], { KEEPSAKE_HOOKS: 'off' });
    expect(asked).toContain('behind the door.');
    expect((await home.keepsake('init', '--claude-md', '--undo', '--yes')).status).toBe(0);
    expect(await home.ask('Hello.', [], { KEEPSAKE_HOOKS: 'off' })).not.toContain('behind the door.');
  });

  test('the plugin with its agents is valid', async () => {
    const checked = await home.claude(['plugin', 'validate', '--strict', join(home.archive, 'plugin')]);
    expect(`${checked.status} ${checked.stdout}`).toContain('Validation passed');
  });
});

function call(tool: string, input: Record<string, unknown>): string {
  return `CALL:keepsake__${tool}:${JSON.stringify(input)}:END`;
}
