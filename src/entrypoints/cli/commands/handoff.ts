import { compose } from '../../../app/compose/compose.ts';
import { type MadeHandoff, makeHandoff } from '../../../app/session/handoff.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { World } from '../../../app/world.ts';
import { HANDOFF_TARGETS, type HandoffTarget, handoffTarget } from '../../../core/agents/handoff-targets.ts';
import { Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples, parseWholeNumber } from '../cli.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';

const BUDGET = 4000;
const NATIVE_BUDGET = 16_000;
const LEAST = 300;

type Options = { to: string; budget?: number; project?: string; start?: boolean; print?: boolean };

export const defineHandoff: Define = (command, cli) => {
  command
    .argument('[session]', 'a session id or unique prefix (default: the newest of this folder)')
    .requiredOption('--to <agent>', HANDOFF_TARGETS.join(', '))
    .option(
      '--budget <tokens>',
      `maximum tokens (default: ${BUDGET}; ${NATIVE_BUDGET} for claude)`,
      parseWholeNumber,
    )
    .option('--start', 'start the agent here instead of printing the command')
    .option('--print', 'print only the text')
    .option('--project <project>', 'its project, if several have such a session')
    .addHelpText(
      'after',
      "\nHands a task to another agent: the request, how it ended, what is open, decided and changed. Claude Code gets it as a new\nsession. When Keepsake reads the other agent's session, this text does not count as your words.",
    );
  commonOptions(command);
  examples(
    command,
    'handoff --to codex',
    'handoff 4f2a91c0 --to gemini --start',
    'handoff 4f2a91c0 --to claude',
  );
  command.action(async (session: string | undefined, options: Options) => {
    const target = handoffTarget(options.to);
    if (!target)
      throw new Fault('usage', `Unknown agent: "${cleanLine(options.to).slice(0, 60)}".`, {
        hint: `One of: ${HANDOFF_TARGETS.join(', ')}.`,
      });
    const { budget = BUDGET, project } = options;
    if (budget < LEAST) throw new Fault('usage', `A handoff needs at least ${LEAST} tokens.`);
    if (options.start && !target.command)
      throw new Fault('usage', `${target.name} has no command that starts it with a prompt.`, {
        hint: 'Omit --start: Keepsake then writes a file whose text you can paste into it.',
      });
    const world = await cli.world();
    const waits = target.openedBy !== undefined;
    const made = await makeHandoff(world, { budget, waits, ...withoutUndefined({ session, project }) });
    if (options.print) return void process.stdout.write(`${cleanText(made.text)}\n`);
    await handOver(cli, world, { target, made, options });
  });
};

type HandingOver = { target: HandoffTarget; made: MadeHandoff; options: Options };

async function handOver(cli: Cli, world: World, { target, made, options }: HandingOver): Promise<void> {
  const { console, host } = cli;
  // Claude Code finds a session only in the folder that it was made for: this one.
  const cwd = target.isNative || made.cwd === '' ? host.environment.cwd : made.cwd;
  const native = target.isNative ? await nativeSession(world, made, options.budget) : undefined;
  if (options.start) {
    process.exitCode = await startIn(cwd, cli, { target, last: native?.id ?? made.text });
    return;
  }
  const file = `handoff/${made.sessionId}-${target.id}.md`;
  if (native === undefined) await world.archive.files.write(undefined, file, made.text);
  const path = world.archive.files.path(undefined, file);
  const line = commandLine(target, native?.id ?? `"$(cat ${quoted(path)})"`);
  const { sessionId, title } = made;
  const { tokens, text } = native ?? made;
  if (console.json)
    return console.printJson({
      sessionId,
      to: target.id,
      cwd,
      tokens,
      command: line,
      ...(native === undefined ? { file: path } : {}),
      text,
    });
  const what = `"${cleanLine(title)}" for ${target.name}, ${tokens.toLocaleString('en')} tokens.`;
  if (line === null)
    return console.print(
      `${what} ${target.name} has no command for this: paste the text of this file into it.`,
      '',
      `  ${path}`,
    );
  console.print(`${what} Start it with:`, '', `  cd ${quoted(cwd)} && ${line}`);
}

/** In this terminal; the status of what was started last. */
async function startIn(
  cwd: string,
  { host }: Cli,
  { target: { command = [], openedBy }, last }: { target: HandoffTarget; last: string },
): Promise<number> {
  const [program = '', ...args] = command;
  const status = await host.startAgent(program, [...args, last], cwd);
  const [next, ...more] = openedBy ?? [];
  return next === undefined || status !== 0 ? status : host.startAgent(next, more, cwd);
}

/** For a shell; null where the agent has none. */
function commandLine({ command, openedBy }: HandoffTarget, last: string): string | null {
  if (!command) return null;
  return [...command, last, ...(openedBy ? ['&&', ...openedBy] : [])].join(' ');
}

/** A session that Claude Code itself resumes, and what it begins with. */
async function nativeSession(
  world: World,
  { sessionId }: MadeHandoff,
  budget = NATIVE_BUDGET,
): Promise<{ id: string; tokens: number; text: string }> {
  const name = `handoff ${sessionId.slice(0, 8)}`;
  const ask = { sessions: [sessionId], budget };
  const {
    resumed: [resumed] = [],
    totalTokens,
    markdown,
  } = await compose(world, name, ask, { resume: true, force: true });
  if (!resumed) throw new Fault('internal', 'No session was written for Claude Code.');
  return { id: resumed.sessionId, tokens: totalTokens, text: markdown };
}

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
