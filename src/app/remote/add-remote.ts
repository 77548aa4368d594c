import { authorName } from '../../core/model/author-name.ts';
import { Fault } from '../../core/model/fault.ts';
import { joinText, signed } from '../../core/remote/device-key.ts';
import { MOST_SEALED, openSegment } from '../../core/remote/open-segment.ts';
import { KEY_BYTES, keyText, parseKeyText, remoteKeys } from '../../core/remote/remote-key.ts';
import { parseSegmentName, type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import type { RemoteStore, Remotes, StoreTraits } from '../../ports/remotes.ts';
import {
  type Device,
  listRemotes,
  ownDevice,
  type RemoteRecord,
  remotesOf,
  toRemoteName,
  writeRemote,
} from '../segment/remote-record.ts';
import type { World } from '../world.ts';

export type AddRemoteRequest = {
  address: string;
  name?: string;
  /** The key that the first machine printed. */
  key?: string;
  /** Whoever can read the store can read what is in it. */
  plain?: boolean;
  pull?: RemoteRecord['pull'];
  light?: boolean;
  /** What an admin of a hub printed for this user. */
  invite?: string;
  /** Several people share the place, and this user goes by that name there. */
  team?: string;
};
export type AddedRemote = {
  remote: RemoteRecord;
  device: { id: string; name: string };
  traits: StoreTraits;
  /** Devices that are in the store already. */
  devices: number;
  /** To be typed on the next machine. Only where it was made just now. */
  key?: string;
};

/** Names a place for memory. Nothing leaves by it. */
export async function addRemote(world: World, request: AddRemoteRequest): Promise<AddedRemote> {
  const remotes = await remotesOf(world);
  const known = await listRemotes(world);
  const store = await remotes.open(request.address);
  const name = toRemoteName(
    request.name ?? freeName(known, store.join || request.team !== undefined ? 'team' : 'home'),
  );
  if (known.some((it) => it.name === name))
    throw new Fault('conflict', `A remote named ${name} already exists.`, {
      hint: 'Choose another name: `keepsake remote add ADDRESS --name NAME`.',
    });
  const joined = await joinStore(world, store, request);
  await store.prepare();
  const names = (await store.list('r/')).flatMap((it) =>
    it.bytes > MOST_SEALED ? [] : (parseSegmentName(it.name) ?? []),
  );
  const key = keyOf(joined?.key ?? request.key, names.length > 0, () => remotes.random(KEY_BYTES));
  // The key of a hub comes from the hub itself.
  if (!joined && !(await isKeyOf(store, names, { key, packing: remotes.packing })))
    throw new Fault('usage', `Wrong key for ${request.address}.`, {
      hint: '`keepsake remote key` on the other machine prints it.',
    });
  const record: RemoteRecord = {
    version: 1,
    name,
    address: request.address,
    // A hub can search its data.
    encrypt: !request.plain && !joined,
    pull: request.pull ?? 'all',
    ...(request.light ? { light: true } : {}),
    ...memberOf(joined?.member ?? request.team),
    addedAt: world.clock.now(),
    shares: [],
  };
  const device = await ownDevice(world);
  await remotes.files.write(`${name}/key`, `${keyText(key)}\n`);
  await writeRemote(world, record);
  return {
    remote: record,
    device: { id: device.device, name: device.name },
    traits: await store.traits(),
    devices: new Set(names.map((it) => it.device)).size,
    ...(request.key === undefined && !joined ? { key: keyText(key) } : {}),
  };
}

function memberOf(name: string | undefined): { member?: string } {
  return name === undefined ? {} : { member: authorName(name) };
}

/** Stores with members have their own key, which admitted members get. */
async function joinStore(
  world: World,
  store: RemoteStore,
  { invite, address }: AddRemoteRequest,
): Promise<{ member: string; key: string } | undefined> {
  if (!store.join && invite !== undefined)
    throw new Fault('usage', `${address} is not a hub, so it takes no invitation.`, {
      hint: 'Remove --invite.',
    });
  if (!store.join) return undefined;
  return joinAs(store, await ownDevice(world), invite);
}

function freeName(known: readonly RemoteRecord[], base: string): string {
  const taken = new Set(known.map(({ name }) => name));
  for (let at = 1; ; at++) {
    const name = at === 1 ? base : `${base}${at}`;
    if (!taken.has(name)) return name;
  }
}

function keyOf(text: string | undefined, isUsed: boolean, fresh: () => Buffer): Buffer {
  if (text === undefined && !isUsed) return fresh();
  if (text === undefined)
    throw new Fault('usage', 'Another machine already uses this remote; its key is needed.', {
      hint: 'Print it there with `keepsake remote key`, then add it here: `keepsake remote add ADDRESS --key KEY`.',
    });
  const key = parseKeyText(text);
  if (key) return key;
  throw new Fault('usage', 'The key is invalid: a part of it is missing or mistyped.', {
    hint: '`keepsake remote key` on the other machine prints it.',
  });
}

/** Segments that are looked at to see whether a key is the right one. */
const LOOKED_AT = 200;

/** One readable segment is enough: anyone who can write to the place may have put others there. */
async function isKeyOf(
  store: RemoteStore,
  names: readonly SegmentName[],
  { key, packing }: { key: Buffer; packing: Remotes['packing'] },
): Promise<boolean> {
  let isRefused = false;
  for (const name of names.slice(0, LOOKED_AT)) {
    const bytes = await store.get(segmentName(name));
    const { state } = bytes ? openSegment(name, bytes, { keys: remoteKeys(key), packing }) : {};
    if (state === 'read' || state === 'newer') return true;
    // What is damaged says nothing about the key.
    isRefused ||= state === 'refused';
  }
  return !isRefused;
}

/** Makes a device known to a store that has members; without an invitation by the token that is here already. */
export async function joinAs(
  store: RemoteStore,
  device: Device,
  invitation: string | undefined,
): Promise<{ member: string; key: string } | undefined> {
  return store.join?.({
    invitation,
    publicKey: device.publicKey,
    deviceName: device.name,
    prove: (secret) => signed(joinText(secret), device),
  });
}
