import { expect, test } from 'vitest';
import type { AgentClient, PluginFile, PluginStore } from '../../ports/agent-client.ts';
import { fittedTo, type Installer, install, planInstall, planUninstall, uninstall } from './install.ts';

const PROGRAM = { node: '/opt/node/bin/node', program: '/opt/keepsake/bin/keepsake', version: '9.8.7' };
const json = (path: string, value: object): PluginFile => ({
  path,
  bytes: Buffer.from(JSON.stringify(value)),
});
const SHIPPED = [
  json('hooks/hooks.json', {
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'node', args: ['x'] }] }] },
  }),
  json('.mcp.json', { mcpServers: { keepsake: { command: 'keepsake', args: ['mcp'] } } }),
  json('.claude-plugin/plugin.json', { name: 'keepsake', version: '0.0.0' }),
  { path: 'README.md', bytes: Buffer.from('# Read me') },
];

/** An agent that knows a marketplace or not, and writes down what it was asked to do. */
function made(known: boolean, failing?: string): Installer & { ran: string[]; stored: PluginFile[] } {
  const ran: string[] = [];
  const stored: PluginFile[] = [];
  const client: AgentClient = {
    version: async () => '2.1.0 (Claude Code)',
    run: async (args) => {
      if (args.includes('list'))
        return { status: 0, output: JSON.stringify(known ? [{ name: 'keepsake' }] : []) };
      ran.push(args.join(' '));
      return args.join(' ') === failing ? { status: 1, output: 'no\nit is full' } : { status: 0, output: '' };
    },
  };
  const store: PluginStore = {
    folder: '/archive/plugin',
    shipped: async () => SHIPPED,
    replace: async (files) => void stored.splice(0, stored.length, ...files),
    remove: async () => void stored.splice(0),
  };
  return { client, store, program: PROGRAM, ran, stored };
}

test('the copy names this Node and this program, and nothing else changes', () => {
  const fitted = new Map(fittedTo(PROGRAM, SHIPPED).map(({ path, bytes }) => [path, String(bytes)]));
  expect(JSON.parse(fitted.get('hooks/hooks.json')!).hooks.Stop[0].hooks[0]).toEqual({
    type: 'command',
    command: PROGRAM.node,
    args: ['x'],
  });
  expect(JSON.parse(fitted.get('.mcp.json')!).mcpServers.keepsake).toEqual({
    command: PROGRAM.node,
    args: [PROGRAM.program, 'mcp'],
  });
  expect(JSON.parse(fitted.get('.claude-plugin/plugin.json')!)).toEqual({
    name: 'keepsake',
    version: '9.8.7',
  });
  expect(fitted.get('README.md')).toBe('# Read me');
});

test('a plan changes nothing; what it says is what is then done', async () => {
  const installer = made(false);
  const plan = await planInstall(installer);
  expect(installer.ran).toEqual([]);
  expect(installer.stored).toEqual([]);
  await install(installer, plan);
  expect(installer.ran).toEqual([
    'plugin marketplace add /archive/plugin',
    'plugin install keepsake@keepsake',
  ]);
  expect(plan.steps).toHaveLength(1 + installer.ran.length);
  expect(installer.stored).toHaveLength(SHIPPED.length);
});

test('installed already: it is brought up to date, even where the plugin itself is gone', async () => {
  const installer = made(true, 'plugin uninstall keepsake@keepsake');
  await install(installer, await planInstall(installer));
  expect(installer.ran.at(-1)).toBe('plugin install keepsake@keepsake');
});

test('a failed command of the agent is reported with its last words', async () => {
  const installer = made(false, 'plugin install keepsake@keepsake');
  const failing = install(installer, await planInstall(installer));
  await expect(failing).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('it is full'),
  });
});

test('without the agent’s command there is nothing to install into', async () => {
  const installer = made(false);
  installer.client.version = async () => undefined;
  await expect(planInstall(installer)).rejects.toMatchObject({ code: 'not-found' });
});

test('uninstalling takes plugin, marketplace and copy away, and says whether there was anything', async () => {
  const installer = made(true);
  await install(installer, await planInstall(installer));
  installer.ran.length = 0;
  expect((await planUninstall(installer)).steps).toHaveLength(3);
  expect(await uninstall(installer)).toBe(true);
  expect(installer.ran).toEqual(['plugin uninstall keepsake@keepsake', 'plugin marketplace remove keepsake']);
  expect(installer.stored).toEqual([]);
  expect(await uninstall(made(false))).toBe(false);
});
