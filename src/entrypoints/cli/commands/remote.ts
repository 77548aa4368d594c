import type { Command } from 'commander';
import { chosenRemotes, remoteKeyText } from '../../../app/segment/remote-record.ts';
import type { RemoteSync } from '../../../app/segment/remote-sync.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isLevel, LEVELS } from '../../../core/remote/levels.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { type PullOptions, pullOf } from '../options/remote-pull.ts';
import { addedLines, previewLines, remoteStatusLines, syncLines } from '../print/remote-lines.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';
import { defineMine } from './remote-mine.ts';
import { withProgress } from './sync.ts';

export const defineRemote: Define = (command, cli) => {
  command.addHelpText(
    'after',
    '\nNothing is sent until you share a project and approve what would be sent. Secrets are masked, and stored data is encrypted unless you use --plain.',
  );
  examples(
    command,
    'remote',
    'remote add ~/Sync/memory',
    'remote share shop',
    'remote preview',
    'remote approve',
    'remote sync',
  );
  commonOptions(command);
  command.action(() => printStatus(cli, undefined));
  defineAdd(command, cli);
  defineShare(command, cli);
  definePreview(command, cli);
  defineApprove(command, cli);
  defineSync(command, cli);
  defineFetch(command, cli);
  defineStatus(command, cli);
  defineKey(command, cli);
  defineRetire(command, cli);
  defineMine(command, cli);
  defineRemove(command, cli);
};

type AddOptions = PullOptions & {
  name?: string;
  key?: string;
  plain?: boolean;
  encrypt?: boolean;
  invite?: string;
  team?: string;
};

function defineAdd(command: Command, cli: Cli): void {
  const add = command
    .command('add')
    .description('Add a remote: a synced folder, an S3 bucket, a git repository or a hub.')
    .argument('<address>', 'a folder, s3://bucket/prefix, git+ssh://host/path.git, or https://hub')
    .option('--name <name>', 'its name (default: home)')
    .option('--key <key>', 'the key that the first machine printed (asked for if needed)')
    .option('--invite <code>', 'join a hub: the invitation that its admin printed')
    .option('--team <name>', 'several people share this remote; your name there')
    .option('--encrypt', 'encrypt stored data with the key (default)')
    .option('--plain', 'store data unencrypted: anyone who can read the remote can read your memory')
    .option('--only-shared', 'receive only projects that are also shared here')
    .option(
      '--only-here',
      'receive only projects that you work on here: those with sessions, and this folder',
    )
    .option(
      '--light',
      'receive text only, of projects that you work on here; download originals with `fetch` (2 to 5% of the bytes)',
    )
    .option('--all-projects', 'with --light: receive the text of every project');
  commonOptions(add);
  examples(
    add,
    'remote add ~/Sync/memory',
    'remote add s3://bucket/memory',
    'remote add ~/Sync/memory --key 7K2M-...',
  );
  add.action(async (address: string, options: AddOptions) => {
    if (options.plain && options.encrypt)
      throw new Fault('usage', '--encrypt and --plain cannot be combined.', {
        hint: 'Omit one of them.',
      });
    const world = await cli.world('nothing');
    const { name, key, plain, light, invite, team } = options;
    const pull = pullOf(options);
    const asked = withoutUndefined({ name, key, plain, pull, light, invite, team });
    const { addRemote } = await import('../../../app/remote/add-remote.ts');
    const added = await addRemote(world, { address, ...asked });
    if (cli.console.json) return cli.console.printJson(added);
    for (const line of addedLines(added)) cli.console.print(line);
  });
}

function defineShare(command: Command, cli: Cli): void {
  const share = command
    .command('share')
    .description('Select projects to send. Nothing is sent before `approve`.')
    .argument('[project]', 'name, id or path (default: the project of this folder)')
    .option('--all', 'every project')
    .option('--with <remote>', 'the remote, if there are several')
    .option('--level <level>', `how much: ${LEVELS.join(', ')}`, 'all');
  commonOptions(share);
  examples(share, 'remote share shop', 'remote share --all', 'remote share shop --level facts');
  share.action(
    async (project: string | undefined, options: { all?: boolean; with?: string; level: string }) => {
      const { level } = options;
      if (!isLevel(level))
        throw new Fault('usage', `${JSON.stringify(level)} is not a level.`, {
          hint: `Use one of: ${LEVELS.join(', ')}.`,
        });
      const world = await cli.world('nothing');
      const asked = withoutUndefined({ project, all: options.all, remote: options.with });
      const { shareProjects } = await import('../../../app/remote/share.ts');
      const { remote, shares } = await shareProjects(world, { ...asked, level });
      if (cli.console.json) return cli.console.printJson({ remote, shares });
      for (const { name, approved } of shares)
        cli.console.print(
          `${cleanLine(name)}: ${level}${approved === level ? '' : ', waiting for approval'}`,
        );
      if (shares.some(({ approved }) => approved !== level))
        cli.console.print(
          'Check what would be sent with `keepsake remote preview`, then run `keepsake remote approve`.',
        );
    },
  );
}

function definePreview(command: Command, cli: Cli): void {
  const preview = command
    .command('preview')
    .description('Show exactly what the next sync would send: projects, sessions, bytes, masked secrets.')
    .argument('[remote]', 'the remote, if there are several');
  commonOptions(preview);
  examples(preview, 'remote preview', 'remote preview home --json');
  preview.action(async (name: string | undefined) => {
    const { previewRemote } = await import('../../../app/remote/share.ts');
    const found = await previewRemote(await cli.world('nothing'), name);
    if (cli.console.json) return cli.console.printJson(found);
    for (const line of previewLines(found)) cli.console.print(line);
  });
}

function defineApprove(command: Command, cli: Cli): void {
  const approve = command
    .command('approve')
    .description('Approve sending the shared projects.')
    .argument('[remote]', 'the remote, if there are several');
  commonOptions(approve);
  examples(approve, 'remote approve');
  approve.action(async (name: string | undefined) => {
    const { approveRemote } = await import('../../../app/remote/share.ts');
    const { remote, approved } = await approveRemote(await cli.world('nothing'), name);
    if (cli.console.json) return cli.console.printJson({ remote, approved });
    if (approved.length === 0) return cli.console.print('Nothing is waiting for approval.');
    for (const share of approved)
      cli.console.print(`${cleanLine(share.name)} may be sent to ${remote} (${share.level}).`);
    cli.console.print('Send it with: keepsake remote sync');
  });
}

function defineSync(command: Command, cli: Cli): void {
  const sync = command
    .command('sync')
    .description('Receive what other machines sent, then send what is new here.')
    .argument('[remote]', 'only this one')
    .option('--push', 'only send (purges of other machines are still received)')
    .option('--pull', 'only receive');
  commonOptions(sync);
  examples(sync, 'remote sync', 'remote sync home --pull');
  sync.action(async (name: string | undefined, options: { push?: boolean; pull?: boolean }) => {
    const world = await cli.world();
    const direction =
      options.push === options.pull ? undefined : options.push ? ('push' as const) : ('pull' as const);
    const { syncRemote } = await import('../../../app/remote/sync-remote.ts');
    const reports: RemoteSync[] = [];
    for (const remote of await chosenRemotes(world, name)) {
      const report = await withProgress(cli, 'keepsake remote sync', (run) =>
        syncRemote(world, remote.name, { ...run, ...withoutUndefined({ direction }) }),
      );
      reports.push(report);
    }
    if (cli.console.json) return cli.console.printJson({ items: reports });
    for (const report of reports) for (const line of syncLines(report)) cli.console.print(line);
  });
}

function defineFetch(command: Command, cli: Cli): void {
  const fetch = command
    .command('fetch')
    .description('Download the original of a session that is here only as text.')
    .argument('<session>', 'an id or unique prefix')
    .option('--project <project>', 'its project, if several have such a session');
  commonOptions(fetch);
  examples(fetch, 'remote fetch 4f2a91c0');
  fetch.action(async (session: string, options: { project?: string }) => {
    const { project } = options;
    const { fetchSession } = await import('../../../app/remote/fetch-original.ts');
    const done = await fetchSession(await cli.world(), { session, ...withoutUndefined({ project }) });
    if (cli.console.json) return cli.console.printJson(done);
    cli.console.print(
      `Downloaded the original of ${done.sessionId} (${bytes(done.bytes)} from ${done.remote}).`,
    );
  });
}

function defineStatus(command: Command, cli: Cli): void {
  const status = command
    .command('status')
    .description(
      'Show remotes, machines with their last sync, and purges with the machines that applied them.',
    )
    .argument('[remote]', 'only this one');
  commonOptions(status);
  examples(status, 'remote status');
  status.action((name: string | undefined) => printStatus(cli, name));
}

async function printStatus(cli: Cli, name: string | undefined): Promise<void> {
  const world = await cli.world('nothing');
  const { remoteStatus } = await import('../../../app/remote/remote-status.ts');
  const items = await remoteStatus(world, name);
  if (cli.console.json) return cli.console.printJson({ items });
  if (items.length === 0) cli.console.print('No remotes yet. Add one: keepsake remote add ~/Sync/memory');
  for (const item of items)
    for (const line of remoteStatusLines(item, world.clock.local)) cli.console.print(line);
}

function defineKey(command: Command, cli: Cli): void {
  const key = command
    .command('key')
    .description(
      'Print the key that another machine needs. Anyone with the key can read everything that is stored.',
    )
    .argument('[remote]', 'the remote, if there are several');
  commonOptions(key);
  examples(key, 'remote key');
  key.action(async (name: string | undefined) => {
    const text = await remoteKeyText(await cli.world('nothing'), name);
    if (cli.console.json) cli.console.printJson({ key: text });
    else cli.console.print(text);
  });
}

function defineRetire(command: Command, cli: Cli): void {
  const retire = command
    .command('retire')
    .description('Retire a machine that never comes back, so that purges no longer wait for it.')
    .argument('<device>', 'its name or an id prefix (listed by `status`)')
    .option('--remote <remote>', 'the remote, if there are several');
  commonOptions(retire);
  examples(retire, 'remote retire laptop-old');
  retire.action(async (device: string, options: { remote?: string }) => {
    const { retireDevice } = await import('../../../app/remote/remote-status.ts');
    const done = await retireDevice(await cli.world('nothing'), {
      device,
      ...withoutUndefined({ remote: options.remote }),
    });
    if (cli.console.json) cli.console.printJson(done);
    else
      cli.console.print(
        `${cleanLine(done.device.name)} is retired. The next sync informs the other machines.`,
      );
  });
}

function defineRemove(command: Command, cli: Cli): void {
  const remove = command
    .command('remove')
    .description('Remove a remote. What is stored there stays, unless you say otherwise.')
    .argument('<remote>', 'its name')
    .option('--erase', 'first delete what this machine stored there')
    .option('--erase-all', 'first delete what all machines stored there')
    .option('--yes', 'do not ask');
  commonOptions(remove);
  examples(remove, 'remote remove home', 'remote remove home --erase-all');
  remove.action(async (name: string, options: { erase?: boolean; eraseAll?: boolean; yes?: boolean }) => {
    const isErasing = options.erase === true || options.eraseAll === true;
    if (isErasing && !options.yes) {
      if (!cli.console.interactive)
        throw new Fault('usage', 'Nothing was changed.', { hint: 'Add --yes to skip the question.' });
      const isAgreed = await cli.console.confirm(`Delete what is stored in ${name}?`, false);
      if (!isAgreed) return cli.console.print('Nothing was changed.');
    }
    const world = await cli.world('nothing');
    const { removeRemote } = await import('../../../app/remote/remove-remote.ts');
    const [erase, all] = [options.erase === true, options.eraseAll === true];
    const done = await removeRemote(world, { name, erase, all });
    if (cli.console.json) return cli.console.printJson(done);
    const what = isErasing ? ` ${plural(done.deleted, 'file')} deleted there, ${count(done.left)} left.` : '';
    cli.console.print(`Removed ${done.remote}.${what}`);
  });
}
