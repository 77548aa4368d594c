import type { Command } from 'commander';
import { findSession } from '../../../app/find/session.ts';
import { projectFor } from '../../../app/layers/facts-edit.ts';
import { pendingFor, RUNNABLE, type Runnable, runModel } from '../../../app/maintenance/model-run.ts';
import { describeModels, type ModelsReport, type ServiceState } from '../../../app/model/models.ts';
import { engineFor, MODEL_USES } from '../../../app/model/use.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { ProjectId } from '../../../core/model/ids.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { modelProgress } from '../print/model-progress.ts';
import { usd } from '../print/usd.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';

type RunOptions = { project?: string; session?: string; model?: string; dryRun?: boolean };

export const defineModels: Define = (command, cli) => {
  command
    .enablePositionalOptions()
    .option('--model <model>', 'show this model instead of the configured one')
    .option('--check', 'check the connection; sends no request to a model')
    .addHelpText(
      'after',
      '\nWithout a model, everything works offline. Choose one per command (--model opus) or for all commands:\nkeepsake config set defaults.model opus. Keys come from the environment (ANTHROPIC_API_KEY, KEEPSAKE_MODEL_KEY)\nor from a file that only you can read, never from the settings.',
    );
  commonOptions(command);
  examples(command, 'models', 'models --check', 'models run exchanges --session 4f2a91c0');
  command.action(async (options: { model?: string; check?: boolean }) => {
    const world = await cli.world();
    const { config } = await world.settings.resolve();
    // Someone who set a model up wants to know whether it is there.
    const named =
      options.model !== undefined || config.defaults.model !== 'extractive' || config.model.url !== '';
    const check = options.check ?? named;
    const report = await describeModels(world, { ...withoutUndefined({ model: options.model }), check });
    if (cli.console.json) return cli.console.printJson(report);
    print(cli, report);
  });
  defineRun(command, cli);
};

function print(cli: Cli, report: ModelsReport): void {
  const { console } = cli;
  const { accent, dim } = console.style;
  const same = report.id === report.model ? '' : ` (${report.id})`;
  console.print(
    report.model === 'extractive'
      ? 'Versions are made offline, without a model.'
      : `Versions are written by ${accent(cleanLine(report.model))}${same} (service: ${report.service}).`,
    '',
  );
  console.table(report.services, [
    { title: 'service', value: (row: ServiceState) => row.service, paint: accent },
    {
      title: 'state',
      value: (row) => (!row.ready ? 'not set up' : row.reached === false ? 'not reached' : 'ready'),
    },
    { title: 'where', value: (row) => cleanLine(row.place ?? ''), least: 8, spare: 1 },
    { title: 'note', value: (row) => cleanLine(row.message), least: 20 },
  ]);
  for (const { service, hint, ready } of report.services)
    if (!ready && hint !== undefined && report.service !== 'auto' && report.service === service)
      console.note(hint);
  const levels = Object.keys(report.names.find(({ session }) => session)?.session ?? {});
  console.print('', dim('A version of a session of 100,000 tokens costs about:'));
  console.table(report.names, [
    { title: 'name', value: (row) => cleanLine(row.name), paint: accent },
    { title: 'model', value: (row) => cleanLine(row.id) },
    {
      title: 'USD per million tokens',
      value: (row) => (row.price ? `${row.price.input} in, ${row.price.output} out` : 'not known'),
      spare: 1,
    },
    ...levels.map((level) => ({
      title: level,
      value: (row: ModelsReport['names'][number]) => (row.session ? usd(row.session[level] ?? 0) : ''),
      align: 'right' as const,
    })),
  ]);
  const on = report.uses.filter((it) => it.on).map(({ use }) => use);
  const { today } = report;
  console.print(
    '',
    on.length === 0 ? 'No other model use is turned on.' : `A model is also used for: ${on.join(', ')}.`,
    `Today: ${usd(today.usd)}, ${count(today.input + today.output)} tokens in ${plural(today.calls, 'call')}. The daily cap is ${report.cap}.`,
  );
}

function defineRun(command: Command, cli: Cli): void {
  const run = command
    .command('run')
    .description('Run the enabled model uses on what is waiting.')
    .argument('[uses...]', `which uses: ${RUNNABLE.join(', ')} (default: the enabled ones)`)
    .option('--project <project>', "a project: id, path or name (default: this folder's)")
    .option('--session <id>', 'only the exchanges of this session')
    .option('--model <model>', 'the model for this run')
    .option('--dry-run', 'show what is waiting, call no model')
    .addHelpText(
      'after',
      `\nEach use is off until you turn it on: ${MODEL_USES.map((use) => `model.use.${use}`).join(', ')}, or model.use.all.\nJournal pages and masters are written by summarize and synthesize.`,
    );
  commonOptions(run);
  examples(
    run,
    'models run',
    'models run exchanges --session 4f2a91c0 --model haiku',
    'models run --dry-run',
  );
  run.action(async (uses: string[], options: RunOptions) => {
    const { console } = cli;
    const world = await cli.world('sessions');
    const { project, session } = await placeOf(cli, options);
    const wanted = await usesOf(cli, uses, project, options);
    const items = [];
    const progress = modelProgress(cli, world);
    for (const { use, engine } of wanted) {
      if (options.dryRun || !engine) {
        items.push({ use, waiting: await pendingFor(world, use, project, session) });
        continue;
      }
      items.push(await runModel(world, engine, { use, project, ...withoutUndefined({ session }) }, progress));
    }
    console.endProgress();
    if (console.json) return console.printJson({ items, next: null });
    for (const item of items) {
      if ('waiting' in item) console.print(`${item.use}: ${count(item.waiting)} waiting for a model.`);
      else {
        const missing = item.missing === 0 ? '' : `, ${count(item.missing)} without a usable answer`;
        console.print(`${item.use}: ${count(item.done)} done${missing}.`);
        for (const it of item.reviewed ?? [])
          console.print(`  ${it.done}: ${cleanLine(it.content)} (${cleanLine(it.why)})`);
      }
    }
  });
}

async function placeOf(cli: Cli, options: RunOptions): Promise<{ project: ProjectId; session?: string }> {
  const world = await cli.world();
  if (options.session === undefined) return { project: await projectFor(world, options.project) };
  const { projectId, sessionId } = await findSession(world, options.session, options.project);
  return { project: projectId, session: sessionId };
}

async function usesOf(cli: Cli, named: string[], project: ProjectId, { model, dryRun }: RunOptions) {
  const world = await cli.world();
  const unknown = named.find((use) => !RUNNABLE.some((it) => it === use));
  if (unknown !== undefined)
    throw new Fault('usage', `${JSON.stringify(unknown)} is not a model use.`, {
      hint: `Choose from ${RUNNABLE.join(', ')}.`,
    });
  const wanted = [];
  for (const use of RUNNABLE as readonly Runnable[]) {
    if (named.length > 0 && !named.includes(use)) continue;
    const engine = dryRun ? undefined : await engineFor(world, use, project, model);
    if (engine || dryRun) wanted.push({ use, engine });
    else if (named.length > 0)
      throw new Fault('config', `model.use.${use} is off.`, {
        hint: `Turn it on (keepsake config set model.use.${use} on), or name a model with --model.`,
      });
  }
  if (wanted.length === 0)
    throw new Fault('config', 'No model use is turned on.', {
      hint: 'Turn one on, for example: keepsake config set model.use.exchanges on. See `keepsake models run --help`.',
    });
  return wanted;
}
