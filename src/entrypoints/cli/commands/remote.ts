import type { Command } from 'commander';
import { type AddedRemote, addRemote } from '../../../app/remote/add-remote.ts';
import { chosenRemotes, remoteKeyText } from '../../../app/remote/remote-record.ts';
import { type RemoteStatus, remoteStatus, retireDevice } from '../../../app/remote/remote-status.ts';
import { removeRemote } from '../../../app/remote/remove-remote.ts';
import { approveRemote, type Preview, previewRemote, shareProjects } from '../../../app/remote/share.ts';
import { type RemoteSync, syncRemote } from '../../../app/remote/sync-remote.ts';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isLevel, LEVELS } from '../../../core/remote/levels.ts';
import { type Cli, commonOptions, type Define, examples } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, plural } from '../terminal/quantities.ts';
import { withProgress } from './sync.ts';

export const defineRemote: Define = (command, cli) => {
  command.addHelpText(
    'after',
    '\nNothing leaves this machine until a project is shared and what would leave is approved. Secrets are masked, and what is stored is encrypted unless you say --plain.',
  );
  examples(
    command,
    'remote add ~/Sync/memory',
    'remote share shop',
    'remote preview',
    'remote approve',
    'remote sync',
  );
  defineAdd(command, cli);
  defineShare(command, cli);
  definePreview(command, cli);
  defineApprove(command, cli);
  defineSync(command, cli);
  defineStatus(command, cli);
  defineKey(command, cli);
  defineRetire(command, cli);
  defineRemove(command, cli);
};

type AddOptions = {
  name?: string;
  key?: string;
  plain?: boolean;
  encrypt?: boolean;
  onlyShared?: boolean;
};

function defineAdd(command: Command, cli: Cli): void {
  const add = command
    .command('add')
    .description(
      'Name a place where memory may be kept: a folder that is synced, an S3 bucket, a git repository.',
    )
    .argument('<address>', 'a folder, s3://bucket/prefix, or git+ssh://host/path.git')
    .option('--name <name>', 'what to call it (default: home)')
    .option('--key <key>', 'the key that the first machine printed; asked for where it is needed')
    .option('--encrypt', 'only who has the key can read what is stored (the default)')
    .option('--plain', 'store it readable: whoever can read the place can read your memory')
    .option('--only-shared', 'bring only projects that are shared here, too');
  commonOptions(add);
  examples(
    add,
    'remote add ~/Sync/memory',
    'remote add s3://bucket/memory',
    'remote add ~/Sync/memory --key 7K2M-...',
  );
  add.action(async (address: string, options: AddOptions) => {
    if (options.plain && options.encrypt)
      throw new Fault('usage', 'It is either encrypted or plain.', {
        hint: 'Leave out --encrypt or --plain.',
      });
    const world = await cli.world('nothing');
    const { name, key, plain } = options;
    const pull = options.onlyShared ? ('shared' as const) : undefined;
    const added = await addRemote(world, { address, ...withoutUndefined({ name, key, plain, pull }) });
    if (cli.console.json) return cli.console.printJson(added);
    for (const line of addedLines(added)) cli.console.print(line);
  });
}

function addedLines({ remote, traits, devices, key }: AddedRemote): string[] {
  const lines = [`Added ${remote.name}: ${cleanLine(remote.address)}. Nothing was sent.`];
  for (const note of traits.notes) lines.push(note);
  if (traits.deletes === 'not by us')
    lines.push('What is sent there may stay there for ever: a purge can not be promised.');
  if (key !== undefined)
    lines.push(
      '',
      'The key of this remote. Every other machine needs it; without it nobody can read what is stored:',
      `  ${key}`,
      `On the next machine: keepsake remote add ${cleanLine(remote.address)} --key ${key}`,
      '',
      'Next: keepsake remote share --all, keepsake remote preview, keepsake remote approve, keepsake remote sync',
    );
  else lines.push(`${plural(devices, 'other machine')} there. Next: keepsake remote sync`);
  return lines;
}

function defineShare(command: Command, cli: Cli): void {
  const share = command
    .command('share')
    .description('Ask for projects to be sent. Nothing leaves before `approve`.')
    .argument('[project]', 'name, id or path; without one, the project of this folder')
    .option('--all', 'every project')
    .option('--with <remote>', 'which remote, where there are several')
    .option('--level <level>', `how much: ${LEVELS.join(', ')}`, 'all');
  commonOptions(share);
  examples(share, 'remote share shop', 'remote share --all', 'remote share shop --level facts');
  share.action(
    async (project: string | undefined, options: { all?: boolean; with?: string; level: string }) => {
      const { level } = options;
      if (!isLevel(level))
        throw new Fault('usage', `${JSON.stringify(level)} is no level.`, {
          hint: `Use one of: ${LEVELS.join(', ')}.`,
        });
      const world = await cli.world('nothing');
      const asked = withoutUndefined({ project, all: options.all, remote: options.with });
      const { remote, shares } = await shareProjects(world, { ...asked, level });
      if (cli.console.json) return cli.console.printJson({ remote, shares });
      for (const { name, approved } of shares)
        cli.console.print(`${cleanLine(name)}: ${level}${approved === level ? '' : ', waits for approval'}`);
      if (shares.some(({ approved }) => approved !== level))
        cli.console.print(
          'See what would leave with `keepsake remote preview`, then `keepsake remote approve`.',
        );
    },
  );
}

function definePreview(command: Command, cli: Cli): void {
  const preview = command
    .command('preview')
    .description('Exactly what the next sync would send: projects, sessions, bytes, masked secrets.')
    .argument('[remote]', 'which remote, where there are several');
  commonOptions(preview);
  examples(preview, 'remote preview', 'remote preview home --json');
  preview.action(async (name: string | undefined) => {
    const found = await previewRemote(await cli.world('nothing'), name);
    if (cli.console.json) return cli.console.printJson(found);
    for (const line of previewLines(found)) cli.console.print(line);
  });
}

const MOST_SESSIONS = 20;

function previewLines({ remote, projects }: Preview): string[] {
  if (projects.length === 0) return ['Nothing is shared. Share a project: keepsake remote share PROJECT'];
  const lines: string[] = [];
  for (const { name, level, sessions, records, bytes: size, secret, approved } of projects) {
    const state = approved ? 'approved' : 'waits for approval';
    lines.push(
      `${cleanLine(name)} (${level}, ${state}): ${plural(sessions.length, 'session')}, ${bytes(size)}, ${plural(records, 'record')}`,
    );
    const masked = sessions.filter((it) => it.masked).length;
    if (masked > 0) lines.push(`  Secrets are masked in ${plural(masked, 'session')}.`);
    if (secret > 0) lines.push(`  ${plural(secret, 'private session')} stay here.`);
    for (const session of sessions.slice(0, MOST_SESSIONS))
      lines.push(
        `  ${session.sessionId.slice(0, 8)}  ${bytes(session.bytes)}  ${cleanLine(session.title).slice(0, 60)}`,
      );
    if (sessions.length > MOST_SESSIONS)
      lines.push(`  and ${count(sessions.length - MOST_SESSIONS)} more; --json lists them all`);
  }
  if (projects.some(({ approved }) => !approved))
    lines.push(`Let it leave with: keepsake remote approve ${remote.name}`);
  return lines;
}

function defineApprove(command: Command, cli: Cli): void {
  const approve = command
    .command('approve')
    .description('Let the shared projects leave, as far as they were asked for.')
    .argument('[remote]', 'which remote, where there are several');
  commonOptions(approve);
  examples(approve, 'remote approve');
  approve.action(async (name: string | undefined) => {
    const { remote, approved } = await approveRemote(await cli.world('nothing'), name);
    if (cli.console.json) return cli.console.printJson({ remote, approved });
    if (approved.length === 0) return cli.console.print('Nothing waits for approval.');
    for (const share of approved)
      cli.console.print(`${cleanLine(share.name)} may leave to ${remote} (${share.level}).`);
    cli.console.print('Send it with: keepsake remote sync');
  });
}

function defineSync(command: Command, cli: Cli): void {
  const sync = command
    .command('sync')
    .description('Bring what other machines sent, then send what is new here.')
    .argument('[remote]', 'only this one')
    .option('--push', 'only send; purges of other machines are brought all the same')
    .option('--pull', 'only bring');
  commonOptions(sync);
  examples(sync, 'remote sync', 'remote sync home --pull');
  sync.action(async (name: string | undefined, options: { push?: boolean; pull?: boolean }) => {
    const world = await cli.world();
    const direction =
      options.push === options.pull ? undefined : options.push ? ('push' as const) : ('pull' as const);
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

function syncLines({ remote, pulled, pushed, purges, withdrawn, waiting, notes }: RemoteSync): string[] {
  const lines = [
    `${remote}: brought ${plural(pulled.sessions, 'session')} and ${plural(pulled.records, 'record')} (${bytes(pulled.bytes)}), sent ${plural(pushed.sessions, 'session')} and ${plural(pushed.records, 'record')} (${bytes(pushed.bytes)}).`,
  ];
  if (purges > 0) lines.push(`Carried out ${plural(purges, 'purge')} of other machines.`);
  if (withdrawn > 0) lines.push(`Took down ${plural(withdrawn, 'private session')}.`);
  if (pushed.restored > 0)
    lines.push(`The store had lost ${plural(pushed.restored, 'file')} of other machines: put there again.`);
  lines.push(...notes.map(cleanLine));
  if (waiting.length > 0)
    lines.push(`Not sent before \`keepsake remote approve\`: ${waiting.map(cleanLine).join(', ')}`);
  return lines;
}

function defineStatus(command: Command, cli: Cli): void {
  const status = command
    .command('status')
    .description('Remotes, machines and when they last sent something, purges and who carried them out.')
    .argument('[remote]', 'only this one');
  commonOptions(status);
  examples(status, 'remote status');
  status.action(async (name: string | undefined) => {
    const world = await cli.world('nothing');
    const items = await remoteStatus(world, name);
    if (cli.console.json) return cli.console.printJson({ items });
    if (items.length === 0)
      cli.console.print('There is no remote yet. Add one: keepsake remote add ~/Sync/memory');
    for (const item of items)
      for (const line of statusLines(item, world.clock.local)) cli.console.print(line);
  });
}

function statusLines(status: RemoteStatus, local: (utc: string) => string): string[] {
  const { name, address, encrypt, lastSync, trouble, troubleSince, shares, devices, purges } = status;
  const lines = [
    `${name}: ${cleanLine(address)}, ${encrypt ? 'encrypted' : 'readable'}, ${lastSync ? `last sync ${local(lastSync)}` : 'never synced'}`,
  ];
  if (trouble) lines.push(`  Not reached since ${local(troubleSince ?? '')}: ${cleanLine(trouble)}`);
  for (const share of shares)
    lines.push(
      `  ${cleanLine(share.name)}: ${share.approved ?? 'nothing'} leaves${share.approved === share.level ? '' : `, ${share.level} waits for approval`}`,
    );
  for (const device of devices) {
    const state = device.isThis
      ? 'this machine'
      : device.isRetired
        ? 'retired'
        : `last seen ${local(device.lastSeen)}`;
    lines.push(
      `  ${cleanLine(device.name)} (${device.id.slice(0, 8)}): ${state}, ${plural(device.segments, 'segment')}`,
    );
  }
  for (const { id, at, confirmed, missing } of purges) {
    const rest = missing.length === 0 ? '' : `; not yet: ${missing.map(cleanLine).join(', ')}`;
    lines.push(
      `  Purge ${id} of ${local(at)}: ${confirmed.length} of ${confirmed.length + missing.length} machines confirmed${rest}`,
    );
  }
  return lines;
}

function defineKey(command: Command, cli: Cli): void {
  const key = command
    .command('key')
    .description('Print the key that another machine needs. Whoever has it can read all that is stored.')
    .argument('[remote]', 'which remote, where there are several');
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
    .description('Say that a machine never comes back: purges no longer wait for it.')
    .argument('<device>', 'its name or the beginning of its id, as `status` lists it')
    .option('--remote <remote>', 'which remote, where there are several');
  commonOptions(retire);
  examples(retire, 'remote retire laptop-old');
  retire.action(async (device: string, options: { remote?: string }) => {
    const done = await retireDevice(await cli.world('nothing'), {
      device,
      ...withoutUndefined({ remote: options.remote }),
    });
    if (cli.console.json) cli.console.printJson(done);
    else cli.console.print(`${cleanLine(done.device.name)} is retired. The next sync tells the others.`);
  });
}

function defineRemove(command: Command, cli: Cli): void {
  const remove = command
    .command('remove')
    .description('Forget a remote. What is stored there stays, unless you say otherwise.')
    .argument('<remote>', 'its name')
    .option('--erase', 'delete first what this machine put there')
    .option('--erase-all', 'delete first what all machines put there')
    .option('--yes', 'do not ask');
  commonOptions(remove);
  examples(remove, 'remote remove home', 'remote remove home --erase-all');
  remove.action(async (name: string, options: { erase?: boolean; eraseAll?: boolean; yes?: boolean }) => {
    const isErasing = options.erase === true || options.eraseAll === true;
    if (isErasing && !options.yes && !(await cli.console.confirm(`Delete what is stored in ${name}?`, false)))
      return cli.console.print('Nothing was changed.');
    const world = await cli.world('nothing');
    const done = await removeRemote(world, {
      name,
      erase: options.erase === true,
      all: options.eraseAll === true,
    });
    if (cli.console.json) return cli.console.printJson(done);
    const what = isErasing ? ` ${plural(done.deleted, 'file')} deleted there, ${count(done.left)} left.` : '';
    cli.console.print(`${done.remote} is forgotten.${what}`);
  });
}
