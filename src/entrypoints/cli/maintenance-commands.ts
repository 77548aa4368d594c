import type { CommandEntry } from './command-entry.ts';

/** The commands of the group `Care`. */
export const MAINTENANCE_COMMANDS: CommandEntry[] = [
  {
    name: 'install',
    group: 'Maintenance',
    summary: 'turn memory on in Claude Code and other agents',
    load: async () => (await import('./commands/install.ts')).defineInstall,
  },
  {
    name: 'uninstall',
    group: 'Maintenance',
    summary: 'turn memory off again; the archive stays',
    load: async () => (await import('./commands/install.ts')).defineUninstall,
  },
  {
    name: 'serve',
    group: 'Maintenance',
    summary: 'start the HTTP API, on this machine only',
    load: async () => (await import('./commands/serve.ts')).defineServe,
  },
  {
    name: 'mcp',
    group: 'Maintenance',
    summary: 'run the MCP server (started by the plugin)',
    load: async () => (await import('./commands/mcp.ts')).defineMcp,
  },
  {
    name: 'hook',
    group: 'Maintenance',
    summary: 'answer one Claude Code event from stdin',
    load: async () => (await import('./commands/hook.ts')).defineHook,
  },
  {
    name: 'doctor',
    group: 'Maintenance',
    summary: 'find problems, with instructions',
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  {
    name: 'verify',
    group: 'Maintenance',
    summary: 'check every archived byte',
    load: async () => (await import('./commands/verify.ts')).defineVerify,
  },
  {
    name: 'models',
    group: 'Maintenance',
    summary: 'show available models, their cost and their uses',
    load: async () => (await import('./commands/models.ts')).defineModels,
  },
  {
    name: 'ledger',
    group: 'Maintenance',
    summary: 'list model calls and their cost',
    load: async () => (await import('./commands/ledger.ts')).defineLedger,
  },
  {
    name: 'remote',
    group: 'Maintenance',
    summary: 'sync memory between machines: a shared folder, S3, git or a hub',
    load: async () => (await import('./commands/remote.ts')).defineRemote,
  },
  {
    name: 'hub',
    group: 'Maintenance',
    summary: 'run a server for a team: members, roles, audit log',
    load: async () => (await import('./commands/hub.ts')).defineHub,
  },
  {
    name: 'team',
    group: 'Maintenance',
    summary: 'exchange team facts through a git branch and pull request',
    load: async () => (await import('./commands/team.ts')).defineTeam,
  },
  {
    name: 'handoff',
    group: 'Build',
    summary: 'hand a task to another agent, with the context it needs',
    reads: 'sessions',
    load: async () => (await import('./commands/handoff.ts')).defineHandoff,
  },
  {
    name: 'share',
    group: 'Maintenance',
    summary: 'write a session as a readable file for someone else, masked',
    reads: 'sessions',
    load: async () => (await import('./commands/share.ts')).defineShare,
  },
  {
    name: 'private',
    group: 'Maintenance',
    summary: 'never send a session to other machines',
    reads: 'sessions',
    load: async () => (await import('./commands/private.ts')).definePrivate,
  },
  {
    name: 'config',
    group: 'Maintenance',
    summary: 'show and change settings',
    load: async () => (await import('./commands/config.ts')).defineConfig,
  },
];
