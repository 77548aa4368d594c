import { Fault } from '../../core/model/fault.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { listRemotes } from './remote-record.ts';

/** What a search here can't find, since this machine leaves it on its remotes: a sentence for each. */
export async function notHeldHere(world: World): Promise<string[]> {
  const records = world.remotes ? await orFault(listRemotes(world)) : [];
  if (records instanceof Fault) return [];
  return records.flatMap(({ name, pull, light }) => {
    const kept: string[] = [];
    if (pull === 'here')
      kept.push(`This machine has only the projects of the remote ${name} that you work on here.`);
    if (pull === 'shared')
      kept.push(`This machine has only the projects of the remote ${name} that you share from here.`);
    if (light)
      kept.push(
        `This machine has only the messages of sessions from the remote ${name}, without tool output: \`keepsake remote fetch ID\` downloads the original of one.`,
      );
    return kept;
  });
}
