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
    .option('--undo', 'take the memory back into the archive')
    .option('--approve', 'use what others put into .claude/memory: look at it first')
    .option('--claude-md', 'have the agent load _memory/master.md in every session; moves nothing')
    .option('--dry-run', 'say what would be done, and do nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nThe project's memory (memory.md, notes, facts, refined sessions) moves from the archive into its own\n.claude/memory/, where it can be committed. Originals stay in the archive. Without this, nothing is ever\nwritten into a project.",
    );
  commonOptions(command);
  examples(command, 'init', 'init ~/shop --dry-run', 'init --undo', 'init --claude-md');
  command.action(async (path: string | undefined, options: Options) => {
    const { console } = cli;
    if (options.undo && options.approve) throw new Fault('usage', '--undo and --approve do not go together.');
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
    for (const name of moved.aside) console.note(`Kept beside what stood there already: ${name}`);
    if (!options.undo)
      console.note('Refined sessions and logs are left out of git. To take it back: keepsake init --undo');
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
    `${found.folder} holds files that Keepsake did not make here:\n${list.join('\n')}`,
    {
      hint: 'Look at them: what stands there will be told to the agent. `keepsake init --approve` then uses them; `keepsake memory migrate-legacy` takes over what an older memory plugin wrote.',
    },
  );
}

function entering(plan: InitPlan): string[] {
  const { folder, ours, files } = plan.found;
  const steps: string[] = [];
  if (!plan.known) steps.push(`Registers the project ${plan.root}.`);
  if (plan.place.kind === 'project' && plan.place.unfinished === undefined)
    return [...steps, `Its memory lies in ${folder} already; what is left in the archive is moved there.`];
  if (!ours && files.length > 0)
    steps.push(`Uses the ${plural(files.length, 'file')} in ${folder} as they are.`);
  steps.push(`Moves ${plural(plan.files, 'file')} of its memory into ${folder}.`);
  steps.push(`Writes ${folder}/.gitignore, so that sessions/ and logs/ stay out of the repository.`);
  return steps;
}

function undoing({ found, place }: InitPlan): string[] {
  if (place.asked === undefined) return ['Its memory lies in the archive already.'];
  return [`Moves ${plural(found.files.length, 'file')} from ${found.folder} back into the archive.`];
}

async function isAgreed(cli: Cli, steps: string[], options: Options): Promise<boolean> {
  if (options.yes || !cli.console.interactive) return true;
  cli.console.print(...steps);
  return cli.console.confirm('Go on?', true);
}

function whatWasDone({ place, moved, bytes: size }: MovedMemory): string {
  const what = `${plural(moved, 'file')}, ${bytes(size)}`;
  return place.kind === 'project'
    ? `The memory lies in ${place.folder} now: ${what}.`
    : `The memory is back in the archive: ${what}.`;
}
