import type { Command } from 'commander';
import { shortIds } from '../../../app/find/session.ts';
import { planRetentionRun, type RetentionPlan } from '../../../app/retention/plan.ts';
import { type RetentionDone, runRetention } from '../../../app/retention/run.ts';
import { retentionSchedule, SCHEDULES, setSchedule } from '../../../app/retention/schedule.ts';
import { undoRetention } from '../../../app/retention/undo.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, examples } from '../cli.ts';
import { bytes, count, plural, shortCount } from '../terminal/quantities.ts';

type Options = { project?: string; dryRun?: boolean; yes?: boolean };

const SHOWN = 40;

export function defineRun(command: Command, cli: Cli): void {
  const run = command
    .command('run')
    .description('Shorten old sessions by the rules, and delete intermediate versions.');
  run
    .option('--project <project>', 'only this project: id, path or name')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nThese are never deleted: originals, versions that a composition uses, the only version with a pinned text, the last version of a part.',
    );
  commonOptions(run);
  examples(run, 'decay run --dry-run', 'decay run --yes', 'decay run --project shop');
  run.action(async (options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const plan = await planRetentionRun(world, withoutUndefined({ project: options.project }));
    if (options.dryRun) return console.json ? console.printJson(plan) : showPlan(cli, plan);
    if (!console.json) showPlan(cli, plan);
    if (plan.create.length + plan.prune.length > 0 && !(await isAgreed(cli, plan, options)))
      return console.print('Nothing was changed.');
    const bar = console.progress('Retention', world.clock.millis);
    const signal = cli.signal();
    const done = await runRetention(world, {
      plan,
      signal,
      ...withoutUndefined({ project: options.project }),
      onStep: (step, total, current) =>
        bar.show({ done: step, total, bytes: step, totalBytes: total, current }),
    }).finally(() => bar.end());
    if (console.json) return console.printJson(done);
    printRun(cli, done);
    if (done.stopped)
      throw new Fault(
        'cancelled',
        'Stopped. Run `keepsake decay run` to continue, or `keepsake decay undo`.',
      );
  });
}

async function isAgreed(cli: Cli, plan: RetentionPlan, { yes }: Options): Promise<boolean> {
  if (yes) return true;
  const { config } = await (await cli.world()).settings.resolve();
  const ask = config.ui.confirmDestructiveActions;
  if (!cli.console.interactive)
    throw new Fault('usage', 'Nothing was changed.', { hint: 'Add --yes to skip the question.' });
  if (!ask) return true;
  const made = plural(plan.create.length, 'version');
  return cli.console.confirm(`Make ${made} and delete ${count(plan.prune.length)}?`, false);
}

function showPlan({ console }: Cli, plan: RetentionPlan): void {
  if (plan.heldBack !== null) console.warn(plan.heldBack);
  const steps = [
    ...plan.create.map((it) => ({ ...it, what: 'make', name: `part${it.part} ${it.preset}` })),
    ...plan.prune.map((it) => ({ ...it, what: 'delete', name: it.versionId })),
  ];
  if (steps.length === 0) {
    console.print('Nothing to do: no session is old enough, or everything is done.');
    return;
  }
  const short = shortIds(steps.map((it) => it.sessionId));
  console.table(steps.slice(0, SHOWN), [
    { title: 'what', value: (it) => it.what },
    { title: 'session', value: (it) => short.get(it.sessionId) ?? it.sessionId, paint: console.style.accent },
    { title: 'version', value: (it) => it.name },
    { title: 'tokens', value: (it) => shortCount(it.outputTokens), align: 'right' },
    { title: 'why', value: (it) => it.why, least: 20 },
  ]);
  if (steps.length > SHOWN)
    console.note(`${SHOWN} of ${count(steps.length)} shown; --dry-run --json lists them all.`);
  const { versions, tokens, bytes: size } = plan;
  console.print(
    `Versions ${count(versions.before)} to ${count(versions.after)}, tokens ${count(tokens.before)} to about ${count(tokens.after)}, ` +
      `files of these sessions ${bytes(size.before)} to about ${bytes(size.after)}.`,
  );
}

function printRun({ console }: Cli, done: RetentionDone): void {
  if (done.finished) console.note('An interrupted run was finished too.');
  for (const { sessionId, why } of done.left.slice(0, 10)) console.warn(`${sessionId}: ${why}`);
  if (done.left.length > 10) console.warn(`and ${done.left.length - 10} more; --json lists them all.`);
  if (done.made.length + done.pruned.length === 0) return;
  const tokens = done.pruned.reduce((sum, it) => sum + it.outputTokens, 0);
  console.print(
    `${plural(done.made.length, 'version')} made, ${count(done.pruned.length)} deleted (${count(tokens)} tokens); ` +
      'originals stay. To undo: `keepsake decay undo`.',
  );
}

export function defineUndo(command: Command, cli: Cli): void {
  const undo = command
    .command('undo')
    .description('Undo the last run: restore what it deleted, delete what it made.');
  undo.option('--project <project>', 'only this project: id, path or name');
  commonOptions(undo);
  examples(undo, 'decay undo', 'decay undo --project shop');
  undo.action(async (options: Options) => {
    const { console } = cli;
    const undone = await undoRetention(await cli.world(), withoutUndefined({ project: options.project }));
    if (console.json) return console.printJson(undone);
    for (const { sessionId, versionId, why } of undone.left.slice(0, 10))
      console.warn(`${sessionId} ${versionId} was not changed: ${why}.`);
    console.print(
      `${plural(undone.restored.length, 'version')} restored, ${count(undone.removed.length)} deleted.`,
    );
  });
}

export function defineSchedule(command: Command, cli: Cli): void {
  const schedule = command
    .command('schedule')
    .description('Show or set the schedule of automatic retention (default: off).');
  schedule
    .argument('[when]', SCHEDULES.join(', '))
    .option('--project <project>', 'only this project: id, path or name')
    .addHelpText(
      'after',
      '\nThere is no background process: sync and the end of a session check whether a run is due. Rules: `keepsake config get autoDecay`.',
    );
  commonOptions(schedule);
  examples(schedule, 'decay schedule', 'decay schedule weekly', 'decay schedule off --project shop');
  schedule.action(async (when: string | undefined, options: Options) => {
    const { console } = cli;
    const world = await cli.world();
    const set =
      when === undefined
        ? await retentionSchedule(world, options.project)
        : await setSchedule(world, when, options.project);
    if (console.json) return console.printJson(set);
    const rows: [string, string][] = [
      ['schedule', set.schedule],
      [
        'first version',
        days(set.createAfterDays, `a version with preset ${set.createPreset}, if there is none`),
      ],
      ['shorter version', days(set.aggressiveAfterDays, `preset ${set.aggressivePreset}`)],
      ['intermediate versions deleted', days(set.pruneIntermediateAfterDays, 'the shortest is kept')],
      ['versions kept', set.compressionRetention],
      ['last run', set.lastRun === null ? 'never' : world.clock.local(set.lastRun)],
      [
        'next run',
        set.nextRun === null
          ? 'never automatically'
          : `with the first sync after ${world.clock.local(set.nextRun)}`,
      ],
    ];
    const wide = Math.max(...rows.map(([name]) => name.length));
    console.print(...rows.map(([name, value]) => `${console.style.dim(name.padEnd(wide))}  ${value}`));
    for (const { projectId, state, at } of set.runs)
      if (state === 'done')
        console.note(`The run of ${world.clock.local(at)} in ${projectId} can be undone.`);
  });
}

function days(figure: number, what: string): string {
  return figure === 0 ? 'never' : `after ${plural(figure, 'day')} without use: ${what}`;
}
