import type { Reads } from '../../app/reads.ts';
import type { Define } from './cli.ts';

type Entry = {
  name: string;
  group: string;
  summary: string;
  /** What its door brings up to date first; `sessions` unless it says otherwise. */
  reads?: Reads;
  load: () => Promise<Define>;
};

export const GROUPS = ['Find', 'Look', 'Keep', 'Shape', 'Care'] as const;

/** Every command; its code is loaded when it runs. */
export const COMMANDS: Entry[] = [
  {
    name: 'search',
    group: 'Find',
    summary: 'find what was said, in every session',
    reads: 'index',
    load: async () => (await import('./commands/search.ts')).defineSearch,
  },
  {
    name: 'recall',
    group: 'Find',
    summary: 'what memory says about a topic, within a token budget',
    load: async () => (await import('./commands/recall.ts')).defineRecall,
  },
  {
    name: 'suggest',
    group: 'Find',
    summary: 'sessions that help with the files or topic at hand',
    load: async () => (await import('./commands/suggest.ts')).defineSuggest,
  },
  {
    name: 'ui',
    group: 'Look',
    summary: 'see and shape the memory in your browser',
    reads: 'nothing',
    load: async () => (await import('./commands/serve.ts')).defineUi,
  },
  {
    name: 'sessions',
    group: 'Look',
    summary: 'list sessions, newest first',
    load: async () => (await import('./commands/sessions.ts')).defineSessions,
  },
  {
    name: 'show',
    group: 'Look',
    summary: 'one session: details, conversation, keepits, original',
    load: async () => (await import('./commands/show.ts')).defineShow,
  },
  {
    name: 'exchanges',
    group: 'Look',
    summary: 'the asks of a session and what each caused',
    load: async () => (await import('./commands/exchanges.ts')).defineExchanges,
  },
  {
    name: 'facts',
    group: 'Look',
    summary: 'rules, solutions and lessons that last; add, confirm, correct, forget',
    reads: 'nothing',
    load: async () => (await import('./commands/facts.ts')).defineFacts,
  },
  {
    name: 'concepts',
    group: 'Look',
    summary: 'what the work was about; merge, split, rename',
    reads: 'nothing',
    load: async () => (await import('./commands/concepts.ts')).defineConcepts,
  },
  {
    name: 'keepits',
    group: 'Look',
    summary: 'what was marked to be kept, heaviest first',
    load: async () => (await import('./commands/keepits.ts')).defineKeepits,
  },
  {
    name: 'projects',
    group: 'Look',
    summary: 'list projects, or rename one',
    load: async () => (await import('./commands/projects.ts')).defineProjects,
  },
  {
    name: 'status',
    group: 'Look',
    summary: 'what is kept, and what is not yet',
    reads: 'nothing',
    load: async () => (await import('./commands/status.ts')).defineStatus,
  },
  {
    name: 'stats',
    group: 'Look',
    summary: 'figures with small charts: storage, tokens, activity, keepits',
    load: async () => (await import('./commands/stats.ts')).defineStats,
  },
  {
    name: 'history',
    group: 'Look',
    summary: 'what was done to the memory, and when',
    reads: 'nothing',
    load: async () => (await import('./commands/history.ts')).defineHistory,
  },
  {
    name: 'sync',
    group: 'Keep',
    summary: 'find new and grown sessions everywhere and keep them',
    reads: 'nothing',
    load: async () => (await import('./commands/sync.ts')).defineSync,
  },
  {
    name: 'register',
    group: 'Keep',
    summary: 'keep one session, one file or one folder',
    reads: 'nothing',
    load: async () => (await import('./commands/register.ts')).defineRegister,
  },
  {
    name: 'unregister',
    group: 'Keep',
    summary: 'leave a session out, or purge it',
    load: async () => (await import('./commands/unregister.ts')).defineUnregister,
  },
  {
    name: 'purge',
    group: 'Keep',
    summary: 'forget a session, a message, a text or a secret for good, with proof',
    load: async () => (await import('./commands/purge.ts')).definePurge,
  },
  {
    name: 'keepit',
    group: 'Keep',
    summary: 'add, change, remove or confirm a keepit',
    load: async () => (await import('./commands/keepit.ts')).defineKeepit,
  },
  {
    name: 'decay',
    group: 'Keep',
    summary: 'which keepits fade; let old sessions shrink, by rules, with undo',
    load: async () => (await import('./commands/decay.ts')).defineDecay,
  },
  {
    name: 'import',
    group: 'Keep',
    summary: 'take in what was exported, or chats of other programs',
    reads: 'nothing',
    load: async () => (await import('./commands/import.ts')).defineImport,
  },
  {
    name: 'export',
    group: 'Keep',
    summary: 'put a project, some sessions or everything into one file',
    load: async () => (await import('./commands/export.ts')).defineExport,
  },
  {
    name: 'summarize',
    group: 'Shape',
    summary: "a conversation as a page of the project's journal",
    reads: 'folder',
    load: async () => (await import('./commands/summarize.ts')).defineSummarize,
  },
  {
    name: 'synthesize',
    group: 'Shape',
    summary: 'all pages of the journal as one memory of the project',
    reads: 'nothing',
    load: async () => (await import('./commands/synthesize.ts')).defineSynthesize,
  },
  {
    name: 'compress',
    group: 'Shape',
    summary: 'make a shorter version of a session',
    load: async () => (await import('./commands/compress.ts')).defineCompress,
  },
  {
    name: 'delta',
    group: 'Shape',
    summary: 'what is new since the last part, and compress it',
    load: async () => (await import('./commands/delta.ts')).defineDelta,
  },
  {
    name: 'versions',
    group: 'Shape',
    summary: 'the versions of a session, their receipts and texts',
    load: async () => (await import('./commands/versions.ts')).defineVersions,
  },
  {
    name: 'diff',
    group: 'Shape',
    summary: 'what two versions kept, and what is gone',
    load: async () => (await import('./commands/diff.ts')).defineDiff,
  },
  {
    name: 'blame',
    group: 'Shape',
    summary: 'a line of a version to its message and bytes',
    load: async () => (await import('./commands/blame.ts')).defineBlame,
  },
  {
    name: 'prune',
    group: 'Shape',
    summary: 'take versions away',
    load: async () => (await import('./commands/prune.ts')).definePrune,
  },
  {
    name: 'memory',
    group: 'Keep',
    summary: "a project's rolling memory and notes: memory.md, project.md and their like",
    reads: 'nothing',
    load: async () => (await import('./commands/memory.ts')).defineMemory,
  },
  {
    name: 'init',
    group: 'Keep',
    summary: "keep a project's memory in the project itself",
    reads: 'nothing',
    load: async () => (await import('./commands/init.ts')).defineInit,
  },
  {
    name: 'compose',
    group: 'Shape',
    summary: 'several sessions in one context, within a token budget',
    load: async () => (await import('./commands/compose.ts')).defineCompose,
  },
  {
    name: 'compositions',
    group: 'Shape',
    summary: 'list, show, reuse and delete compositions',
    load: async () => (await import('./commands/compositions.ts')).defineCompositions,
  },
  {
    name: 'links',
    group: 'Shape',
    summary: 'sessions that help in another project',
    load: async () => (await import('./commands/links.ts')).defineLinks,
  },
  {
    name: 'install',
    group: 'Care',
    summary: 'put memory into Claude Code, by its own plugin commands',
    reads: 'nothing',
    load: async () => (await import('./commands/install.ts')).defineInstall,
  },
  {
    name: 'uninstall',
    group: 'Care',
    summary: 'take it out again; what is remembered stays',
    reads: 'nothing',
    load: async () => (await import('./commands/install.ts')).defineUninstall,
  },
  {
    name: 'serve',
    group: 'Care',
    summary: 'the HTTP API, on this machine only',
    reads: 'nothing',
    load: async () => (await import('./commands/serve.ts')).defineServe,
  },
  {
    name: 'mcp',
    group: 'Care',
    summary: 'the MCP server that the plugin starts',
    reads: 'nothing',
    load: async () => (await import('./commands/mcp.ts')).defineMcp,
  },
  {
    name: 'hook',
    group: 'Care',
    summary: 'answer one event of Claude Code from stdin',
    reads: 'nothing',
    load: async () => (await import('./commands/hook.ts')).defineHook,
  },
  {
    name: 'doctor',
    group: 'Care',
    summary: 'look for trouble and say what to do',
    reads: 'nothing',
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  {
    name: 'verify',
    group: 'Care',
    summary: 'check every kept byte',
    reads: 'nothing',
    load: async () => (await import('./commands/verify.ts')).defineVerify,
  },
  {
    name: 'models',
    group: 'Care',
    summary: 'which models can be asked, what they would cost, and what they may do',
    reads: 'nothing',
    load: async () => (await import('./commands/models.ts')).defineModels,
  },
  {
    name: 'ledger',
    group: 'Care',
    summary: 'what models were asked, and what it cost',
    reads: 'nothing',
    load: async () => (await import('./commands/ledger.ts')).defineLedger,
  },
  {
    name: 'config',
    group: 'Care',
    summary: 'see and change settings',
    reads: 'nothing',
    load: async () => (await import('./commands/config.ts')).defineConfig,
  },
];
