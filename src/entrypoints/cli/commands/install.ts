import {
  type InstallPlan,
  install,
  planInstall,
  planUninstall,
  uninstall,
} from '../../../app/maintenance/install.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print/sync-report.ts';
import { syncWithProgress } from './sync.ts';

type Options = { print?: boolean; yes?: boolean; sync?: boolean };

export const defineInstall: Define = (command, cli) => {
  command
    .option('--print', 'only show what would be done')
    .option('-y, --yes', 'do not ask')
    .option('--no-sync', 'do not take in old sessions');
  commonOptions(command);
  examples(command, 'install', 'install --print', 'install --yes --no-sync');
  command.action(async (options: Options) => {
    const { console } = cli;
    const installer = await cli.host.openInstaller();
    const plan = await planInstall(installer);
    if (options.print) return show(cli, plan, 'Nothing was changed. Without --print this would be done:');
    if (!options.yes) {
      show(cli, plan, 'To be inside Claude Code, Keepsake will:');
      if (!(await agreed(cli, 'Go on?'))) return;
    }
    await install(installer, plan);
    if (console.json) return console.printJson({ installed: true, ...plan });
    console.print(
      'Installed. From the next session on, memory is there. `keepsake uninstall` takes it out again.',
    );
    if (options.sync !== false) await backfill(cli, options);
  });
};

export const defineUninstall: Define = (command, cli) => {
  command.option('--print', 'only show what would be done').option('-y, --yes', 'do not ask');
  commonOptions(command);
  examples(command, 'uninstall', 'uninstall --print');
  command.action(async (options: Options) => {
    const { console } = cli;
    const installer = await cli.host.openInstaller();
    const plan = await planUninstall(installer);
    if (options.print) return show(cli, plan, 'Nothing was changed. Without --print this would be done:');
    if (!options.yes) {
      show(cli, plan, 'To be out of Claude Code, Keepsake will:');
      if (!(await agreed(cli, 'Go on?'))) return;
    }
    const removed = await uninstall(installer);
    if (console.json) return console.printJson({ uninstalled: removed });
    console.print(
      removed
        ? 'Uninstalled. What is remembered is still there, and every command works as before.'
        : 'Claude Code had no plugin of Keepsake. Nothing was changed.',
    );
  });
};

function show({ console }: Cli, plan: InstallPlan, head: string): void {
  if (console.json) console.printJson(plan);
  else console.print(head, ...plan.steps.map((step, place) => `  ${place + 1}. ${step}`));
}

/** Where nobody can answer, nothing is done. */
async function agreed({ console }: Cli, question: string): Promise<boolean> {
  if (await console.confirm(question, false)) return true;
  console.note('Nothing was changed. `--yes` does it without asking.');
  return false;
}

/** All the sessions there are already: they are what memory is made of. */
async function backfill(cli: Cli, { yes }: Options): Promise<void> {
  const wanted = yes || (await cli.console.confirm('Take in the sessions that are there already?', true));
  if (!wanted) return cli.console.note('`keepsake sync` does it later.');
  const report = await syncWithProgress(cli);
  const { places } = await cli.world();
  printReport(report, cli.console, `No transcripts in ${places.claudeProjects.join(', ')} yet.`);
}
