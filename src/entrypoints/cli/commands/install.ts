import {
  type AgentInstaller,
  agentsHere,
  planSetup,
  planTakeOut,
  type SetupPlan,
  setUp,
  setupPlace,
  takeOut,
} from '../../../app/maintenance/agent-setup.ts';
import {
  type InstallPlan,
  install,
  planInstall,
  planUninstall,
  uninstall,
} from '../../../app/maintenance/install.ts';
import { orFault } from '../../../app/or-fault.ts';
import { FAULTS, Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { printReport } from '../print/sync-report.ts';
import { syncWithProgress } from './sync.ts';

type Options = {
  agent?: string[];
  all?: boolean;
  instructions?: boolean;
  print?: boolean;
  yes?: boolean;
  sync?: boolean;
};

const CLAUDE = 'claude-code';
const more = (name: string, before: string[] = []) => [...before, name];

export const defineInstall: Define = (command, cli) => {
  command
    .option('--agent <name>', 'only in this agent; can be repeated', more)
    .option('--all', 'in all agents found here')
    .option('--instructions', "also add a few lines to the agent's instructions file")
    .option('--print', 'show the steps, change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--no-sync', 'do not archive existing sessions');
  commonOptions(command);
  examples(
    command,
    'install',
    'install --all --print',
    'install --agent codex --agent gemini',
    'install --yes --no-sync',
  );
  command.action(async (options: Options) => {
    const { console } = cli;
    const agents = await cli.host.openAgentInstaller();
    const plans = await planOthers(agents, options);
    const claude = await planClaude(cli, options, plans.length > 0);
    if (options.print) return show(cli, claude, plans, options);
    const done = [
      ...(await installClaude(cli, claude, options)),
      ...(await installOthers(cli, agents, plans, options)),
    ];
    for (const { name, problems } of plans)
      for (const problem of problems) {
        console.note(`${name}: ${problem}`);
        process.exitCode = FAULTS.conflict.exit;
      }
    if (console.json) return console.printJson({ installed: done.length > 0, into: done, ...claude });
    if (done.length === 0) return;
    console.print(
      `Installed into ${done.join(', ')}. Memory works from the next session on. To remove it: \`keepsake uninstall\`.`,
    );
    if (options.sync !== false) await backfill(cli, options);
  });
};

async function planOthers(
  agents: AgentInstaller,
  { agent, instructions = false }: Options,
): Promise<SetupPlan[]> {
  const places =
    agent === undefined
      ? await agentsHere(agents)
      : agent.filter((name) => name !== CLAUDE).map((name) => setupPlace(agents, name));
  const plans: SetupPlan[] = [];
  for (const place of places) plans.push(await planSetup(agents, place, { instructions }));
  return plans;
}

/** Undefined if it is not asked for, or is not here while others are. */
async function planClaude(
  cli: Cli,
  { agent }: Options,
  areOthers: boolean,
): Promise<InstallPlan | undefined> {
  if (agent !== undefined && !agent.includes(CLAUDE)) return undefined;
  const plan = await orFault(planInstall(await cli.host.openInstaller()));
  if (!(plan instanceof Fault)) return plan;
  if (agent === undefined && areOthers && plan.code === 'not-found') return undefined;
  throw plan;
}

async function installClaude(cli: Cli, plan: InstallPlan | undefined, { yes }: Options): Promise<string[]> {
  if (!plan) return [];
  if (!yes) {
    cli.console.print('To install into Claude Code, Keepsake will:', ...numbered(plan.steps));
    if (!(await agreed(cli, 'Continue?'))) return [];
  }
  await install(await cli.host.openInstaller(), plan);
  return ['Claude Code'];
}

async function installOthers(
  cli: Cli,
  agents: AgentInstaller,
  plans: SetupPlan[],
  { agent, all, yes }: Options,
): Promise<string[]> {
  const { console } = cli;
  const open = plans.filter(({ steps }) => steps.length > 0);
  const isNamed = all || agent !== undefined;
  if (open.length > 0 && !isNamed && (yes || !console.interactive)) {
    console.note(
      `Also found: ${open.map(({ name }) => name).join(', ')}. To add Keepsake to them too: \`keepsake install --all\`.`,
    );
    return [];
  }
  const done: string[] = [];
  for (const plan of open) {
    if (!yes) {
      console.print(`To install into ${plan.name}, Keepsake will:`, ...numbered(plan.steps));
      if (!(await agreed(cli, 'Continue?'))) continue;
    }
    await setUp(agents, plan);
    done.push(plan.name);
  }
  for (const { name, steps, problems } of plans)
    if (isNamed && steps.length === 0 && problems.length === 0) console.note(`${name} already has it.`);
  return done;
}

export const defineUninstall: Define = (command, cli) => {
  command
    .option('--agent <name>', 'only from this agent; can be repeated', more)
    .option('--print', 'show the steps, change nothing')
    .option('-y, --yes', 'do not ask');
  commonOptions(command);
  examples(command, 'uninstall', 'uninstall --print', 'uninstall --agent codex');
  command.action(async ({ agent, print, yes }: Options) => {
    const { console } = cli;
    const agents = await cli.host.openAgentInstaller();
    const others = agent?.filter((name) => name !== CLAUDE).map((name) => setupPlace(agents, name).agent);
    const steps = await planTakeOut(agents, others);
    const plan = await planOut(cli, agent, steps.length > 0);
    if (print) return showOut(cli, plan, steps);
    if (!yes) {
      console.print('Keepsake will:', ...numbered([...(plan?.steps ?? []), ...steps]));
      if (!(await agreed(cli, 'Continue?'))) return;
    }
    const removed = plan ? await uninstall(await cli.host.openInstaller()) : false;
    const { restored, edited, problems } = await takeOut(agents, others);
    for (const problem of problems) {
      console.note(problem);
      process.exitCode = FAULTS.conflict.exit;
    }
    if (console.json) return console.printJson({ uninstalled: removed, restored, edited });
    console.print(
      removed || restored.length + edited.length > 0
        ? 'Uninstalled. The archive stays, and every command still works.'
        : 'Keepsake is not installed in any agent. Nothing was changed.',
    );
  });
};

async function planOut(
  cli: Cli,
  agent: string[] | undefined,
  areOthers: boolean,
): Promise<InstallPlan | undefined> {
  if (agent !== undefined && !agent.includes(CLAUDE)) return undefined;
  const plan = await orFault(planUninstall(await cli.host.openInstaller()));
  if (!(plan instanceof Fault)) return plan;
  if (agent === undefined && areOthers && plan.code === 'not-found') return undefined;
  throw plan;
}

const HEAD = 'Nothing was changed. Without --print, Keepsake would:';

function show(
  { console }: Cli,
  claude: InstallPlan | undefined,
  plans: SetupPlan[],
  { agent: named, all }: Options,
): void {
  const others = plans.map(({ agent, name, steps, problems }) => ({ agent, name, steps, problems }));
  if (console.json) {
    console.printJson({ ...claude, agents: others });
    return;
  }
  console.print(HEAD);
  if (claude) console.print('', 'Claude Code:', ...numbered(claude.steps));
  for (const { name, agent, steps, problems } of others) {
    const rows = [...steps, ...problems];
    const onlyIf = all || named ? '' : ` (only with \`--agent ${agent}\`, \`--all\` or your yes)`;
    console.print('', `${name}${onlyIf}:`);
    console.print(
      ...(rows.length === 0 ? ['  Already installed, or supports only `--instructions`.'] : numbered(rows)),
    );
  }
}

function showOut({ console }: Cli, plan: InstallPlan | undefined, steps: string[]): void {
  if (console.json) console.printJson({ ...plan, files: steps });
  else console.print(HEAD, ...numbered([...(plan?.steps ?? []), ...steps]));
}

function numbered(steps: string[]): string[] {
  return steps.map((step, place) => `  ${place + 1}. ${step}`);
}

/** Where nobody can answer, nothing is done. */
async function agreed({ console }: Cli, question: string): Promise<boolean> {
  if (await console.confirm(question, false)) return true;
  console.note('Nothing was changed. Use `--yes` to skip the question.');
  return false;
}

/** All the sessions there are already: they are what memory is made of. */
async function backfill(cli: Cli, { yes }: Options): Promise<void> {
  const wanted = yes || (await cli.console.confirm('Archive your existing sessions now?', true));
  if (!wanted) return cli.console.note('To do it later: `keepsake sync`.');
  const report = await syncWithProgress(cli);
  const { places } = await cli.world();
  printReport(report, cli.console, `No transcripts in ${places.claudeProjects.join(', ')} yet.`);
}
