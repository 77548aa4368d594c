import type { CommandEntry } from './command-entry.ts';

/** The commands of the group `Care`. */
export const MAINTENANCE_COMMANDS: CommandEntry[] = [
  {
    name: 'install',
    group: 'Care',
    summary: 'put memory into Claude Code, by its own plugin commands',
    load: async () => (await import('./commands/install.ts')).defineInstall,
  },
  {
    name: 'uninstall',
    group: 'Care',
    summary: 'take it out again; what is remembered stays',
    load: async () => (await import('./commands/install.ts')).defineUninstall,
  },
  {
    name: 'serve',
    group: 'Care',
    summary: 'the HTTP API, on this machine only',
    load: async () => (await import('./commands/serve.ts')).defineServe,
  },
  {
    name: 'mcp',
    group: 'Care',
    summary: 'the MCP server that the plugin starts',
    load: async () => (await import('./commands/mcp.ts')).defineMcp,
  },
  {
    name: 'hook',
    group: 'Care',
    summary: 'answer one event of Claude Code from stdin',
    load: async () => (await import('./commands/hook.ts')).defineHook,
  },
  {
    name: 'doctor',
    group: 'Care',
    summary: 'look for trouble and say what to do',
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  {
    name: 'verify',
    group: 'Care',
    summary: 'check every kept byte',
    load: async () => (await import('./commands/verify.ts')).defineVerify,
  },
  {
    name: 'models',
    group: 'Care',
    summary: 'which models can be asked, what they would cost, and what they may do',
    load: async () => (await import('./commands/models.ts')).defineModels,
  },
  {
    name: 'ledger',
    group: 'Care',
    summary: 'what models were asked, and what it cost',
    load: async () => (await import('./commands/ledger.ts')).defineLedger,
  },
  {
    name: 'remote',
    group: 'Care',
    summary: 'your memory on all your machines: a synced folder, S3 or git',
    load: async () => (await import('./commands/remote.ts')).defineRemote,
  },
  {
    name: 'hub',
    group: 'Care',
    summary: 'a server that a team shares: members, roles, audit log',
    load: async () => (await import('./commands/hub.ts')).defineHub,
  },
  {
    name: 'handoff',
    group: 'Shape',
    summary: 'hand a task to another agent, with what it needs to go on',
    reads: 'sessions',
    load: async () => (await import('./commands/handoff.ts')).defineHandoff,
  },
  {
    name: 'share',
    group: 'Care',
    summary: 'one session as a readable file for somebody else, masked',
    reads: 'sessions',
    load: async () => (await import('./commands/share.ts')).defineShare,
  },
  {
    name: 'private',
    group: 'Care',
    summary: 'keep a session on this machine for good',
    reads: 'sessions',
    load: async () => (await import('./commands/private.ts')).definePrivate,
  },
  {
    name: 'config',
    group: 'Care',
    summary: 'see and change settings',
    load: async () => (await import('./commands/config.ts')).defineConfig,
  },
];
