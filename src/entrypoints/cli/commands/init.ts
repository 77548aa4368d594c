import { resolve } from 'node:path';
import { planImport, writeImport } from '../../../app/journal/claude-md.ts';
import { enterProject, type InitPlan, leaveProject, planInit } from '../../../app/maintenance/init.ts';
import { Fault } from '../../../core/model/fault.ts';
import type { MovedMemory } from '../../../ports/archive.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, plural } from '../terminal/quantities.ts';

type Options = { claudeMd?: true; undo?: true; approve?: true; dryRun?: true; yes?: true };

const NAMED = 10;

export const defineInit: Define = (command, cli) => {
  command
    .argument('[path]', "the project's folder (default: this one)")
    .option('--undo', 'move the memory back into the archive')
    .option('--approve', 'use a .claude/memory that came with the project; read it first')
    .option('--claude-md', 'make the agent load _memory/master.md in every session; moves nothing')
    .option('--dry-run', 'show what would be done, change nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nMoves the project's memory (memory.md, notes, facts, refined sessions) from the archive into the project's\n.claude/memory/, where you can commit it. Originals stay in the archive. Without this command, Keepsake\nwrites nothing into a project.",
    );
  commonOptions(command);
  examples(command, 'init', 'init ~/shop --dry-run', 'init --undo', 'init --claude-md');
  command.action(async (path: string | undefined, options: Options) => {
    const { console } = cli;
    if (options.undo && options.approve) throw new Fault('usage', '--undo and --approve cannot be combined.');
    const world = await cli.world();
    const root = resolve(cli.host.environment.cwd, path ?? '.');
    if (options.claudeMd) return importMaster(cli, root, options);
    const plan = await planInit(world, root);
    if (!options.undo) refuseStrangers(cli, plan, options);
    const steps = options.undo ? undoing(plan) : entering(plan);
    if (options.dryRun) {
      if (console.json) return console.printJson({ ...plan, steps, done: false });
      return console.print(...steps, 'Nothing was changed.');
    }
    if (!(await isAgreed(cli, steps, options))) return console.print('Nothing was changed.');
    const moved = options.undo
      ? await leaveProject(world, plan)
      : await enterProject(world, plan, { approve: options.approve === true });
    if (console.json) return console.printJson({ project: plan.project, steps, done: true, ...moved });
    console.print(whatWasDone(moved));
    for (const name of moved.aside) console.note(`Kept beside an existing file: ${name}`);
    if (!options.undo)
      console.note('A .gitignore excludes refined sessions and logs. To undo: keepsake init --undo');
  });
};

/** A line in CLAUDE.md, and nothing else. */
async function importMaster(cli: Cli, root: string, options: Options): Promise<void> {
  const { console } = cli;
  const world = await cli.world();
  const plan = await planImport(world, root, options.undo === true);
  const { file, steps } = plan;
  const agreed = !options.dryRun && (await isAgreed(cli, steps, options));
  const done = agreed ? await writeImport(world, plan) : undefined;
  if (console.json) return console.printJson({ file, steps, done: done !== undefined });
  if (options.dryRun || !agreed) return console.print(...(agreed ? [] : steps), 'Nothing was changed.');
  console.print(done ? `${done === 'written' ? 'Written' : 'Removed'}: ${file}` : steps.join('\n'));
}

/** What others made is shown before it is approved. */
function refuseStrangers(cli: Cli, { found }: InitPlan, options: Options): void {
  if (found.ours || found.files.length === 0 || options.dryRun) return;
  const list = found.files.slice(0, NAMED).map((name) => `  ${cleanLine(name)}`);
  if (found.files.length > NAMED) list.push(`  and ${found.files.length - NAMED} more`);
  if (options.approve) {
    cli.console.note(`Approving what is in ${found.folder}:\n${list.join('\n')}`);
    return;
  }
  throw new Fault(
    'conflict',
    `${found.folder} contains files that Keepsake did not write on this machine:\n${list.join('\n')}`,
    {
      hint: 'Read them first: the agent will see their content. Then run `keepsake init --approve`. To import memory of an older plugin: `keepsake memory migrate-legacy`.',
    },
  );
}

function entering(plan: InitPlan): string[] {
  const { folder, ours, files } = plan.found;
  const steps: string[] = [];
  if (!plan.known) steps.push(`Registers the project ${plan.root}.`);
  if (plan.place.kind === 'project' && plan.place.unfinished === undefined)
    return [...steps, `Its memory is already in ${folder}; the rest is moved there from the archive.`];
  if (!ours && files.length > 0) steps.push(`Uses the ${plural(files.length, 'file')} in ${folder}.`);
  steps.push(`Moves ${plural(plan.files, 'file')} of its memory into ${folder}.`);
  steps.push(`Writes ${folder}/.gitignore, so that sessions/ and logs/ stay out of the repository.`);
  return steps;
}

function undoing({ found, place }: InitPlan): string[] {
  if (place.asked === undefined) return ['Its memory is already in the archive.'];
  return [`Moves ${plural(found.files.length, 'file')} from ${found.folder} back into the archive.`];
}

async function isAgreed(cli: Cli, steps: string[], options: Options): Promise<boolean> {
  if (options.yes || !cli.console.interactive) return true;
  cli.console.print(...steps);
  return cli.console.confirm('Continue?', true);
}

function whatWasDone({ place, moved, bytes: size }: MovedMemory): string {
  const what = `${plural(moved, 'file')}, ${bytes(size)}`;
  return place.kind === 'project'
    ? `The memory is now in ${place.folder}: ${what}.`
    : `The memory is back in the archive: ${what}.`;
}
