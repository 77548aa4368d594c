import { Fault } from '../../core/model/fault.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { isFields } from '../../core/model/shape.ts';
import type { AgentClient, PluginFile, PluginStore } from '../../ports/agent-client.ts';

/** The name of the plugin and of the marketplace that it is its own only plugin of. */
const NAME = 'keepsake';
const ID = `${NAME}@${NAME}`;

/** What the agent is to run: this very Node, and this program. */
export type Program = { node: string; program: string; version: string };

export type Installer = { client: AgentClient; store: PluginStore; program: Program };

/** What will be done, in words, before it is done. */
export type InstallPlan = { client: string; folder: string; steps: string[]; commands: string[][] };

const ADD = (folder: string) => ['plugin', 'marketplace', 'add', folder];
const INSTALL = ['plugin', 'install', ID];
const UPDATE = [
  ['plugin', 'marketplace', 'update', NAME],
  ['plugin', 'uninstall', ID],
  ['plugin', 'install', ID],
];
const UNINSTALL = [
  ['plugin', 'uninstall', ID],
  ['plugin', 'marketplace', 'remove', NAME],
];

export async function planInstall({ client, store, program }: Installer): Promise<InstallPlan> {
  const version = await clientVersion(client);
  const commands = (await isKnown(client)) ? UPDATE : [ADD(store.folder), INSTALL];
  const steps = [
    `Copy the plugin to ${store.folder}. Its hooks run on ${program.node}.`,
    ...commands.map((args) => `Run: claude ${args.join(' ')}`),
  ];
  return { client: version, folder: store.folder, steps, commands };
}

/** Puts the copy in place and has the agent install it. */
export async function install(installer: Installer, { commands }: InstallPlan): Promise<void> {
  await installer.store.replace(fittedTo(installer.program, await installer.store.shipped()));
  for (const args of commands) {
    // What an interrupted installation did not do need not be undone first.
    if (args[1] === 'uninstall') await installer.client.run(args);
    else await run(installer.client, args);
  }
}

export async function planUninstall({ client, store }: Installer): Promise<InstallPlan> {
  const version = await clientVersion(client);
  const steps = [...UNINSTALL.map((args) => `Run: claude ${args.join(' ')}`), `Remove ${store.folder}.`];
  return { client: version, folder: store.folder, steps, commands: UNINSTALL };
}

/** What is remembered stays. False when the agent had no such plugin. */
export async function uninstall({ client, store }: Installer): Promise<boolean> {
  const known = await isKnown(client);
  for (const args of known ? UNINSTALL : []) await client.run(args);
  await store.remove();
  return known;
}

type Json = Record<string, unknown>;
type HookFile = { hooks: Record<string, { hooks: Json[] }[]> };

/** The plugin as it came, with the paths of this machine in it: a hook must not depend on what `node` means elsewhere. */
export function fittedTo(program: Program, files: PluginFile[]): PluginFile[] {
  return files.map(({ path, bytes }) => {
    const change = Object.hasOwn(FITTING, path) ? FITTING[path] : undefined;
    if (!change) return { path, bytes };
    const shipped = parseOutside(Buffer.from(bytes).toString('utf8'));
    if (!isFields(shipped))
      throw new Fault('corrupt', `${path} of the plugin is damaged: it is not JSON.`, {
        hint: 'Install Keepsake again.',
      });
    const fitted = change(shipped, program);
    return { path, bytes: Buffer.from(`${JSON.stringify(fitted, null, 2)}\n`) };
  });
}

const FITTING: Record<string, (json: Json, program: Program) => Json> = {
  'hooks/hooks.json': (json, { node }) => {
    for (const groups of Object.values((json as HookFile).hooks))
      for (const group of groups) for (const hook of group.hooks) hook.command = node;
    return json;
  },
  '.mcp.json': (_, { node, program }) => ({
    mcpServers: { [NAME]: { command: node, args: [program, 'mcp'] } },
  }),
  '.claude-plugin/plugin.json': (json, { version }) => ({ ...json, version }),
};

async function clientVersion(client: AgentClient): Promise<string> {
  const version = await client.version();
  if (version !== undefined) return version;
  throw new Fault('not-found', 'The `claude` command was not found.', {
    hint: 'Install Claude Code first, or open a shell in which `claude --version` works.',
  });
}

async function isKnown(client: AgentClient): Promise<boolean> {
  const { output } = await client.run(['plugin', 'marketplace', 'list', '--json']);
  const list = parseOutside(output);
  return Array.isArray(list) && list.some((it) => it?.name === NAME);
}

async function run(client: AgentClient, args: string[]): Promise<void> {
  const { status, output } = await client.run(args);
  if (status === 0) return;
  throw new Fault(
    'conflict',
    `\`claude ${args.join(' ')}\` failed with status ${status}: ${lastLine(output)}`,
    {
      hint: 'Run it yourself to see its full output, then run `keepsake install` again.',
    },
  );
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
}
