import { claimedName } from '../../core/model/author-name.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import type { RepoState } from '../segment/repo-state.ts';

/** Whose words a device's segments are: a name of somebody else, or undefined for this user's own. */
export type AuthorOf = (device: string) => string | undefined;

const UNNAMED = 'unknown member';
const SHOWN = 8;

/** In a place that only this user's machines share, all is theirs. */
export async function authorsOf(remote: OpenRemote, repo: string, state: RepoState): Promise<AuthorOf> {
  const { record, device: own, store } = remote;
  if (record.member === undefined) return () => undefined;
  const isHere = (device: string) => device === own.device || own.former.includes(device);
  if (store.authors) {
    const known = new Map((await store.authors(repo)).map((it) => [it.device, it]));
    return (device) => {
      const author = known.get(device);
      return isHere(device) || author?.isYou ? undefined : claimedName(author?.name, UNNAMED);
    };
  }
  const mine = new Set(record.mine ?? []);
  return (device) => {
    if (isHere(device) || mine.has(device)) return undefined;
    const { member, name } = state.devices.get(device) ?? {};
    // Whoever has the key can write any name: only machines that this user named are this user's.
    const claimed = claimedName(member ?? name, UNNAMED);
    return claimed === record.member ? `${claimed} (${device.slice(0, SHOWN)})` : claimed;
  };
}
