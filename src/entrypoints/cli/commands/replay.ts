import type { ReplayReport } from '../../../app/replay/replay.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { ReplayCase } from '../../../core/replay/replay-case.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { parseDayOrTime } from '../options/search.ts';
import { caseLines, figureLines } from '../print/replay-report.ts';
import { plural } from '../terminal/quantities.ts';

type Options = { project?: string; since?: string };

export const defineReplay: Define = (command, cli) => {
  command
    .option('--project <project>', 'only this project: id, path or name')
    .option('--since <date>', 'only sessions that started on or after this day', parseDayOrTime);
  commonOptions(command);
  examples(command, 'replay', 'replay --project shop', 'replay --since 2026-01-01');
  command.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const report = await replayWithProgress(cli, world, options);
    const { keepReplay } = await import('../../../app/replay/last-replay.ts');
    await keepReplay(world, withoutUndefined(options), report);
    if (console.json) return console.printJson(report);
    const { best, unsaid, worst, figures } = report;
    if (figures.sessions === 0)
      return console.print(
        options.since === undefined
          ? 'No sessions to replay. Run `keepsake sync` to archive your sessions.'
          : `No session started on or after ${options.since}. Use an earlier date or omit \`--since\`.`,
      );
    console.print(...figureLines(report, world.clock, console));
    const show = (title: string, cases: readonly ReplayCase[]) => {
      console.print('', console.style.strong(title));
      cases.forEach((it, at) => {
        console.print(...caseLines(it, at + 1, world.clock, console));
      });
    };
    if (best.length > 0) show('Best cases', best);
    show('Worst cases', worst);
    if (worst.length === 0) console.print('  None found.');
    if (unsaid.length > 0) show('Repeated, and missed by memory', unsaid);
    console.print(
      '',
      `${plural(report.cases.length, 'case')} in total. See all: \`keepsake replay --json\`, or side by side on the Replay page of \`keepsake ui\`.`,
      'A replay shows what memory would have added, not what the agent would have done with it.',
    );
    console.noteZone();
  });
};

/** A replay with a progress bar; after Ctrl-C, the next one continues. */
export async function replayWithProgress(cli: Cli, world: World, options: Options): Promise<ReplayReport> {
  const { replay } = await import('../../../app/replay/replay.ts');
  const bar = cli.console.progress('Replaying', world.clock.millis);
  let [reached, all] = [0, 0];
  try {
    return await replay(world, withoutUndefined(options), {
      signal: cli.signal(),
      onProgress: (done, total, current) => {
        [reached, all] = [done, total];
        bar.show({ done, total, bytes: 0, totalBytes: 0, current });
      },
    });
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    throw new Fault(
      'cancelled',
      `Stopped: ${reached} of ${all} sessions replayed. Run \`keepsake replay\` to continue.`,
    );
  } finally {
    bar.end();
  }
}
