import { join } from 'node:path';
import type { DetachedProgram } from './adapters/detached/detached-process.ts';
import type { HubParts } from './app/hub/hub.ts';
import type { AgentInstaller } from './app/maintenance/agent-setup.ts';
import type { Installer } from './app/maintenance/install.ts';
import type { World } from './app/world.ts';
import type { Environment } from './config/environment.ts';
import { VERSION } from './config/version.ts';
import type { HubDataPlace } from './entrypoints/cli/host.ts';
import type { AgentSources } from './ports/agent-sources.ts';

// The composition root. Everything else is imported when it is needed, so that a small answer costs little.
export async function startCommand(argv: string[]): Promise<void> {
  const [{ readEnvironment }, { run }] = await Promise.all([
    import('./config/environment.ts'),
    import('./entrypoints/cli/run.ts'),
  ]);
  const environment = readEnvironment();
  process.exitCode = await run(argv, {
    version: VERSION,
    environment,
    openWorld: (report) => openWorld(environment, report),
    log: (text) => log(environment, text),
    openInstaller: () => openInstaller(environment),
    openAgentInstaller: () => openAgentInstaller(environment),
    startAgent: async (...start) =>
      (await import('./adapters/agent-client/start-agent.ts')).startAgent(...start),
    openHub: (place) => openHub(environment, place),
    stay: async () => (await import('./files-at-once.ts')).leaveToThreads(),
    runHook: () => runHook(environment),
    workOff: async () => (await import('./hook-main.ts')).workThrough(environment),
    takeUpWork: () => takeUp(environment),
  });
}

/** What is left of detached work: a look into a folder where there is none. */
async function takeUp(environment: Environment): Promise<void> {
  const queue = join(environment.archive, 'cache', 'detached');
  // Without an import: a small answer loads nothing.
  const { existsSync, readdirSync } = process.getBuiltinModule('node:fs');
  if (!existsSync(queue) || readdirSync(queue).every((name) => name.startsWith('.'))) return;
  const [{ takeUpWork }, { hooksAreOff }] = await Promise.all([
    import('./adapters/detached/detached-process.ts'),
    import('./config/hook-guard.ts'),
  ]);
  if (!hooksAreOff()) takeUpWork(environment.archive, await detachedProgram(environment));
}

async function detachedProgram(environment: Environment): Promise<DetachedProgram> {
  const { detachedEnvironment } = await import('./config/detached-environment.ts');
  const launcher = join(import.meta.dirname, '..', 'bin', 'keepsake');
  return { args: [launcher, 'hook', '--detached'], env: () => detachedEnvironment(environment) };
}

async function runHook(environment: Environment): Promise<void> {
  const [{ readToEnd }, { isatty }] = await Promise.all([
    import('./adapters/machine/read-stdin.ts'),
    import('node:tty'),
  ]);
  const text = isatty(0) ? '' : readToEnd(0);
  const [{ countEvent }, { isEventKeptOut, isOwnCommand }, { leaveEnd }, { startedFolder }] =
    await Promise.all([
      import('./hook-count.ts'),
      import('./hook-record.ts'),
      import('./hook-leave.ts'),
      import('./config/hook-guard.ts'),
    ]);
  const { archive } = environment;
  const started = startedFolder();
  const keptOut = isEventKeptOut(text, archive, started);
  if (keptOut ? !isOwnCommand(text) : countEvent(text, archive)) return;
  if (!keptOut && leaveEnd(text, archive, started)) return takeUp(environment);
  const start = { keptOut, started, program: await detachedProgram(environment) };
  await (await import('./hook-main.ts')).main(text, environment, start);
}

async function openHub(environment: Environment, place: HubDataPlace): Promise<HubParts> {
  const [{ hubDatabase }, { systemClock }, { zstdPacking }, { randomBytes }] = await Promise.all([
    import('./config/hub-place.ts'),
    import('./adapters/clock/system-clock.ts'),
    import('./adapters/remotes/zstd-packing.ts'),
    import('node:crypto'),
  ]);
  const found = hubDatabase(place, environment);
  const database =
    'folder' in found
      ? (await import('./adapters/hub-database/open-sqlite-hub.ts')).openSqliteHub(found.folder)
      : (await import('./adapters/hub-database/open-postgres-hub.ts')).openPostgresHub(found.address);
  return { database, clock: systemClock, random: (bytes) => randomBytes(bytes), packing: zstdPacking };
}

async function openInstaller(environment: Environment): Promise<Installer> {
  const [{ claudeCommand }, { pluginFolder }] = await Promise.all([
    import('./adapters/agent-client/claude-command.ts'),
    import('./adapters/agent-client/plugin-folder.ts'),
  ]);
  const root = join(import.meta.dirname, '..');
  return {
    client: claudeCommand(),
    store: pluginFolder(join(root, 'plugin'), join(environment.archive, 'plugin')),
    program: { node: process.execPath, program: join(root, 'bin', 'keepsake'), version: VERSION },
  };
}

async function openAgentInstaller(environment: Environment): Promise<AgentInstaller> {
  const [{ configFiles }, { setupPlaces }] = await Promise.all([
    import('./adapters/agent-config/config-files.ts'),
    import('./config/agent-places.ts'),
  ]);
  return {
    config: configFiles(),
    program: {
      node: process.execPath,
      program: join(import.meta.dirname, '..', 'bin', 'keepsake'),
      hook: join(import.meta.dirname, '..', 'plugin', 'dist', 'hook.cjs'),
    },
    places: setupPlaces(environment),
    record: join(environment.archive, 'install', 'agents.json'),
  };
}

async function openWorld(environment: Environment, report: (note: string) => void): Promise<World> {
  const [
    { openArchive },
    { openTranscripts },
    { sessionFiles },
    { systemClock },
    { systemRandom },
    { gitFiles },
    { projectFiles },
    { settingsFile },
    { openSearchIndex, scratchSearchIndex },
    { thisMachine },
    { openModels },
    { ledgerFile },
    { modelVariables },
    { checkedArchive },
    { agentPlaces },
    { lazyBundles, loadRemotes },
  ] = await Promise.all([
    import('./adapters/archive-fs/open-archive.ts'),
    import('./adapters/transcripts/transcripts.ts'),
    import('./adapters/transcripts/session-files.ts'),
    import('./adapters/clock/system-clock.ts'),
    import('./adapters/random/system-random.ts'),
    import('./adapters/git/git-files.ts'),
    import('./adapters/project-files/project-files.ts'),
    import('./config/settings-file.ts'),
    import('./adapters/index-sqlite/open-search-index.ts'),
    import('./adapters/machine/this-machine.ts'),
    import('./adapters/model/open-models.ts'),
    import('./adapters/model/ledger-file.ts'),
    import('./config/model-variables.ts'),
    import('./config/archive-place.ts'),
    import('./config/agent-places.ts'),
    import('./load-remotes.ts'),
  ]);
  const staging = join(environment.archive, 'cache', 'staged');
  const archive = openArchive(checkedArchive(environment.archive), { now: systemClock.now });
  return {
    archive,
    transcripts: openTranscripts(environment.archive),
    agents: lazyAgents(staging),
    bundles: lazyBundles(join(environment.archive, 'cache', 'import')),
    remotes: () => loadRemotes(environment),
    sessionFiles,
    clock: systemClock,
    random: systemRandom,
    git: gitFiles,
    projectFiles,
    settings: settingsFile(environment.archive, archive.exclusive),
    index: openSearchIndex(join(environment.archive, 'index.sqlite')),
    scratchIndex: scratchSearchIndex,
    machine: thisMachine(VERSION),
    models: openModels({ archive: environment.archive, home: environment.home, ...modelVariables() }),
    ledger: ledgerFile(environment.archive),
    places: {
      archive: environment.archive,
      claude: environment.claude,
      claudeProjects: [join(environment.claude, 'projects')],
      agents: agentPlaces(environment),
      cwd: environment.cwd,
      home: environment.home,
      // One folder up, from the sources as from the build.
      sample: join(import.meta.dirname, '..', 'sample'),
      log: logFile(environment),
    },
    report,
    log: (note) => void log(environment, note),
  };
}

/** Loaded when sessions of other agents are looked for. */
function lazyAgents(staging: string): AgentSources {
  const load = async () => (await import('./adapters/agents/agent-sources.ts')).agentSources(staging);
  return {
    find: async (...asked) => (await load()).find(...asked),
    document: async (...asked) => (await load()).document(...asked),
    documents: async (...asked) => (await load()).documents(...asked),
  };
}

async function log(environment: Environment, text: string): Promise<string | undefined> {
  const [{ writeLog }, { systemClock }] = await Promise.all([
    import('./adapters/log/log-file.ts'),
    import('./adapters/clock/system-clock.ts'),
  ]);
  const file = logFile(environment);
  return (await writeLog(file, systemClock.now(), text)) ? file : undefined;
}

function logFile(environment: Environment): string {
  return join(environment.archive, 'logs', 'keepsake.log');
}
