import { Fault } from '../../core/model/fault.ts';
import { shortHash } from '../../core/model/ids.ts';
import type { SegmentName } from '../../core/remote/segment-name.ts';
import { anyProject } from '../segment/any-project.ts';
import { append } from '../segment/append-segment.ts';
import {
  chooseRemote,
  listRemotes,
  type OpenRemote,
  openRemote,
  quietFile,
  type RemoteRecord,
  remotesOf,
} from '../segment/remote-record.ts';
import {
  loadRepoState,
  localSegments,
  ownSegmentFile,
  readLocal,
  replicaFile,
  saveRepoState,
} from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';
import { stoneId } from '../segment/sent-again.ts';
import type { World } from '../world.ts';

export type RemoteDevice = {
  id: string;
  name: string;
  /** When it last sent something, by its own clock; empty: never. */
  lastSeen: string;
  isThis: boolean;
  isRetired: boolean;
  segments: number;
};
export type PurgeProgress = { id: string; at: string; confirmed: string[]; missing: string[] };
export type RemoteStatus = RemoteRecord & {
  devices: RemoteDevice[];
  purges: PurgeProgress[];
  segments: number;
};

/** What is known of the remotes here, without asking them. */
export async function remoteStatus(world: World, name?: string): Promise<RemoteStatus[]> {
  const records = name === undefined ? await listRemotes(world) : [await chooseRemote(world, name)];
  return Promise.all(records.map(async (record) => statusOf(await openRemote(world, record))));
}

async function statusOf(remote: OpenRemote): Promise<RemoteStatus> {
  const devices = new Map<string, RemoteDevice>();
  const purges = new Map<string, { at: string; confirmed: Set<string>; unfinished: Set<string> }>();
  const retired = new Set<string>();
  const self = remote.device.device;
  const blank = (id: string) => ({
    id,
    name: '',
    lastSeen: '',
    isThis: id === self,
    isRetired: false,
    segments: 0,
  });
  devices.set(self, { ...blank(self), name: remote.device.name });
  let segments = 0;
  for await (const [name, lines] of allSegments(remote)) {
    segments++;
    const device = devices.get(name.device) ?? blank(name.device);
    devices.set(name.device, device);
    device.segments++;
    for (const line of lines) {
      if (line.t === 'device' && line.at > device.lastSeen)
        Object.assign(device, { name: line.name, lastSeen: line.at });
      if (line.t === 'retire') retired.add(line.device);
      if (line.t !== 'tombstone' && line.t !== 'confirm') continue;
      const id = line.t === 'tombstone' ? stoneId(line.tombstone) : line.tombstone;
      const at = line.t === 'tombstone' ? line.tombstone.at : line.at;
      const purge = purges.get(id) ?? { at, confirmed: new Set<string>(), unfinished: new Set<string>() };
      // Who says it carried it out before; where something was left, that is said, too.
      if (line.t === 'tombstone') purge.confirmed.add(name.device);
      else if (line.left > 0) purge.unfinished.add(name.device);
      purges.set(id, purge);
    }
  }
  // Purges delete segments of others here; their device is still listed, so that it can be retired.
  for (const repo of await reposOf(remote))
    for (const [id, { name, lastSeen }] of (await loadRepoState(remote, repo)).devices) {
      const device = devices.get(id) ?? blank(id);
      if (lastSeen > device.lastSeen) devices.set(id, { ...device, name, lastSeen });
    }
  const list = [...devices.values()].map((it) => ({ ...it, isRetired: retired.has(it.id) }));
  const living = list.filter(({ isRetired }) => !isRetired);
  const isAlone = (label: string) => living.filter((it) => it.name === label).length === 1;
  return {
    ...remote.record,
    devices: list.sort((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1)),
    segments,
    purges: [...purges].map(([id, { at, confirmed, unfinished }]) => {
      const [done, missing] = [true, false].map((isDone) =>
        living
          .filter((it) => (confirmed.has(it.id) && !unfinished.has(it.id)) === isDone)
          .map((it) => (isAlone(it.name) ? it.name : `${it.name} (${it.id.slice(0, 8)})`)),
      ) as [string[], string[]];
      return { id: `p_${shortHash(id, 6)}`, at, confirmed: done, missing };
    }),
  };
}

async function reposOf({ remotes, record }: OpenRemote): Promise<Set<string>> {
  const names = await remotes.files.list(`${record.name}/repos`);
  return new Set(names.map((name) => name.split('/')[0]!));
}

async function* allSegments(remote: OpenRemote): AsyncGenerator<[SegmentName, SegmentLine[]]> {
  for (const repo of await reposOf(remote)) {
    for (const whose of ['own', 'replica'] as const) {
      const fileOf = whose === 'own' ? ownSegmentFile : replicaFile;
      for (const name of await localSegments(remote, repo, whose)) {
        // Only the log says what is asked for here; of the other lanes the number is enough.
        const lines = name.lane === 'log' ? await readLocal(remote, fileOf(remote, name), name) : [];
        yield [name, lines ?? []];
      }
    }
  }
}

/** A device that never comes back: purges need not wait for it, and others take its segments down where they must. */
export async function retireDevice(
  world: World,
  { device: wanted, remote: name }: { device: string; remote?: string },
): Promise<{ remote: string; device: RemoteDevice }> {
  return (await remotesOf(world)).exclusive(async () => {
    const remote = await openRemote(world, await chooseRemote(world, name));
    const { devices } = await statusOf(remote);
    const found = devices.filter(
      (it) => it.name === wanted || (wanted.length >= 4 && it.id.startsWith(wanted)),
    );
    const [device, ...others] = found;
    if (!device || others.length > 0)
      throw new Fault(
        device ? 'ambiguous' : 'not-found',
        `${wanted} is ${device ? 'more than one device' : 'no device of this remote'}.`,
        {
          choices: devices.map(({ id, name: label }) => ({ id, name: label })),
          hint: '`keepsake remote status` lists them; give the first characters of an id.',
        },
      );
    if (device.isThis)
      throw new Fault('usage', "You can't revoke this machine here.", {
        hint: 'Run the command on another machine, or remove the remote here.',
      });
    // Nothing else shows the next sync that there is something to send, also after a kill.
    await remote.remotes.files.remove(quietFile(remote.record));
    for (const repo of await reposOf(remote)) {
      const state = await loadRepoState(remote, repo);
      const project = await anyProject(remote, repo);
      const line = JSON.stringify({ t: 'retire', device: device.id, at: world.clock.now() });
      if (project !== undefined) await append(remote, { repo, lane: 'log', state }, [project, line]);
      await saveRepoState(remote, repo, state);
    }
    return { remote: remote.record.name, device: { ...device, isRetired: true } };
  });
}
