import { Fault } from '../../core/model/fault.ts';
import { parseSegmentName, segmentName } from '../../core/remote/segment-name.ts';
import { orFault } from '../or-fault.ts';
import { chooseRemote, openRemote, remotesOf } from '../segment/remote-record.ts';
import type { World } from '../world.ts';

export type RemovedRemote = {
  remote: string;
  /** Files that were deleted in the store, and those of this device that are still there. */
  deleted: number;
  left: number;
};

/** Forgets a remote; with `erase` everything that this device, or with `all` any device, put there is deleted first. */
export async function removeRemote(
  world: World,
  { name, erase, all }: { name?: string; erase?: boolean; all?: boolean },
): Promise<RemovedRemote> {
  return (await remotesOf(world)).exclusive(async () => {
    const record = await chooseRemote(world, name);
    let [deleted, left] = [0, 0];
    if (erase || all) {
      const remote = await openRemote(world, record);
      const isMeant = (device: string) => all === true || device === remote.device.device;
      const there = async () =>
        (await remote.store.list('r/'))
          .flatMap(({ name: file }) => parseSegmentName(file) ?? [])
          .filter(({ device }) => isMeant(device));
      for (const it of await there()) {
        await remote.store.remove(segmentName(it));
        deleted++;
      }
      await remote.store.flush();
      left = (await there()).length;
    }
    const remotes = await remotesOf(world);
    // Also where it can't be opened any more.
    const store = await orFault(remotes.open(record.address));
    if (!(store instanceof Fault)) await store.forget?.();
    await remotes.files.remove(record.name);
    return { remote: record.name, deleted, left };
  });
}
