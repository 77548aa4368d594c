import { Fault } from '../../core/model/fault.ts';
import { chooseRemote, openRemote, remotesOf, writeRemote } from '../segment/remote-record.ts';
import type { World } from '../world.ts';
import { remoteStatus } from './remote-status.ts';

/** Says that another machine in a place that a team shares is this user's own: what it sends from now on counts as theirs. */
export async function claimDevice(
  world: World,
  { device: wanted, remote: name }: { device: string; remote?: string },
): Promise<{ remote: string; device: string; name: string }> {
  const record = await chooseRemote(world, name);
  const { store } = await openRemote(world, record);
  if (record.member === undefined || store.authors)
    throw new Fault('usage', `${record.name} already knows which machines belong to whom.`, {
      hint: 'This command is for folders, buckets and git repositories that were added with --team.',
    });
  const [status] = await remoteStatus(world, record.name);
  const found = (status?.devices ?? []).filter(
    (it) => !it.isThis && (it.name === wanted || (wanted.length >= 8 && it.id.startsWith(wanted))),
  );
  const [device, ...others] = found;
  if (!device || others.length > 0)
    throw new Fault(
      device ? 'ambiguous' : 'not-found',
      `${wanted} is ${device ? 'more than one' : 'no other'} machine of this remote.`,
      {
        choices: (status?.devices ?? []).map(({ id, name: label }) => ({ id, name: label })),
        hint: 'Give the first 8 or more characters of its id, as `keepsake remote status` on that machine shows it.',
      },
    );
  return (await remotesOf(world)).exclusive(async () => {
    const now = await chooseRemote(world, record.name);
    await writeRemote(world, { ...now, mine: [...new Set([...(now.mine ?? []), device.id])] });
    return { remote: record.name, device: device.id, name: device.name };
  });
}
