import { listRemotes, type OpenRemote, openRemote } from '../segment/remote-record.ts';
import { localSegments, ownSegmentFile, replicaFile } from '../segment/repo-state.ts';

/** What was written under the device id that this machine gives up is from now on a segment of another device. */
export async function retireOwn(remote: OpenRemote): Promise<void> {
  for (const record of await listRemotes(remote.world)) {
    const opened = await openRemote(remote.world, record);
    const { files } = opened.remotes;
    const repos = new Set((await files.list(`${record.name}/repos`)).map((name) => name.split('/')[0]!));
    for (const repo of repos) {
      for (const name of await localSegments(opened, repo, 'own')) {
        const bytes = await files.read(ownSegmentFile(opened, name));
        if (bytes) await files.write(replicaFile(opened, name), bytes);
        await files.remove(ownSegmentFile(opened, name));
      }
    }
  }
}
