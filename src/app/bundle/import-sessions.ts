import { createHash } from 'node:crypto';
import type { IncomingSession, MergePlan } from '../../core/bundle/merge-plan.ts';
import { type Change, purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { Scratch } from '../../ports/bundles.ts';
import { writeVersionsFile } from '../compress/version-files.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { identifyFile } from '../intake/identify-file.ts';
import { type Reading, readingOf } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { finishLeaving } from '../purge/session.ts';
import type { World } from '../world.ts';
import { maskFor } from './export-files.ts';
import { versionChanges } from './import-versions.ts';
import type { Texts } from './plan.ts';
import { bundlesOf } from './reader.ts';

const PIECE = 1 << 20;

/**
 * An original into the archive. Where a copy exists here, it stays, and what it has not is added; a bundle whose secrets
 * were masked is known to hold the same.
 */
export async function putOriginal(
  world: World,
  project: ProjectId,
  name: string,
  from: string,
): Promise<void> {
  const { originals } = world.archive;
  const ownSize = await originals.size(project, name);
  const incoming = (await bundlesOf(world).size(from)) ?? 0;
  if (ownSize === undefined || ownSize === 0) {
    await originals.absorb(project, name, { path: from }, 'copy');
    return;
  }
  const mine = originals.path(project, name);
  const common = Math.min(ownSize, incoming);
  const hashes = (path: string, mask: Mask | undefined) => hashOfStart(world, path, common, mask);
  if ((await hashes(mine, undefined)) === (await hashes(from, undefined))) {
    if (incoming > ownSize) await originals.absorb(project, name, { path: from }, 'copy');
    return;
  }
  const mask = await maskFor(world, project, name);
  if ((await hashes(mine, mask)) !== (await hashes(from, mask))) {
    await originals.absorb(project, name, { path: from }, 'copy');
    return;
  }
  if (incoming > ownSize) await addEnd(world, { project, name, mine, ownSize }, from);
}

/** Whether one of both begins as the other does, secrets aside. */
export async function isSameStart(
  world: World,
  project: ProjectId,
  name: string,
  from: string,
): Promise<boolean> {
  const { originals } = world.archive;
  const ownSize = (await originals.size(project, name)) ?? 0;
  // Also where there is none yet.
  if (ownSize === 0) return true;
  const common = Math.min(ownSize, (await bundlesOf(world).size(from)) ?? 0);
  const mine = originals.path(project, name);
  const hashes = (mask: Mask | undefined) =>
    Promise.all([hashOfStart(world, mine, common, mask), hashOfStart(world, from, common, mask)]);
  const [here, there] = await hashes(undefined);
  if (here === there) return true;
  const [maskedHere, maskedThere] = await hashes(await maskFor(world, project, name));
  return maskedHere === maskedThere;
}

/** The same for two files anywhere. */
export async function isSameBeginning(world: World, one: string, other: string): Promise<boolean> {
  const sizes = [await bundlesOf(world).size(one), await bundlesOf(world).size(other)];
  const common = Math.min(...sizes.map((size) => size ?? 0));
  const [a, b] = await Promise.all([one, other].map((path) => hashOfStart(world, path, common, undefined)));
  return a === b;
}

type KnownOriginal = { project: ProjectId; name: string; mine: string; ownSize: number };

/** Our own bytes as far as they go, then theirs. */
async function addEnd(
  world: World,
  { project, name, mine, ownSize }: KnownOriginal,
  from: string,
): Promise<void> {
  const joined = await bundlesOf(world).scratch();
  try {
    for await (const piece of world.sessionFiles.read(mine)) joined.write(piece);
    let at = 0;
    for await (const piece of world.sessionFiles.read(from)) {
      if (at + piece.length > ownSize) joined.write(piece.subarray(Math.max(0, ownSize - at)));
      at += piece.length;
    }
    joined.close();
    await world.archive.originals.absorb(project, name, { path: joined.path }, 'copy');
  } finally {
    await joined.remove();
  }
}

type Mask = (line: string) => string;

async function hashOfStart(
  world: World,
  path: string,
  bytes: number,
  mask: Mask | undefined,
): Promise<string> {
  const hash = createHash('sha256');
  let [left, held] = [bytes, ''];
  const decoder = new TextDecoder('utf-8');
  for await (const piece of world.sessionFiles.read(path)) {
    const part = piece.subarray(0, left);
    left -= part.length;
    if (!mask) hash.update(part);
    else {
      const lines = (held + decoder.decode(part, { stream: left > 0 })).split('\n');
      held = lines.pop() ?? '';
      for (const line of lines) hash.update(`${mask(line)}\n`);
    }
    if (left === 0) break;
  }
  if (mask && held !== '') hash.update(mask(held));
  return hash.digest('hex');
}

/** Files of sessions that were purged here and come back, until their records are written with them. */
export type HeldOriginals = Map<SessionId, { name: string; original: Scratch }[]>;

/** Purged here, it is only taken because its user registered it again. */
export function isComingBack({ isNew, purges }: IncomingSession): boolean {
  return isNew && purges > 0;
}

/** Refines each session from its copy, and puts its versions beside it where they still fit. */
export async function putSessions(
  world: World,
  plan: MergePlan,
  texts: Texts,
  { held, signal }: { held: HeldOriginals; signal: AbortSignal | undefined },
): Promise<string[]> {
  const notes: string[] = [];
  const reading = await readingOf(world, plan.project);
  for (const [id, incoming] of plan.sessions) {
    if (incoming.isSealed) continue;
    if (signal?.aborted)
      throw new Fault(
        'cancelled',
        'Stopped. The next `keepsake import` or `keepsake sync` continues this import.',
      );
    const ref = { project: plan.project, session: id };
    const put = async () => {
      const manifest = (await world.archive.open(ref.project))?.manifest;
      // Purged meanwhile, it stays away.
      if (purgesOf(manifest, id) > incoming.purges) return;
      notes.push(...(await putSession(world, ref, incoming, { manifest, reading, texts })));
    };
    // As when it is registered: a purge that looks in between would take its copy for one that is left.
    const putBack = async () => {
      if (purgesOf((await world.archive.open(ref.project))?.manifest, id) > incoming.purges) return;
      await finishLeaving(world, ref);
      for (const { name, original } of held.get(id) ?? [])
        await putOriginal(world, ref.project, name, original.path);
      await put();
    };
    await (isComingBack(incoming) ? oneAtATime(world, putBack, signal) : put());
  }
  return notes;
}

async function putSession(
  world: World,
  ref: SessionRef,
  { line, isNew, purges, versions }: IncomingSession,
  { manifest, reading, texts }: { manifest: Manifest | undefined; reading: Reading; texts: Texts },
): Promise<string[]> {
  const notes: string[] = [];
  const id = ref.session;
  const path = world.archive.originals.path(ref.project, originalName(id));
  const agent = (await identifyFile(world, path))?.agent ?? (line.record.metadata.agent as Agent);
  const stored = manifest?.sessions[id];
  const { originalFile } = stored ?? line.record;
  const change = await sessionChange(world, ref, { agent, originalFile, ...reading });
  const record = change.merge as unknown as SessionRecord;
  const fits = await isSameL1(world, ref.project, record, line.l1);
  const made = fits ? await versionChanges(world, { ...ref, agent }, versions, texts) : [];
  if (!fits && line.parts.length > 0)
    notes.push(
      `${id} is parsed differently by this version of Keepsake, so its compressed versions were skipped. Make new ones with \`keepsake compress ${id}\`.`,
    );
  if (versions.leftOut > 0)
    notes.push(`${id}: ${versions.leftOut} versions were skipped because they belong to other parts.`);
  const unless = { purged: id, beyond: purges };
  const changes = [...begin(line.record, stored), change, ...made].map((it) => ({ ...it, unless }));
  const at = world.clock.now();
  const isRecorded = isNew && !stored;
  if (!isSame(stored, change, made) || isClaimed(line.record, stored))
    await world.archive.change(
      ref.project,
      changes,
      isRecorded || isClaimed(line.record, stored) ? [importEvent(id, at, line.record.by)] : [],
    );
  if (made.length > 0) {
    const after = (await world.archive.open(ref.project))?.manifest;
    if (after && Object.hasOwn(after.sessions, id)) await writeVersionsFile(world, ref, after);
  }
  return notes;
}

/** Whose it is stays in the history, too: a lost manifest is made from it. `by` null: this user's. */
function importEvent(sessionId: SessionId, at: string, by: string | undefined): HistoryEvent {
  return { at, action: 'import', sessionId, note: 'Imported.', details: { by: by ?? null } };
}

/** It came in as someone else's before. */
function isClaimed(theirs: SessionRecord, mine: SessionRecord | undefined): boolean {
  return mine?.by !== undefined && theirs.by === undefined;
}

/** What only the record has: first seen, last used, and whether it was unregistered. */
function begin(theirs: SessionRecord, mine: SessionRecord | undefined): Change[] {
  const { registeredAt, lastAccessed, registered, pruned, name, by } = theirs;
  const at = ['sessions', theirs.sessionId];
  if (!mine)
    return [
      {
        at,
        init: {
          registeredAt,
          lastAccessed,
          registered,
          compressions: [],
          ...(pruned ? { pruned } : {}),
          ...(name === undefined ? {} : { name: [...name.replace(/\p{Cc}+/gu, ' ')].slice(0, 200).join('') }),
          ...(by === undefined ? {} : { by }),
        },
      },
    ];
  return [
    ...(isClaimed(theirs, mine) ? [{ at: [...at, 'by'], drop: true as const }] : []),
    ...(mine.lastAccessed < lastAccessed ? [{ at, merge: { lastAccessed } }] : []),
  ];
}

/** The same import twice changes nothing, not even the number of changes. */
function isSame(stored: SessionRecord | undefined, { merge = {} }: Change, made: Change[]): boolean {
  if (!stored || made.length > 0) return false;
  const known = stored as unknown as Record<string, unknown>;
  return Object.entries(merge).every(([key, value]) => {
    if (key === 'metadata') return true;
    return JSON.stringify(known[key] ?? null) === JSON.stringify(value ?? null);
  });
}

/** Parts name places in the refined lines. */
async function isSameL1(
  world: World,
  project: ProjectId,
  { l1 }: SessionRecord,
  theirs: { bytes: number; sha256: string },
): Promise<boolean> {
  if (l1.bytes < theirs.bytes) return false;
  const hash = createHash('sha256');
  for (let at = 0; at < theirs.bytes; at += PIECE)
    hash.update(await world.archive.files.readAt(project, l1.file, at, Math.min(PIECE, theirs.bytes - at)));
  return hash.digest('hex') === theirs.sha256;
}
