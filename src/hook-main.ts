import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from './adapters/archive-fs/open-archive.ts';
import { systemClock } from './adapters/clock/system-clock.ts';
import { gitFiles } from './adapters/git/git-files.ts';
import { openSearchIndex, scratchSearchIndex } from './adapters/index-sqlite/open-search-index.ts';
import { writeLog } from './adapters/log/log-file.ts';
import { thisMachine } from './adapters/machine/this-machine.ts';
import { projectFiles } from './adapters/project-files/project-files.ts';
import { systemRandom } from './adapters/random/system-random.ts';
import { sessionFiles } from './adapters/transcripts/session-files.ts';
import { openTranscripts } from './adapters/transcripts/transcripts.ts';
import type { World } from './app/world.ts';
import type { Environment } from './config/environment.ts';
import { hookSettings } from './config/hook-settings.ts';
import { VERSION } from './config/version.ts';
import type { ProjectId } from './core/model/ids.ts';
import { runHook } from './entrypoints/hooks/run-hook.ts';
import type { Archive } from './ports/archive.ts';

/** The composition root of the hooks. */
export async function main(text: string, environment: Environment, keptOut = false): Promise<void> {
  const log = join(environment.archive, 'logs', 'keepsake.log');
  const answer = await runHook(text, {
    openWorld: (cwd) => openWorld(environment, cwd, log),
    keptOut,
    failed: async (text, error) => {
      if (environment.debug) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      if (text !== '') await writeLog(log, systemClock.now(), text);
    },
  });
  if (answer !== '') writeSync(1, `${answer}\n`);
}

/** As in main.ts, but nobody waits for a lock, and a wrong setting does not end the work. */
function openWorld(environment: Environment, cwd: string, log: string): World {
  const { archive: root, claude, home } = environment;
  // Nobody reads what a hook would print.
  const note = (text: string) => void writeLog(log, systemClock.now(), `hook: ${text}`);
  const archive = rememberHeads(openArchive(root, { now: systemClock.now, lockWaitMs: 0 }));
  return {
    archive,
    transcripts: openTranscripts(root),
    sessionFiles,
    clock: systemClock,
    random: systemRandom,
    git: gitFiles,
    projectFiles,
    settings: hookSettings(root),
    index: openSearchIndex(join(root, 'index.sqlite'), { waitMs: 0 }),
    scratchIndex: scratchSearchIndex,
    machine: thisMachine(VERSION),
    isHook: true,
    places: {
      archive: root,
      claude,
      claudeProjects: [join(claude, 'projects')],
      cwd: cwd || environment.cwd,
      home,
      sample: '',
      log,
    },
    report: note,
    log: note,
  };
}

/** A hook asks several times who a project is, and each time would read and check the record again. */
function rememberHeads(archive: Archive): Archive {
  const heads = new Map<ProjectId, ReturnType<Archive['head']>>();
  return {
    ...archive,
    head(project) {
      const head = heads.get(project) ?? archive.head(project);
      heads.set(project, head);
      return head;
    },
    change(project, ...rest) {
      heads.delete(project);
      return archive.change(project, ...rest);
    },
  };
}
