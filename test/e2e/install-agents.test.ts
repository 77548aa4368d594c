import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@decimalturn/toml-patch';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { configFiles } from '../../src/adapters/agent-config/config-files.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const CODEX = `# my settings
model = "gpt-5"   # the best

[mcp_servers.other]      # stays
command = "x"
args = [ "a",  "b" ]

# the end
[profiles.fast]
model="mini"
`;
const GEMINI = `{
\t// how I sign in
\t"security": { "auth": { "selectedType": "oauth-personal" } },
\t"mcpServers": {
\t\t"other": { "command": "x" }, // stays
\t},
}
`;

const KIMI = `default_model = "k2" # mine

[[hooks]]
event = "Stop"
command = "say done"
`;
const PLUGINS = [
  ['.config/opencode/plugin/keepsake.js', 'opencode'],
  ['.pi/agent/extensions/keepsake.ts', 'pi'],
  ['.cline/plugins/keepsake.js', 'cline'],
] as const;

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  put('.codex/config.toml', CODEX);
  put('.gemini/settings.json', GEMINI);
  put('.qwen/settings.json', '{"a":1}');
  put('.copilot/config.json', '{}');
  put('.cursor/projects/x.txt', '');
  put('.factory/AGENTS.md', 'Be kind.');
  put('.config/opencode/opencode.jsonc', '{\r\n  "$schema": "https://opencode.ai/config.json"\r\n}\r\n');
  put('.pi/agent/settings.json', '{}');
  put('.kimi-code/config.toml', KIMI);
  put('.cline/data/settings/providers.json', '{}');
});
afterEach(() => home.remove());

function put(name: string, text: string): string {
  const path = join(home.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const read = (name: string) => readFileSync(join(home.path, name), 'utf8');

/** Every file and folder of the home but the archive's, with its bytes and rights. */
function tree(): Record<string, string> {
  const names = readdirSync(home.path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.claude-memory'),
  );
  return Object.fromEntries(
    names.sort().map((name) => {
      const path = join(home.path, name);
      const about = lstatSync(path);
      const content = about.isFile()
        ? readFileSync(path, 'base64')
        : about.isSymbolicLink()
          ? 'link'
          : 'folder';
      return [name, `${about.mode.toString(8)} ${content}`];
    }),
  );
}

test('every installed agent gets its entry by its own conventions, and uninstall restores every byte', () => {
  chmodSync(join(home.path, '.codex/config.toml'), 0o640);
  const before = tree();
  home.ok('install', '--all', '--instructions', '--yes', '--no-sync');
  const codex = read('.codex/config.toml');
  expect(codex.startsWith(CODEX)).toBe(true);
  expect(parse(codex)).toMatchObject({
    mcp_servers: {
      other: { args: ['a', 'b'] },
      keepsake: { args: [expect.stringMatching(/bin.keepsake$/), 'mcp'] },
    },
  });
  expect(statSync(join(home.path, '.codex/config.toml')).mode & 0o777).toBe(0o640);
  const gemini = read('.gemini/settings.json');
  for (const words of ['// how I sign in', '// stays', '\t\t"keepsake": {']) expect(gemini).toContain(words);
  expect(parseJsonc(gemini).mcpServers).toMatchObject({
    other: { command: 'x' },
    keepsake: { args: [/keepsake/, 'mcp'].map(() => expect.any(String)) },
  });
  expect(JSON.parse(read('.copilot/mcp-config.json')).mcpServers.keepsake).toMatchObject({
    type: 'local',
    tools: ['*'],
    args: [expect.any(String), 'mcp'],
  });
  const hook = expect.stringContaining('--keepsake-for=copilot');
  expect(JSON.parse(read('.copilot/hooks/keepsake.json')).hooks).toEqual({
    SessionStart: [{ hooks: [{ type: 'command', command: hook, timeout: 10 }] }],
    UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook, timeout: 10 }] }],
  });
  const kimi = read('.kimi-code/config.toml');
  expect(kimi.startsWith(KIMI)).toBe(true);
  expect(parse(kimi)).toMatchObject({
    hooks: [
      { event: 'Stop', command: 'say done' },
      { event: 'UserPromptSubmit', command: expect.stringContaining('--keepsake-for=kimi'), timeout: 10 },
    ],
  });
  for (const [file, agent] of PLUGINS) expect(read(file)).toContain(`--keepsake-for=${agent}`);
  expect(JSON.parse(read('.cursor/mcp.json')).mcpServers.keepsake.args.slice(1)).toEqual([
    'mcp',
    '--for',
    'cursor',
  ]);
  const opencode = read('.config/opencode/opencode.jsonc');
  expect(parseJsonc(opencode).mcp.keepsake).toMatchObject({
    type: 'local',
    enabled: true,
    command: [expect.any(String), expect.any(String), 'mcp'],
  });
  expect(opencode.replaceAll('\r\n', '')).not.toContain('\n');
  for (const file of ['.codex/AGENTS.md', '.gemini/GEMINI.md', '.factory/AGENTS.md', '.pi/agent/AGENTS.md'])
    expect(read(file)).toContain('keepsake recall');
  expect(read('.factory/AGENTS.md')).toMatch(/^Be kind\.\n\n/);
  // A second time changes nothing, and forgets nothing.
  const installed = tree();
  home.ok('install', '--all', '--instructions', '--yes', '--no-sync');
  expect(tree()).toEqual(installed);
  home.ok('uninstall', '--yes');
  expect(tree()).toEqual(before);
  expect(existsSync(join(home.archive, 'install', 'agents.json'))).toBe(false);
});

test('later changes stay: only the entry is removed', () => {
  home.ok('install', '--agent', 'codex', '--agent', 'gemini', '--yes', '--no-sync');
  const changed = (name: string, text: string) => writeFileSync(join(home.path, name), text);
  changed('.codex/config.toml', `${read('.codex/config.toml')}\n[profiles.slow] # new\nmodel = "x"\n`);
  changed('.gemini/settings.json', read('.gemini/settings.json').replace('oauth-personal', 'gemini-api-key'));
  const { edited, restored } = home.json('uninstall', '--yes', '--agent', 'codex', '--agent', 'gemini');
  expect({ edited: edited.length, restored }).toEqual({
    edited: 2,
    restored: [join(home.path, '.codex/hooks.json')],
  });
  expect(read('.codex/config.toml')).toBe(`${CODEX}\n[profiles.slow] # new\nmodel = "x"\n`);
  expect(parseJsonc(read('.gemini/settings.json'))).toEqual({
    ...parseJsonc(GEMINI),
    security: { auth: { selectedType: 'gemini-api-key' } },
  });
  expect(read('.gemini/settings.json')).toContain('// stays');
});

test('a plugin that was changed since, or existed before, is left alone', () => {
  put('.pi/agent/extensions/keepsake.ts', 'export default () => {};\n');
  const ran = home.run(['install', '--agent', 'pi', '--agent', 'opencode', '--yes', '--no-sync']);
  expect(ran.status).toBe(5);
  expect(ran.stderr).toContain('was not written by Keepsake');
  expect(read('.pi/agent/extensions/keepsake.ts')).toBe('export default () => {};\n');
  const plugin = '.config/opencode/plugin/keepsake.js';
  const mine = `${read(plugin)}// mine\n`;
  put(plugin, mine);
  const out = home.run(['uninstall', '--agent', 'opencode', '--yes']);
  expect(out.stderr).toContain('was changed after the installation. Delete it yourself.');
  expect(read(plugin)).toBe(mine);
});

test('hooks that Kimi Code rewrote are found by their command', () => {
  home.ok('install', '--agent', 'kimi', '--yes', '--no-sync');
  const { hooks } = parse(read('.kimi-code/config.toml')) as { hooks: { command: string }[] };
  const inline = hooks.map((it) => `{ event = "Stop", command = ${JSON.stringify(it.command)} }`);
  put('.kimi-code/config.toml', `hooks = [${inline.join(', ')}]\ndefault_model = "k3"\n`);
  home.ok('uninstall', '--agent', 'kimi', '--yes');
  expect(parse(read('.kimi-code/config.toml'))).toEqual({
    hooks: [{ event: 'Stop', command: 'say done' }],
    default_model: 'k3',
  });
});

test('without --all or a yes only the named agents are changed; --print changes nothing', () => {
  const before = tree();
  const printed = home.ok('install', '--print');
  expect(printed).toContain('.codex/config.toml');
  expect(home.json('install', '--print', '--agent', 'codex').agents).toMatchObject([
    { agent: 'codex', problems: [] },
  ]);
  const { stderr } = home.run(['install', '--yes', '--no-sync']);
  expect(stderr).toContain('To add Keepsake to them too: `keepsake install --all`.');
  expect(tree()).toEqual(before);
  home.ok('install', '--agent', 'qwen', '--yes', '--no-sync');
  expect(read('.codex/config.toml')).toBe(CODEX);
  expect(JSON.parse(read('.qwen/settings.json'))).toMatchObject({ a: 1, mcpServers: { keepsake: {} } });
});

test('an unknown agent is refused with the list of agents, and a file that is not JSON is left alone', () => {
  const { status, stderr } = home.run(['install', '--agent', 'emacs', '--yes']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/emacs.*\n.*claude-code, codex, gemini, opencode/);
  put('.gemini/settings.json', '{ "a": ');
  const ran = home.run(['install', '--agent', 'gemini', '--yes', '--no-sync']);
  expect(ran.status).toBe(5);
  expect(ran.stderr).toContain('mcpServers.keepsake yourself');
  expect(read('.gemini/settings.json')).toBe('{ "a": ');
});

test('a link in the dotfiles stays a link', () => {
  const real = put('dotfiles/settings.json', '{}\n');
  symlinkSync(real, join(home.path, '.qwen', 'linked.json'));
  const path = join(home.path, '.cursor', 'mcp.json');
  symlinkSync(real, path);
  home.ok('install', '--agent', 'cursor', '--yes', '--no-sync');
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(real, 'utf8')).mcpServers.keepsake).toBeDefined();
  home.ok('uninstall', '--agent', 'cursor', '--yes');
  expect(readFileSync(real, 'utf8')).toBe('{}\n');
});

describe('adding and removing an entry', () => {
  const config = configFiles();
  const entry = { command: '/n', args: ['k', 'mcp'] };
  const word = fc.stringMatching(/^[a-z]{1,6}$/);

  test('in any JSON with comments leaves the rest unchanged', () => {
    const place = { format: 'json' as const, at: ['mcpServers', 'keepsake'] };
    const value = fc.oneof(fc.integer(), fc.constant(null), word, fc.array(fc.integer(), { maxLength: 3 }));
    fc.assert(
      fc.property(
        fc.dictionary(word, value),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom(2, 4, '\t'),
        (rest, has, eol, indent) => {
          const whole = { ...rest, ...(has ? { mcpServers: { other: { command: 'x' } } } : {}) };
          const text = `// mine${eol}${JSON.stringify(whole, null, indent).replaceAll('\n', eol)}${eol}`;
          const added = config.withEntry(text, place, entry)!;
          expect(parseJsonc(added)).toEqual({
            ...whole,
            mcpServers: { ...(has ? { other: { command: 'x' } } : {}), keepsake: entry },
          });
          expect(added.startsWith('// mine')).toBe(true);
          const removed = config.withoutEntry(added, place)!;
          expect(parseJsonc(removed)).toEqual(whole);
        },
      ),
    );
  });

  test('in any TOML restores every byte', () => {
    const place = { format: 'toml' as const, at: ['mcp_servers', 'keepsake'] };
    const row = fc
      .tuple(word, fc.integer(), fc.constantFrom('', ' # why'))
      .map(([key, n, note]) => `${key}_${n < 0 ? 'n' : ''}${Math.abs(n)} = ${n}${note}`);
    const table = fc.tuple(fc.uniqueArray(row, { maxLength: 3 }), fc.nat(999));
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { maxLength: 3 }),
        fc.uniqueArray(table, { maxLength: 3, selector: ([, n]) => n }),
        fc.boolean(),
        (rows, tables, has) => {
          const parts = [
            ...rows,
            ...tables.flatMap(([own, n]) => ['', `[t${n}] # table`, ...own]),
            ...(has ? ['', '[mcp_servers.other]', 'command = "x"'] : []),
          ];
          const text = parts.length === 0 ? '' : `${parts.join('\n')}\n`;
          const added = config.withEntry(text, place, entry)!;
          expect(added.startsWith(text)).toBe(true);
          expect(config.entry(added, place)).toEqual(entry);
          expect(config.withoutEntry(added, place)).toBe(text);
        },
      ),
    );
  });

  test('in a one-line table adds it there', () => {
    const place = { format: 'toml' as const, at: ['mcp_servers', 'keepsake'] };
    const text = 'mcp_servers = { a = { command = "q" } } # mine\n';
    const added = config.withEntry(text, place, entry)!;
    expect(parse(added)).toEqual({ mcp_servers: { a: { command: 'q' }, keepsake: entry } });
    expect(added).toContain('# mine');
    expect(parse(config.withoutEntry(added, place)!)).toEqual(parse(text));
  });
});
