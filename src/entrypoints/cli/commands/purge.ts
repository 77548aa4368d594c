import { type Purged, type PurgePlan, type PurgeTarget, preparePurge } from '../../../app/purge/purge.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { FAULTS, Fault } from '../../../core/model/fault.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
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
    .option('--session <id>', 'a session with all that was made from it')
    .option('--message <id>', 'one message, by its id')
    .option('--text <text>', 'a text, letter for letter, wherever it stands')
    .option('--secret', 'the same, read from stdin or asked for: it stands in no shell history')
    .option('--project <project>', 'where the session is: id, path or name')
    .option('--dry-run', 'show what would go and change nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      "\nThe agent's own files and exported bundles are not touched; they are listed. What was purged is masked when it is read again.",
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
    const { plan, carryOut } = await preparePurge(world, target);
    if (options.dryRun) return console.json ? console.printJson(plan) : showPlan(cli, plan);
    if (!console.json) showPlan(cli, plan);
    if (!(await isAgreed(cli, options))) return console.print('Nothing was changed.');
    const done = await carryOut();
    if (done.left.some(({ what }) => what === 'text')) process.exitCode = FAULTS['verify-failed'].exit;
    return console.json ? console.printJson(done) : showProof(cli, done);
  });
};

async function targetOf(cli: Cli, options: Options): Promise<PurgeTarget> {
  const { session, message, text, secret } = options;
  const named = [session, message, text, secret].filter((it) => it !== undefined);
  if (named.length !== 1)
    throw new Fault('usage', 'Say what to purge: --session, --message, --text or --secret, one of them.', {
      hint: '`keepsake purge --help` shows how.',
    });
  if (session !== undefined)
    return { kind: 'session', session, ...withoutUndefined({ project: options.project }) };
  if (message !== undefined) return { kind: 'message', message };
  if (text !== undefined) return { kind: 'text', text };
  return { kind: 'secret', text: await readSecret(cli) };
}

async function readSecret({ console }: Cli): Promise<string> {
  if (console.attended) return console.askHidden('The secret to forget (it is not shown):');
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function isAgreed({ console }: Cli, { yes }: Options): Promise<boolean> {
  if (yes) return true;
  if (!console.interactive)
    throw new Fault('usage', 'Nothing was changed.', { hint: 'Add --yes to do it without being asked.' });
  return console.confirm('This can not be undone. Forget it?', false);
}

function showPlan({ console }: Cli, plan: PurgePlan): void {
  const places = plan.places.filter(({ files }) => files > 0);
  if (places.length === 0) console.print('It stands nowhere in the archive; from now on it is masked.');
  else
    console.table(places, [
      { title: 'where', value: (it) => it.kind },
      { title: 'files', value: (it) => count(it.files), align: 'right' },
      { title: 'places', value: (it) => count(it.matches), align: 'right' },
    ]);
  if (plan.compositions.length > 0)
    console.warn(`These compositions hold it and go with it: ${plan.compositions.join(', ')}.`);
  for (const { path, kind } of plan.outside.slice(0, 10)) console.warn(`${OUTSIDE[kind]}: ${path}`);
  if (plan.outside.length > 10)
    console.warn(`and ${plan.outside.length - 10} more outside; --json lists them.`);
}

const OUTSIDE = {
  transcript: "Not touched, the agent's own file",
  instructions: 'Not touched, your own file',
  export: 'Not touched, an exported bundle that may hold it',
};

const LEFT = {
  text: 'still holds it, maybe in other letter case; edit the file, or purge what it says',
  line: 'holds a line of it; `keepsake purge --text` with that line deletes it, too',
  beginning: 'holds its beginning; `keepsake purge --text` with that beginning deletes it, too',
};

function showProof({ console }: Cli, done: Purged): void {
  const { looked, left } = done;
  if (done.sessions.length > 0 && done.kind !== 'session')
    console.print(
      `${plural(done.sessions.length, 'session')} refined anew, ${plural(done.versionsMade, 'version')} made again without it.`,
    );
  const seen = `Checked ${plural(looked.files, 'file')}, ${bytes(looked.bytes)}, in two ways`;
  if (left.length === 0) {
    console.print(
      `${seen}: ${console.style.good('0 places left')}. The search index is made anew with the next search.`,
    );
    return;
  }
  console.print(`${seen}: ${console.style.bad(plural(left.length, 'place'))} left.`);
  for (const { path, what } of left.slice(0, 20)) console.warn(`${path}: ${LEFT[what]}`);
  if (left.length > 20) console.warn(`and ${left.length - 20} more; --json lists them.`);
}
