import type { PurgePlan, PurgeTarget } from '../../../app/purge/purge.ts';
import { prepareWholePurge, type WholePurge } from '../../../app/remote/purge-sealed.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { FAULTS, Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { purgedLines } from '../print/remote-lines.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';

type Options = {
  session?: string;
  message?: string;
  text?: string;
  secret?: boolean;
  project?: string;
  dryRun?: boolean;
  yes?: boolean;
};

export const definePurge: Define = (command, cli) => {
  command
    .option('--session <id>', 'a session and everything made from it')
    .option('--message <id>', 'one message, by its id')
    .option('--text <text>', 'a text, wherever it occurs exactly')
    .option(
      '--secret',
      'like --text, but read from stdin or a hidden prompt, so it is not in your shell history',
    )
    .option('--project <project>', 'the project of the session: id, path or name')
    .option('--dry-run', 'show what would be deleted, change nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nThe agent's own files and exported bundles are not changed; they are listed. If Keepsake reads the purged text again, it masks it.",
    );
  commonOptions(command);
  examples(
    command,
    'purge --session 4f2a91c0',
    'purge --message 0c51a7e2-52b1-4ed5-9a9e-2f3c1a7b9d10 --yes',
    'purge --text "the customer is Ada" --dry-run',
    'purge --secret',
  );
  command.action(async (options: Options) => {
    const { console } = cli;
    const target = await targetOf(cli, options);
    const world = await cli.world();
    const { plan, carryOut } = await prepareWholePurge(world, target);
    if (options.dryRun) return console.json ? console.printJson(plan) : showPlan(cli, plan);
    if (!console.json) showPlan(cli, plan);
    if (!(await isAgreed(cli, options))) return console.print('Nothing was changed.');
    const done = await carryOut();
    if (done.left.some(({ what }) => what === 'text')) process.exitCode = FAULTS['verify-failed'].exit;
    if (console.json) return console.printJson(done);
    showProof(cli, done);
    for (const line of purgedLines(done.remotes)) console.warn(line);
  });
};

async function targetOf(cli: Cli, options: Options): Promise<PurgeTarget> {
  const { session, message, text, secret } = options;
  const named = [session, message, text, secret].filter((it) => it !== undefined);
  if (named.length !== 1)
    throw new Fault(
      'usage',
      'keepsake purge: use exactly one of --session, --message, --text and --secret.',
      {
        hint: 'See `keepsake purge --help`.',
      },
    );
  if (session !== undefined)
    return { kind: 'session', session, ...withoutUndefined({ project: options.project }) };
  if (message !== undefined) return { kind: 'message', message };
  if (text !== undefined) return { kind: 'text', text };
  return { kind: 'secret', text: await readSecret(cli) };
}

async function readSecret({ console }: Cli): Promise<string> {
  if (console.attended) return console.askHidden('Secret to delete (input is hidden):');
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function isAgreed({ console }: Cli, { yes }: Options): Promise<boolean> {
  if (yes) return true;
  if (!console.interactive)
    throw new Fault('usage', 'Nothing was changed.', { hint: 'Add --yes to skip the question.' });
  return console.confirm('This cannot be undone. Delete it?', false);
}

function showPlan({ console }: Cli, plan: PurgePlan): void {
  const places = plan.places.filter(({ files }) => files > 0);
  if (places.length === 0) console.print('Not found in the archive; it will be masked from now on.');
  else
    console.table(places, [
      { title: 'where', value: (it) => it.kind },
      { title: 'files', value: (it) => count(it.files), align: 'right' },
      { title: 'places', value: (it) => count(it.matches), align: 'right' },
    ]);
  if (plan.compositions.length > 0)
    console.warn(`These compositions contain it and are deleted: ${plan.compositions.join(', ')}.`);
  for (const { path, kind } of plan.outside.slice(0, 10)) console.warn(`${OUTSIDE[kind]}: ${path}`);
  if (plan.outside.length > 10)
    console.warn(`and ${plan.outside.length - 10} more outside; --json lists them.`);
}

const OUTSIDE = {
  transcript: "Not changed: the agent's file",
  instructions: 'Not changed: your file',
  export: 'Not changed: an exported bundle that may contain it',
};

const LEFT = {
  text: 'still contains it, maybe in other letter case; edit the file, or purge that text',
  line: 'contains a line of it; `keepsake purge --text` with that line also deletes it',
  beginning: 'contains its beginning; `keepsake purge --text` with that beginning also deletes it',
};

function showProof({ console }: Cli, done: WholePurge): void {
  const { looked, left } = done;
  if (done.sessions.length > 0 && done.kind !== 'session')
    console.print(
      `${plural(done.sessions.length, 'session')} refined again, ${plural(done.versionsMade, 'version')} rebuilt without it.`,
    );
  const seen = `Checked ${plural(looked.files, 'file')}, ${bytes(looked.bytes)}, in two ways`;
  if (left.length === 0) {
    console.print(`${seen}: ${console.style.good('0 places left')}. The next search rebuilds the index.`);
    return;
  }
  console.print(`${seen}: ${console.style.bad(plural(left.length, 'place'))} left.`);
  for (const { path, what } of left.slice(0, 20)) console.warn(`${path}: ${LEFT[what]}`);
  if (left.length > 20) console.warn(`and ${left.length - 20} more; --json lists them.`);
}
