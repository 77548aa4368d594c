import { AGENTS, type Agent } from '../../core/model/agent.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import {
  either,
  fields,
  figure,
  oneOf,
  projectId,
  record,
  type Shape,
  sessionId,
  text,
} from '../../core/model/shape.ts';
import type { SeenSource } from '../../ports/archive.ts';
import type { FoundFile, FoundTranscript } from '../../ports/transcripts.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { LEFT_OUT, type LeftOutReason } from '../sync-report.ts';
import type { World } from '../world.ts';

const FILE = 'sources.json';

/**
 * What a file was when it was last ingested, by its path. Unchanged files are not even opened: a sync reads this one file
 * instead of the state of every session.
 */
export type KnownSource = FileMark & SourceOwner;

/** `sub`: the subagent of that session whose file it is. `readAt`: when it was read. */
type SourceOwner = SessionRef & { agent: Agent; sub?: string; readAt?: string };

/** What was looked at and not taken: no transcript, or a session that the user took out. */
type LeftOut = FileMark & { left: true; why?: LeftOutReason; project?: ProjectId; session?: SessionId };

type FileMark = SeenSource & { beside: string };

const mark = { size: figure, mtimeMs: figure, dev: figure, ino: figure, beside: text };
const known: Shape<KnownSource> = fields(
  { ...mark, agent: oneOf(...AGENTS), project: projectId, session: sessionId },
  { sub: text, readAt: text },
);
const left: Shape<LeftOut> = fields(
  { ...mark, left: oneOf(true) },
  { why: oneOf(...LEFT_OUT), project: projectId, session: sessionId },
);
export const SOURCES: StoredKind<Record<string, KnownSource | LeftOut>> = {
  schema: record(either(known, left)),
  damaged: 'Keepsake checks every transcript again.',
};

/** Disposable: without it every file is looked at again. */
export type SourceCache = Map<string, KnownSource | LeftOut>;

export async function loadSources(world: World): Promise<SourceCache> {
  const { value } = await readStored(world, undefined, FILE, SOURCES);
  return new Map(Object.entries(value ?? {}));
}

export async function saveSources(world: World, cache: SourceCache): Promise<void> {
  await world.archive.files.write(undefined, FILE, JSON.stringify(Object.fromEntries(cache)));
}

export function isUnchanged(
  known: KnownSource | LeftOut | undefined,
  file: FoundTranscript,
): known is KnownSource {
  return known !== undefined && !('left' in known) && isSame(known, file);
}

/** Checked in its current state, and skipped. A sync checks it again anyway: it may know more then. */
export function isLeftOut(known: KnownSource | LeftOut | undefined, file: FoundTranscript): boolean {
  return known !== undefined && 'left' in known && isSame(known, file);
}

/** A session that is not to be in the archive, however its file changes. */
export function isTakenOut(known: KnownSource | LeftOut | undefined): boolean {
  return (
    known !== undefined && 'left' in known && known.session !== undefined && known.why !== 'unusedComposition'
  );
}

function isSame(known: FileMark, file: FoundTranscript): boolean {
  return isSameFile(known, file) && known.beside === besideMark(file);
}

/** Without the files beside it. */
export function isSameFile(known: SeenSource, file: SeenSource): boolean {
  return (
    known.size === file.size &&
    known.mtimeMs === file.mtimeMs &&
    known.dev === file.dev &&
    known.ino === file.ino
  );
}

/** What is remembered of a file that was ingested; `of` says whose it is. */
export function knownSource(file: FoundTranscript, of: SourceOwner): KnownSource {
  return { ...markOf(file), ...of };
}

/** `ref`: the unregistered session, so that it is recognized again. */
export function leaveOut(file: FoundTranscript, ref?: SessionRef, why?: LeftOutReason): LeftOut {
  return { ...markOf(file), left: true, ...(why ? { why } : {}), ...ref };
}

/** The files that were left out for a reason of their own, as they were seen last. */
export function leftOutFor(cache: SourceCache, why: LeftOutReason): string[] {
  return [...cache].flatMap(([path, known]) => ('left' in known && known.why === why ? [path] : []));
}

function markOf(file: FoundTranscript): FileMark {
  return { ...seenOf(file), beside: besideMark(file) };
}

export function seenOf({ size, mtimeMs, dev, ino }: FoundFile): SeenSource {
  return { size, mtimeMs, dev, ino };
}

function besideMark(file: FoundTranscript): string {
  const bytes = file.beside.reduce((sum, beside) => sum + beside.size, 0);
  const latest = file.beside.reduce((last, beside) => Math.max(last, beside.mtimeMs), 0);
  return `${file.beside.length}:${bytes}:${latest}`;
}
