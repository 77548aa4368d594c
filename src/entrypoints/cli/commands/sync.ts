import { resolve } from 'node:path';
import type { SyncOptions } from '../../../app/sync/sync.ts';
import type { RunOptions, SyncProgress, SyncReport } from '../../../app/sync-report.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { FoundTranscript } from '../../../ports/transcripts.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print/sync-report.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export const defineSync: Define = (command, cli) => {
  command.option('--from <dir...>', 'read these folders instead, this time only');
  commonOptions(command);
  examples(command, 'sync', 'sync --from /backup/claude/projects');
  command.action(async (options: { from?: string[] }) => {
    const from = options.from?.map((folder) => resolve(cli.host.environment.cwd, folder));
    const report = await syncWithProgress(cli, from);
    const { places } = await cli.world();
    printReport(report, cli.console, `No transcripts in ${(from ?? places.claudeProjects).join(', ')}.`);
    await leaveRemotes(cli);
  });
};

/** Where `remote.auto` is on: nobody waits for a store. Since when one can't be reached is said each time. */
async function leaveRemotes(cli: Cli): Promise<void> {
  const world = await cli.world();
  if (!(await world.settings.resolve()).config.remote.auto) return;
  const { isResting, listRemotes } = await import('../../../app/segment/remote-record.ts');
  const remotes = await listRemotes(world);
  if (remotes.length === 0) return;
  // Where none is to be tried yet, no process is started.
  const isLeft = remotes.some((remote) => !isResting(remote, world.clock.millis()));
  if (isLeft) await cli.host.leaveRemotes();
  for (const { name, trouble, troubleSince } of remotes)
    if (trouble !== undefined)
      cli.console.warn(
        `The remote ${name} could not be reached since ${world.clock.local(troubleSince ?? '')}: ${cleanLine(trouble)}`,
      );
  if (isLeft && !cli.console.json)
    cli.console.print('Remotes are synced in the background. Check with `keepsake remote status`.');
}

/** A sync with its bar; shared with the bare command. */
export async function syncWithProgress(cli: Cli, from?: string[]): Promise<SyncReport> {
  const world = await cli.world();
  // Late: a help needs none of it.
  const whole = async (where: World, options: SyncOptions): Promise<SyncReport> => {
    const [{ sync }, { refreshActionLookups }, { printWaitingSessions }] = await Promise.all([
      import('../../../app/sync/sync.ts'),
      import('../../../app/inject/make-action-lookup.ts'),
      import('../print/waiting-sessions.ts'),
    ]);
    const onFound = (files: FoundTranscript[]) => printWaitingSessions(cli.console, where, files);
    const report = await sync(where, cli.console.json ? options : { ...options, onFound });
    await refreshActionLookups(where);
    return report;
  };
  return withProgress(cli, 'keepsake sync', async (options) => {
    if (from !== undefined) return whole(world, { from, ...options });
    const { syncChanges } = await import('../../../app/sync/sync-changes.ts');
    return syncChanges(world, options, whole);
  });
}

const VERBS: Record<SyncProgress['phase'], string> = {
  find: 'Reading',
  read: 'Reading',
  rebuild: 'Rebuilding',
  layers: 'Updating facts',
  memory: 'Updating memory.md',
  index: 'Indexing',
};
/** They count projects, not sessions. */
const BY_PROJECT = new Set<SyncProgress['phase']>(['layers', 'memory', 'index']);

/** Runs with a progress bar. After Ctrl-C it prints how far it came and how to continue. */
export async function withProgress<T>(
  cli: Cli,
  again: string,
  work: (options: Required<RunOptions>) => Promise<T>,
): Promise<T> {
  const { clock } = await cli.world();
  let phase: SyncProgress['phase'] = 'read';
  let bar = cli.console.progress(VERBS[phase], clock.millis);
  const signal = cli.signal();
  let reached = { done: 0, total: 0 };
  const stopped = () =>
    new Fault(
      'cancelled',
      `Stopped: ${reached.done} of ${reached.total} archived. Run \`${again}\` to continue.`,
    );
  try {
    const result = await work({
      onProgress: (state) => {
        if (!BY_PROJECT.has(state.phase)) reached = state;
        // A bar counts the time from when it is made.
        if (VERBS[state.phase] !== VERBS[phase]) bar = cli.console.progress(VERBS[state.phase], clock.millis);
        phase = state.phase;
        const unit = BY_PROJECT.has(phase) ? { unit: 'project' } : {};
        bar.show({ ...state, ...unit, current: lastPart(state.current) });
      },
      signal,
    });
    if (signal.aborted) throw stopped();
    return result;
  } catch (error) {
    throw error instanceof Fault && error.code === 'cancelled' ? stopped() : error;
  } finally {
    bar.end();
  }
}

function lastPart(path: string | undefined): string | undefined {
  return path?.split(/[\\/]/).at(-1);
}
