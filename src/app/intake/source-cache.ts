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
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import { LEFT_OUT, type LeftOutReason } from '../sync-report.ts';
import type { World } from '../world.ts';

const FILE = 'sources.json';

/** What a file was when it was last taken in. Unchanged files are not even opened. */
export type KnownSource = FileMark & {
  agent: Agent;
  project: ProjectId;
  session: SessionId;
  /** The subagent of that session whose file it is. */
  sub?: string;
};

/** What was looked at and not taken: no transcript, or a session that the user took out. */
type LeftOut = FileMark & { left: true; why?: LeftOutReason; project?: ProjectId; session?: SessionId };

type FileMark = { size: number; mtimeMs: number; dev: number; ino: number; beside: string };

const mark = { size: figure, mtimeMs: figure, dev: figure, ino: figure, beside: text };
const known: Shape<KnownSource> = fields(
  { ...mark, agent: oneOf(...AGENTS), project: projectId, session: sessionId },
  { sub: text },
);
const left: Shape<LeftOut> = fields(
  { ...mark, left: oneOf(true) },
  { why: oneOf(...LEFT_OUT), project: projectId, session: sessionId },
);
export const SOURCES: StoredKind<Record<string, KnownSource | LeftOut>> = {
  schema: record(either(known, left)),
  damaged: 'Every transcript is looked at again.',
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

/** Looked at as it is now, and left out. A sync looks again all the same: it may know more by then. */
export function isLeftOut(known: KnownSource | LeftOut | undefined, file: FoundTranscript): boolean {
  return known !== undefined && 'left' in known && isSame(known, file);
}

function isSame(known: FileMark, file: FoundTranscript): boolean {
  return (
    known.size === file.size &&
    known.mtimeMs === file.mtimeMs &&
    known.dev === file.dev &&
    known.ino === file.ino &&
    known.beside === besideMark(file)
  );
}

export function remember(
  file: FoundTranscript,
  agent: Agent,
  project: ProjectId,
  session: SessionId,
  sub?: string,
): KnownSource {
  return { ...markOf(file), agent, project, session, ...(sub === undefined ? {} : { sub }) };
}

/** `ref`: the session that was taken out, so that it is known again. */
export function leaveOut(file: FoundTranscript, ref?: SessionRef, why?: LeftOutReason): LeftOut {
  return { ...markOf(file), left: true, ...(why ? { why } : {}), ...ref };
}

/** The files that were left out for a reason of their own, as they were seen last. */
export function leftOutFor(cache: SourceCache, why: LeftOutReason): string[] {
  return [...cache].flatMap(([path, known]) => ('left' in known && known.why === why ? [path] : []));
}

function markOf(file: FoundTranscript): FileMark {
  const { size, mtimeMs, dev, ino } = file;
  return { size, mtimeMs, dev, ino, beside: besideMark(file) };
}

function besideMark(file: FoundTranscript): string {
  const bytes = file.beside.reduce((sum, beside) => sum + beside.size, 0);
  const latest = file.beside.reduce((last, beside) => Math.max(last, beside.mtimeMs), 0);
  return `${file.beside.length}:${bytes}:${latest}`;
}
