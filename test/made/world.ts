import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentSources } from '../../src/adapters/agents/agent-sources.ts';
import { openLock } from '../../src/adapters/archive-fs/lock.ts';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import { bundleFiles } from '../../src/adapters/bundle-file/bundle-file.ts';
import { gitBranches } from '../../src/adapters/git/git-branches.ts';
import { gitFiles } from '../../src/adapters/git/git-files.ts';
import { openSearchIndex, scratchSearchIndex } from '../../src/adapters/index-sqlite/open-search-index.ts';
import { thisMachine } from '../../src/adapters/machine/this-machine.ts';
import { projectFiles } from '../../src/adapters/project-files/project-files.ts';
import { folderStore } from '../../src/adapters/remote-folder/folder-store.ts';
import { openRemotes } from '../../src/adapters/remotes/open-remotes.ts';
import { sessionFiles } from '../../src/adapters/transcripts/session-files.ts';
import { openTranscripts } from '../../src/adapters/transcripts/transcripts.ts';
import type { World } from '../../src/app/world.ts';
import { settingsFile } from '../../src/config/settings-file.ts';
import { ASKED_AGENTS, type AskedAgent, OTHER_AGENTS, type OtherAgent } from '../../src/core/model/agent.ts';

export type TestWorld = World & {
  projects: string;
  /** As the end of a process: its files stay. */
  close: () => Promise<void>;
  remove: () => Promise<void>;
};

/** A real archive and an agent's folder in a temporary place, or in this folder; the clock ticks a second a call. */
export function makeWorld(root = mkdtempSync(join(tmpdir(), 'keepsake-world-'))): TestWorld {
  const projects = join(root, 'claude', 'projects');
  mkdirSync(projects, { recursive: true });
  let tick = 0;
  let made = 0;
  const clock = {
    now: () => new Date(Date.UTC(2026, 5, 1) + 1000 * tick++).toISOString(),
    millis: () => Date.UTC(2026, 5, 1) + 1000 * tick,
    local: (utc: string) => utc,
  };
  const index = openSearchIndex(join(root, 'archive', 'index.sqlite'));
  const archive = openArchive(join(root, 'archive'), { now: clock.now });
  const lock = openLock(join(root, 'archive', 'remotes', 'lock.sqlite'), 5000);
  const remotes = openRemotes(
    { archive: join(root, 'archive'), cwd: root, home: root },
    { folder: async (path) => folderStore(path), schemes: {} },
    (work) => lock.hold(work),
  );
  const close = async () => {
    await index.close();
    await archive.close();
    await lock.close();
  };
  return {
    archive,
    transcripts: openTranscripts(join(root, 'archive')),
    agents: agentSources(join(root, 'archive', 'cache', 'staged')),
    bundles: bundleFiles(join(root, 'archive', 'cache', 'import')),
    remotes: async () => remotes,
    sessionFiles,
    clock,
    random: { uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}` },
    git: gitFiles,
    branches: gitBranches,
    projectFiles,
    settings: settingsFile(join(root, 'archive'), archive.exclusive),
    index,
    scratchIndex: scratchSearchIndex,
    machine: thisMachine('0.0.0'),
    places: {
      archive: join(root, 'archive'),
      claude: join(root, 'claude'),
      claudeProjects: [projects],
      agents: Object.fromEntries(
        [...OTHER_AGENTS, ...ASKED_AGENTS].map((agent) => [agent, [join(root, agent)]]),
      ) as Record<OtherAgent | AskedAgent, string[]>,
      cwd: root,
      home: root,
      sample: join(import.meta.dirname, '../../sample'),
      log: join(root, 'archive', 'logs', 'keepsake.log'),
    },
    projects,
    close,
    remove: async () => {
      await close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
