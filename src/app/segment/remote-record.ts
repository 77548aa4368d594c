import { Fault } from '../../core/model/fault.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { fields, flag, list, oneOf, text } from '../../core/model/shape.ts';
import { type DeviceKey, deviceKey } from '../../core/remote/device-key.ts';
import { LEVELS, type ShareLevel } from '../../core/remote/levels.ts';
import { KEY_BYTES, parseKeyText, type RemoteKeys, remoteKeys } from '../../core/remote/remote-key.ts';
import type { RemoteStore, Remotes } from '../../ports/remotes.ts';
import type { World } from '../world.ts';

/** A project that may leave to a remote: asked for, and as far as the user looked at it and said yes. */
export type Share = { identity: string; name: string; level: ShareLevel; approved?: ShareLevel };

export const PULLS = ['all', 'shared', 'here'] as const;

export type RemoteRecord = {
  version: 1;
  name: string;
  address: string;
  /** What is stored there can be read only with the key. */
  encrypt: boolean;
  /** Everything that the user's other devices share, only projects that are shared here, too, or only those that are worked on here. */
  pull: (typeof PULLS)[number];
  /** Originals stay there until they are asked for. */
  light?: boolean;
  /** Several people share it, and this user goes by that name there. */
  member?: string;
  /** Other machines of this user there, where the store itself does not know whose they are. */
  mine?: string[];
  addedAt: string;
  shares: Share[];
  /** The last sync that went through, and since when none did. */
  lastSync?: string;
  trouble?: string;
  troubleSince?: string;
  triedAt?: string;
};

/** `former`: ids that this machine gave up, since another machine used them, too. */
export type Device = DeviceKey & { name: string; former: readonly string[] };

/** A remote with all that is needed to use it. */
export type OpenRemote = {
  world: World;
  remotes: Remotes;
  record: RemoteRecord;
  store: RemoteStore;
  keys: RemoteKeys;
  packing: Remotes['packing'];
  device: Device;
};

const REMOTE_SCHEMA = fields(
  {
    version: oneOf(1),
    name: text,
    address: text,
    encrypt: flag,
    pull: oneOf(...PULLS),
    addedAt: text,
    shares: list(
      fields({ identity: text, name: text, level: oneOf(...LEVELS) }, { approved: oneOf(...LEVELS) }),
    ),
  },
  {
    light: flag,
    member: text,
    mine: list(text),
    lastSync: text,
    trouble: text,
    troubleSince: text,
    triedAt: text,
  },
);
const DEVICE_SCHEMA = fields({ version: oneOf(1), seed: text, name: text }, { former: list(text) });
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;
const DEVICE_FILE = 'device.json';

export async function remotesOf(world: World): Promise<Remotes> {
  if (world.remotes) return world.remotes();
  throw new Fault('internal', 'Remotes are not available here.');
}

export function toRemoteName(name: string): string {
  if (NAME.test(name)) return name;
  throw new Fault('usage', `${JSON.stringify(name.slice(0, 60))} is not a valid name for a remote.`, {
    hint: 'Use up to 40 letters, digits, ".", "_" and "-".',
  });
}

export async function listRemotes(world: World): Promise<RemoteRecord[]> {
  const { files } = await remotesOf(world);
  const records: RemoteRecord[] = [];
  for (const name of await files.folders())
    if (NAME.test(name) && (await files.read(`${name}/remote.json`)))
      records.push(await readRemote(world, name));
  return records;
}

export async function readRemote(world: World, name: string): Promise<RemoteRecord> {
  const bytes = await (await remotesOf(world)).files.read(`${toRemoteName(name)}/remote.json`);
  if (!bytes)
    throw new Fault('not-found', `No remote ${name}.`, {
      hint: '`keepsake remote status` lists them.',
    });
  const { state, value } = parseStored<RemoteRecord>(bytes, REMOTE_SCHEMA, ['version', 1]);
  if (state === 'read') return value;
  throw new Fault(
    state === 'outdated' ? 'newer-version' : 'corrupt',
    `The record of the remote ${name} can't be read.`,
    {
      hint: `Remove it with \`keepsake remote remove ${name}\` and add it again. No data on the remote is lost.`,
    },
  );
}

/** Not all of a state follows from the segments here: not what must not be used, nor what was looked through for purges. */
export function damagedState({ name }: RemoteRecord, file: string): Fault {
  return new Fault('corrupt', `The state of a project on the remote ${name} can't be read.`, {
    hint: `Restore remotes/${file} in the archive. Without a backup: note the key (\`keepsake remote key\`), remove the remote and add it again. No data on the remote is lost.`,
  });
}

/** The remote that is meant: the one by this name, or the only one. */
export async function chooseRemote(world: World, name: string | undefined): Promise<RemoteRecord> {
  if (name !== undefined) return readRemote(world, name);
  const [only, ...others] = await listRemotes(world);
  if (!only)
    throw new Fault('not-found', 'No remotes yet.', {
      hint: 'Add one: keepsake remote add ~/Sync/memory',
    });
  if (others.length === 0) return only;
  throw new Fault('ambiguous', 'There are several remotes.', {
    choices: [only, ...others].map((it) => ({ name: it.name })),
    hint: 'Give the name of one.',
  });
}

/** The remote by this name, or all of them. */
export async function chosenRemotes(world: World, name: string | undefined): Promise<RemoteRecord[]> {
  if (name !== undefined) return [await readRemote(world, name)];
  const all = await listRemotes(world);
  return all.length > 0 ? all : [await chooseRemote(world, undefined)];
}

/** The key of a remote, as the next machine needs it. */
export async function remoteKeyText(world: World, name: string | undefined): Promise<string> {
  const record = await chooseRemote(world, name);
  return ((await (await remotesOf(world)).files.read(`${record.name}/key`))?.toString('utf8') ?? '').trim();
}

export async function writeRemote(world: World, record: RemoteRecord): Promise<void> {
  const name = `${record.name}/remote.json`;
  await (await remotesOf(world)).files.write(name, `${JSON.stringify(record, undefined, 2)}\n`);
}

const FIRST_WAIT_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** One that fails is tried less and less often, at least once an hour. */
export function isResting({ troubleSince, triedAt }: RemoteRecord, now: number): boolean {
  if (troubleSince === undefined || triedAt === undefined) return false;
  const [since, tried] = [Date.parse(troubleSince), Date.parse(triedAt)];
  const wait = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, tried - since));
  return now >= tried && now - tried < wait;
}

/** How all looked after the last sync that had nothing to do. */
export function quietFile({ name }: RemoteRecord): string {
  return `${name}/quiet`;
}

/** The files of this machine's key and of the remote's, as they are: using them takes longer than all else that a quiet sync does. */
export async function keyFiles(world: World, { name }: RemoteRecord): Promise<string> {
  const { files } = await remotesOf(world);
  const [device, key] = [await files.read(DEVICE_FILE), await files.read(`${name}/key`)];
  return `${device?.toString('utf8')} ${key?.toString('utf8')}`;
}

/** `opened`: its store, where it was opened before. */
export async function openRemote(
  world: World,
  record: RemoteRecord,
  opened?: RemoteStore,
): Promise<OpenRemote> {
  const remotes = await remotesOf(world);
  const key = parseKeyText((await remotes.files.read(`${record.name}/key`))?.toString('utf8') ?? '');
  if (!key)
    throw new Fault('corrupt', `The key of the remote ${record.name} can't be read.`, {
      hint: `Add it again: \`keepsake remote remove ${record.name}\`, then \`keepsake remote add ${record.address} --key KEY\``,
    });
  return {
    world,
    remotes,
    record,
    store: opened ?? (await remotes.open(record.address)),
    keys: remoteKeys(key),
    packing: remotes.packing,
    device: await ownDevice(world),
  };
}

/** This machine's own key, made when it is first needed. */
export async function ownDevice(world: World): Promise<Device> {
  const { files } = await remotesOf(world);
  const bytes = await files.read(DEVICE_FILE);
  if (!bytes) return renewDevice(world, {});
  const { state, value } = parseStored(bytes, DEVICE_SCHEMA, ['version', 1]);
  const seed = Buffer.from(value?.seed ?? '', 'base64');
  if (value && seed.length === KEY_BYTES)
    return { ...deviceKey(seed), name: value.name, former: value.former ?? [] };
  throw new Fault(
    state === 'outdated' ? 'newer-version' : 'corrupt',
    "This machine's device key can't be read. Nothing is sent or received until it can.",
    {
      hint: 'Restore remotes/device.json in the archive. Without a backup: note the key (`keepsake remote key`), remove the remote, delete the file and add the remote again. This machine is then a new device; retire the former one.',
    },
  );
}

/** A device id of its own: at first, and where another machine uses the same one. */
export async function renewDevice(
  world: World,
  { name, former = [] }: { name?: string | undefined; former?: readonly string[] },
): Promise<Device> {
  const { files, random, machineName } = await remotesOf(world);
  const seed = random(KEY_BYTES);
  const label = name ?? machineName();
  const stored = { version: 1, seed: seed.toString('base64'), name: label, former };
  await files.write(DEVICE_FILE, `${JSON.stringify(stored)}\n`);
  return { ...deviceKey(seed), name: label, former };
}

/** Devices whose segments nobody else seals again: retired ones, and ids that this machine gave up. */
export function abandonedDevices({ device }: OpenRemote, { keys }: { keys: ReadonlySet<string> }): string[] {
  return [...new Set([...device.former, ...[...keys].flatMap((key) => /^r:(.+)$/.exec(key)?.[1] ?? [])])];
}

export function isAbandoned(
  { device }: OpenRemote,
  { keys }: { keys: ReadonlySet<string> },
  id: string,
): boolean {
  return keys.has(`r:${id}`) || device.former.includes(id);
}
