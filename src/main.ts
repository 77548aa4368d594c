import { basename, join } from 'node:path';
import type { DetachedProgram } from './adapters/detached/detached-process.ts';
import type { HubParts } from './app/hub/hub.ts';
import type { AgentInstaller } from './app/maintenance/agent-setup.ts';
import type { Installer } from './app/maintenance/install.ts';
import type { World } from './app/world.ts';
import type { Environment } from './config/environment.ts';
import { VERSION } from './config/version.ts';
import type { HubDataPlace } from './entrypoints/cli/host.ts';
import type { GitBranches } from './ports/git-branches.ts';

/** Where the program is, from the sources as from the build, which may put this file into a chunk. */
const ROOT = join(import.meta.dirname, basename(import.meta.dirname) === 'chunks' ? '../..' : '..');

// The composition root. Everything else is imported when it is needed, so that a small answer costs little.
export async function startCommand(argv: string[]): Promise<void> {
  const [{ readEnvironment }, { readTerminalVariables }, { variable }, { run }] = await Promise.all([
    import('./config/environment.ts'),
    import('./config/terminal-variables.ts'),
    import('./config/named-variable.ts'),
    import('./entrypoints/cli/run.ts'),
  ]);
  const environment = readEnvironment();
  process.exitCode = await run(argv, {
    version: VERSION,
    environment: { ...environment, ...readTerminalVariables() },
    openWorld: (report) => openWorld(environment, report),
    log: (text) => log(environment, text),
    openInstaller: () => openInstaller(environment),
    openAgentInstaller: () => openAgentInstaller(environment),
    startAgent: async (...start) =>
      (await import('./adapters/agent-client/start-agent.ts')).startAgent(...start),
    openHub: (place) => openHub(environment, place),
    openReplicas: async ({ cache, owner, ...place }) => {
      const { hubCache } = await import('./config/hub-place.ts');
      return (await import('./open-replicas.ts')).openReplicas(hubCache(cache, place, environment), owner);
    },
    withoutArchive: (token, work) => withoutArchive(environment, token, work),
    variable,
    site: join(ROOT, 'ui', 'dist'),
    stay: async () => (await import('./files-at-once.ts')).leaveToThreads(),
    runHook: () => runHook(environment),
    workOff: async () => (await import('./hook-main.ts')).workThrough(environment),
    leaveRemotes: () => leaveRemotes(environment),
    takeUpWork: () => takeUp(environment),
  });
}

async function leaveRemotes({ archive, cwd }: Environment): Promise<void> {
  const { addWork } = await import('./adapters/detached/work-queue.ts');
  addWork(archive, 'remote', 'all', { event: '', started: cwd });
}

/** What is left of detached work: reads one folder if there is none. */
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
  const launcher = join(ROOT, 'bin', 'keepsake');
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

/** For one piece of work: nothing of it stays on this machine. */
async function withoutArchive<T>(
  environment: Environment,
  token: string,
  work: (world: World) => Promise<T>,
): Promise<T> {
  const [{ mkdtemp, rm }, { tmpdir }, { loadRemotes }] = await Promise.all([
    import('node:fs/promises'),
    import('node:os'),
    import('./load-remotes.ts'),
  ]);
  const archive = await mkdtemp(join(tmpdir(), 'keepsake-push-'));
  const own = { ...environment, archive };
  const world = await openWorld(own, () => undefined);
  try {
    return await work({ ...world, remotes: () => loadRemotes(own, token) });
  } finally {
    await world.index.close();
    await world.archive.close();
    await rm(archive, { recursive: true, force: true });
  }
}

async function openInstaller(environment: Environment): Promise<Installer> {
  const [{ claudeCommand }, { pluginFolder }] = await Promise.all([
    import('./adapters/agent-client/claude-command.ts'),
    import('./adapters/agent-client/plugin-folder.ts'),
  ]);
  const root = ROOT;
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
      program: join(ROOT, 'bin', 'keepsake'),
      hook: join(ROOT, 'plugin', 'dist', 'hook.cjs'),
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
    { otherAgents },
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
    import('./load-agents.ts'),
    import('./load-remotes.ts'),
  ]);
  const others = otherAgents(environment);
  const archive = openArchive(checkedArchive(environment.archive), { now: systemClock.now });
  return {
    archive,
    transcripts: openTranscripts(environment.archive),
    agents: others.agents,
    bundles: lazyBundles(join(environment.archive, 'cache', 'import')),
    remotes: () => loadRemotes(environment),
    sessionFiles,
    clock: systemClock,
    random: systemRandom,
    git: gitFiles,
    branches: lazyBranches,
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
      agents: others.places,
      cwd: environment.cwd,
      home: environment.home,
      sample: join(ROOT, 'sample'),
      log: logFile(environment),
    },
    report,
    log: (note) => void log(environment, note),
  };
}

/** Loaded when facts of a team go to or come from a branch. */
const lazyBranches: GitBranches = {
  userName: async (...asked) => (await loadBranches()).userName(...asked),
  mainBranch: async (...asked) => (await loadBranches()).mainBranch(...asked),
  readFile: async (...asked) => (await loadBranches()).readFile(...asked),
  commitFile: async (...asked) => (await loadBranches()).commitFile(...asked),
};
const loadBranches = async () => (await import('./adapters/git/git-branches.ts')).gitBranches;

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
