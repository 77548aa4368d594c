import { claimedName } from '../../core/model/author-name.ts';
import type { OpenRemote } from '../segment/remote-record.ts';
import type { RepoState } from '../segment/repo-state.ts';
import type { SegmentLine } from '../segment/segment-lines.ts';

/** Someone else. `mayReview`: their word about facts of others counts. */
export type RemoteAuthor = { name: string; mayReview: boolean };
/** Whose words a device's segments are: someone else's, or undefined for this user's own. */
export type AuthorOf = (device: string) => RemoteAuthor | undefined;

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
      if (isHere(device) || author?.isYou) return undefined;
      return { name: claimedName(author?.name, UNNAMED), mayReview: author?.mayReview === true };
    };
  }
  const mine = new Set(record.mine ?? []);
  return (device) => {
    if (isHere(device) || mine.has(device)) return undefined;
    const { member, name } = state.devices.get(device) ?? {};
    // Whoever has the key can write any name: only machines that this user named are this user's.
    const claimed = claimedName(member ?? name, UNNAMED);
    const shown = claimed === record.member ? `${claimed} (${device.slice(0, SHOWN)})` : claimed;
    return { name: shown, mayReview: true };
  };
}

/** What a colleague may say: their own words only, and about facts of others only where they may review. */
export function ownWordsOf(lines: readonly SegmentLine[], { mayReview }: RemoteAuthor): SegmentLine[] {
  return lines.filter((line) => {
    if (line.t === 'fact')
      return line.edit.author === undefined && (mayReview || line.edit.action !== 'team-review');
    if (line.t === 'concept') return line.edit.author === undefined;
    if (line.t === 'overlay') return line.overlay.author === undefined;
    return true;
  });
}
