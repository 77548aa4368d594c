import { type HubRight, mayDo } from '../../core/hub/hub-role.ts';
import { Fault } from '../../core/model/fault.ts';
import { openSegment } from '../../core/remote/open-segment.ts';
import { parseSegmentName, type SegmentName, segmentName } from '../../core/remote/segment-name.ts';
import type { HubAccess, HubSegment } from '../../ports/hub-database.ts';
import { readSegmentLines, type SegmentLine } from '../segment/segment-lines.ts';
import type { Hub } from './hub.ts';
import { accessOf, accessTo, note, readableRepos, refusal, roleIn, rolesIn } from './repo-access.ts';
import type { HubCaller } from './sign-in.ts';

export type ListedSegment = { name: string; bytes: number };

export function toSegmentName(text: string): SegmentName {
  const name = parseSegmentName(text);
  if (name) return name;
  throw new Fault('usage', 'Invalid segment name.');
}

/** Stores a segment of the caller's own device, checked as every machine checks it. The same one twice is stored once. */
export async function putSegment(
  hub: Hub,
  caller: HubCaller,
  name: SegmentName,
  bytes: Buffer,
): Promise<{ position: number; isNew: boolean; isGone: boolean }> {
  if (caller.device === '' || name.device !== caller.device)
    throw await refusal(hub, caller, { repo: name.repo, right: "append to another device's log" });
  const opened = openSegment(name, bytes, hub);
  const lines = opened.state === 'read' ? readSegmentLines(opened.lines) : undefined;
  if (opened.state !== 'read' || !lines)
    throw new Fault(
      'bad-input',
      `The hub refused the segment: ${opened.state === 'read' ? 'it has invalid lines' : opened.why}.`,
      {
        hint: 'Sync again. If the error persists, run `keepsake remote status` on the machine that sent it.',
      },
    );
  if (opened.header.epoch !== 0)
    throw new Fault('bad-input', 'The segment is encrypted, so the hub cannot search it.', {
      hint: 'Remove the remote and add it again with --invite.',
    });
  await refuseReviews(hub, caller, { name, header: opened.header, lines });
  const appended = await appendTo(hub, caller, { name, bytes });
  const { position, state } =
    appended?.state === 'added' || appended?.state === 'known' || appended?.state === 'gone'
      ? appended
      : await appendToNew(hub, caller, { name, bytes }, lines);
  return { position, isNew: state === 'added', isGone: state === 'gone' };
}

type Appending = { name: SegmentName; bytes: Buffer };

/** Undefined where the caller has no role there: perhaps nobody has, since there is no such repository yet. */
async function appendTo(hub: Hub, caller: HubCaller, { name, bytes }: Appending) {
  if (!mayDo(await roleIn(hub, caller.member, name.repo), 'append')) return undefined;
  return hub.database.append(accessOf(hub, caller, name.repo), name, bytes, caller);
}

async function appendToNew(
  hub: Hub,
  caller: HubCaller,
  { name, bytes }: Appending,
  lines: readonly SegmentLine[],
) {
  await beRepo(hub, caller, name.repo, lines);
  const access = await accessTo(hub, caller, { repo: name.repo, right: 'append' });
  return hub.database.append(access, name, bytes, caller);
}

type Sent = { name: SegmentName; header: { replaces?: string | undefined }; lines: readonly SegmentLine[] };

/** What a member says about facts of others counts for the team: only reviewers may say it. What is sealed again was allowed once. */
async function refuseReviews(hub: Hub, caller: HubCaller, { name, header, lines }: Sent): Promise<void> {
  const reviews = reviewsIn(lines);
  if (reviews.length === 0 || !(await isRepo(hub, name.repo))) return;
  if (mayDo(await roleIn(hub, caller.member, name.repo), 'review')) return;
  const before =
    header.replaces === undefined ? [] : await storedReviews(hub, caller, { ...name, id: header.replaces });
  if (reviews.some((it) => !before.includes(it)))
    throw await refusal(hub, caller, { repo: name.repo, right: 'review' });
}

async function storedReviews(hub: Hub, caller: HubCaller, name: SegmentName): Promise<string[]> {
  const access = await accessTo(hub, caller, { repo: name.repo, right: 'append' });
  const bytes = await hub.database.read(access, name);
  const opened = bytes && openSegment(name, bytes, hub);
  return opened?.state === 'read' ? reviewsIn(readSegmentLines(opened.lines) ?? []) : [];
}

function reviewsIn(lines: readonly SegmentLine[]): string[] {
  return lines.flatMap((line) =>
    line.t === 'fact' && line.edit.action === 'team-review' ? JSON.stringify(line.edit) : [],
  );
}

/**
 * Who sends the first segment of a repository is its admin, but lets nobody in until an admin of the hub says so, too. Where roles in
 * it were given before, those count alone: a stranger must not be there when the first colleague sends.
 */
async function beRepo(
  hub: Hub,
  caller: HubCaller,
  repo: string,
  lines: readonly SegmentLine[],
): Promise<void> {
  const grants = await hub.database.grantsIn(repo);
  const isPlanned = grants.some((grant) => grant.repo === repo);
  if (isPlanned && !mayDo(rolesIn(grants, repo).get(caller.member), 'append'))
    throw await refusal(hub, caller, { repo, right: 'append' });
  const project = lines.find((line) => line.t === 'project');
  const name = project?.t === 'project' ? project.name.slice(0, 100) : '';
  if ((await hub.database.addRepo({ id: repo, name }, hub.clock.now(), caller.member)) !== 'with its admin')
    return;
  await note(hub, caller, { repo, action: 'grant', detail: `${caller.name} admin (created it)` });
}

async function isRepo(hub: Hub, repo: string): Promise<boolean> {
  return (await hub.database.repos()).some(({ id }) => id === repo);
}

/** Reading an original is in the audit log. */
export async function getSegment(
  hub: Hub,
  caller: HubCaller,
  name: SegmentName,
): Promise<Buffer | undefined> {
  const access = await accessTo(hub, caller, { repo: name.repo, right: 'read' });
  const bytes = await hub.database.read(access, name);
  if (bytes && name.lane === 'bytes')
    await note(hub, caller, { repo: name.repo, action: 'read original', detail: segmentName(name) });
  return bytes;
}

/** What the caller's own devices sent, or with the right for it what any sent. */
export async function removeSegment(hub: Hub, caller: HubCaller, name: SegmentName): Promise<boolean> {
  const devices = await hub.database.devices();
  const isOwn = devices.some(({ id, member }) => id === name.device && member === caller.member);
  const right: HubRight = isOwn ? 'remove-own' : 'remove-any';
  const access = await accessTo(hub, caller, { repo: name.repo, right });
  const removed = await hub.database.remove(access, name);
  if (removed) await note(hub, caller, { repo: name.repo, action: 'delete', detail: segmentName(name) });
  return removed;
}

/** Names that begin with a prefix, of all repositories that the caller may read. */
export async function listSegments(hub: Hub, caller: HubCaller, prefix: string): Promise<ListedSegment[]> {
  const [, wanted = ''] = /^r\/([0-9a-f]{32})\//.exec(prefix) ?? [];
  const repos = (await readableRepos(hub, caller)).filter((repo) => wanted === '' || repo === wanted);
  const found: ListedSegment[] = [];
  for (const repo of repos)
    for (const it of await hub.database.list(accessOf(hub, caller, repo))) {
      const name = nameOf(repo, it);
      if (name.startsWith(prefix)) found.push({ name, bytes: it.bytes });
    }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export type Followed = {
  head: number;
  items: { position: number; name: string; bytes: number; gone: boolean }[];
};

const MOST_FOLLOWED = 1000;

/** What came after a position, in order. Whoever asks with the last position they saw misses nothing. */
export async function followSegments(
  hub: Hub,
  caller: HubCaller,
  { repo, after }: { repo: string; after: number },
): Promise<Followed> {
  const access = await accessTo(hub, caller, { repo, right: 'read' });
  const rows = await hub.database.follow(access, after, MOST_FOLLOWED);
  const items = rows.map((it) => ({
    position: it.position,
    name: nameOf(repo, it),
    bytes: it.bytes,
    gone: it.gone,
  }));
  return { head: (await hub.database.head(access)).head, items };
}

function nameOf(repo: string, { device, lane, seq, id }: HubSegment): string {
  return segmentName({ repo, device, lane: lane as SegmentName['lane'], seq, id });
}

export type RepoAuthor = { device: string; name: string; isYou: boolean; mayReview: boolean };

/** Whose devices wrote what a repository has. */
export async function repoAuthors(hub: Hub, caller: HubCaller, repo: string): Promise<RepoAuthor[]> {
  return authorsWith(hub, await accessTo(hub, caller, { repo, right: 'read' }));
}

/** `devices`: only these. */
export async function authorsWith(
  hub: Hub,
  access: HubAccess,
  devices?: readonly string[],
): Promise<RepoAuthor[]> {
  const [authors, grants] = await Promise.all([
    hub.database.authors(access, devices),
    hub.database.grantsIn(access.repo),
  ]);
  const roles = rolesIn(grants, access.repo);
  return authors.map(({ device, member, memberName }) => ({
    device,
    name: formerName(memberName),
    isYou: member === access.member,
    mayReview: mayDo(roles.get(member), 'review'),
  }));
}

/** A member who was removed is still called by name. */
export function formerName(name: string): string {
  return name.replace(/ \(removed [^)]*\)$/, '');
}
