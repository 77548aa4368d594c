import { faultText, orFault } from '../../app/or-fault.ts';
import type { Reads } from '../../app/reads.ts';
import type { World } from '../../app/world.ts';
import { FAULTS, Fault } from '../../core/model/fault.ts';
import type { Cli, Define } from './cli.ts';
import { COMMANDS } from './commands.ts';
import { Console } from './console.ts';
import { printFault } from './faults.ts';
import type { Host } from './host.ts';
import { readArguments } from './options/read-arguments.ts';
import { quietPipes } from './terminal/output.ts';
import { topHelp } from './top-help.ts';

/** Runs one command line. Gives the exit status; never throws. */
export async function run(argv: string[], host: Host): Promise<number> {
  const request = readArguments(argv);
  const debug = request.debug || host.environment.debug;
  const console = new Console({
    json: request.json,
    color: request.color ?? host.environment.color,
    columns: host.environment.columns,
    timeZone: host.environment.timeZone,
  });
  quietPipes();
  let world: Promise<World> | undefined;
  const warned = new Set<string>();
  const report = (note: string) => {
    if (!warned.has(note)) console.warn(note);
    warned.add(note);
  };
  const { signal, stopped } = interruptible(console);
  const cliFor = (usual: Reads): Cli => ({
    console,
    host,
    world: (reads = usual) => (world ??= openFor(listening(host.openWorld(report), stopped), reads)),
    signal,
  });
  try {
    await dispatch(request.command, request.rest, cliFor);
    if (request.command !== 'doctor') await warnOfSettings(await world, report);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return await printFault(error, console, host, debug);
  } finally {
    await world?.then((opened) => opened.archive.close()).catch(() => undefined);
    if (world) await host.takeUpWork().catch(() => undefined);
  }
}

/** A command that needs no setting works anyway, but does not hide that the rest are ignored. */
async function warnOfSettings(world: World | undefined, report: (note: string) => void): Promise<void> {
  const outcome = world && (await orFault(world.settings.resolve()));
  if (outcome instanceof Fault) report(`The settings are ignored. ${faultText(outcome)}`);
}

/** Loads what syncs only where something is read that must be up to date. */
async function openFor(opening: Promise<World>, reads: Reads): Promise<World> {
  const world = await opening;
  if (reads !== 'nothing') await (await import('../../app/sync/sync-for.ts')).syncFor(world, reads);
  return world;
}

/** Of the bare command. */
const HOME_OPTIONS = new Set(['--sample', '--list', '--no-open']);

type CliFor = (usual: Reads) => Cli;

async function dispatch(name: string | undefined, rest: string[], cliFor: CliFor): Promise<void> {
  if (name === undefined && rest.every((word) => HOME_OPTIONS.has(word))) {
    const { defineHome } = await import('./commands/home.ts');
    // It syncs everything itself.
    return runCommand({ name: 'keepsake', define: defineHome }, rest, cliFor('nothing'));
  }
  if (name === undefined || name === 'help') return help(rest, cliFor('nothing'));
  const known = COMMANDS.find((command) => command.name === name);
  if (!known) throw await unknownCommand(name);
  const cli = cliFor(known.reads ?? (known.group === 'Maintenance' ? 'nothing' : 'sessions'));
  return runCommand(await loaded(known), rest, cli);
}

async function help(rest: string[], cli: Cli): Promise<void> {
  const [name] = rest;
  if (name === '--version' || name === '-V' || name === '-v') return cli.console.print(cli.host.version);
  const known = COMMANDS.find((command) => command.name === name);
  if (known) return runCommand(await loaded(known), ['--help'], cli);
  if (name === undefined || name === '--help' || name === '-h') {
    return cli.console.print(topHelp(cli.host.version, cli.console.style));
  }
  throw name.startsWith('-') ? unknownOption(name) : await unknownCommand(name);
}

type Defined = { name: string; define: Define; summary?: string };

async function loaded({ name, load, summary }: (typeof COMMANDS)[number]): Promise<Defined> {
  return { name: `keepsake ${name}`, define: await load(), summary };
}

async function runCommand({ name, define, summary = '' }: Defined, rest: string[], cli: Cli): Promise<void> {
  const { Command, CommanderError } = await import('commander');
  const command = new Command(name)
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false);
  command.configureOutput({ writeErr: () => undefined, getOutHasColors: () => true });
  command.configureHelp({ styleTitle: cli.console.style.strong });
  if (summary !== '') command.description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  define(command, cli);
  try {
    await command.parseAsync(rest, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code === 'commander.help') return cli.console.print(command.helpInformation().trimEnd());
    throw new Fault('usage', sentence(error.message), { hint: `See \`${name} --help\`.` });
  }
}

/** commander writes `error: unknown option '--x'` and a suggestion on the next line. */
function sentence(message: string): string {
  const [first = '', ...more] = message.replace(/^error: /, '').split('\n');
  const wrong = /^option '.*?(--[\w-]+).*' argument '(.*)' is invalid\. (.*)$/.exec(first);
  const text = wrong ? `${wrong[1]} can't be ${JSON.stringify(wrong[2])}: ${wrong[3]}` : first;
  return [`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`, ...more].join(' ');
}

function unknownOption(name: string): Fault {
  return new Fault('usage', `Unknown option ${JSON.stringify(name)}.`, {
    hint: 'See `keepsake --help`.',
  });
}

async function unknownCommand(name: string): Promise<Fault> {
  const { nearest } = await import('../../app/nearest.ts');
  const near = nearest(
    name,
    COMMANDS.map((command) => command.name),
  );
  const hint =
    near.length > 0 ? `Did you mean \`keepsake ${near.join('` or `keepsake ')}\`?` : 'See `keepsake --help`.';
  return new Fault('usage', `Unknown command ${JSON.stringify(name.slice(0, 60))}.`, { hint });
}

/** One press of Ctrl-C comes twice when a launcher passes on what the terminal sent to both. */
const SAME_PRESS_MS = 300;

/** Ctrl-C: a command that listens may finish its step, any other ends at once, as does a second press. */
function interruptible(console: Console): Pick<Cli, 'signal'> & { stopped: () => AbortSignal | undefined } {
  // Created when a command listens: Node loads its class on first use.
  let controller: AbortController | undefined;
  let pressed = Number.NEGATIVE_INFINITY;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const again = performance.now() - pressed >= SAME_PRESS_MS;
      if (!controller || (controller.signal.aborted && again)) {
        console.endProgress();
        process.exit(FAULTS.cancelled.exit);
      }
      if (controller.signal.aborted) return;
      pressed = performance.now();
      controller.abort();
    });
  }
  const signal = () => {
    controller ??= new AbortController();
    return controller.signal;
  };
  return { signal, stopped: () => controller?.signal };
}

async function listening(opening: Promise<World>, stopped: () => AbortSignal | undefined): Promise<World> {
  return Object.assign(await opening, { stopped });
}
