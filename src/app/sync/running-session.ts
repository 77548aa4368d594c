import { AGENTS, type Agent } from '../../core/model/agent.ts';
import { isSessionId, type ProjectId, type SessionId } from '../../core/model/ids.ts';
import {
  anything,
  fields,
  figure,
  list,
  oneOf,
  projectId,
  record,
  type Shape,
  type Shaped,
  sessionId,
  text,
} from '../../core/model/shape.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/**
 * What hooks know of one session. Disposable: without it a session is looked at as if for the first time. A file of its
 * own beside the state of its reading: hooks have an id before they know whose project and session it is.
 */
export type HookSession = {
  version: 2;
  session: SessionId;
  /** Known once the session was first read. */
  place?: HookPlace;
  /** What was added to this context, as short hashes: nothing is added twice. */
  told: string[];
  /** Lines of the original before this offset were compacted away: they may be shown again. */
  compacted?: number;
  /** Progress of memory.md: tool calls and stops so far, and those that it includes. */
  memory?: {
    steps: number;
    seen: number;
    /** The value of `seen` when the last notice was left. */
    told?: number;
    /** A sentence for the next prompt. */
    notice?: string;
  };
};

export type HookPlace = {
  project: ProjectId;
  /** As its lines name it, which is the name of its copy. */
  session: SessionId;
  agent: Agent;
  /** The agent's file. What it was when it was last ingested is in the session's state. */
  path: string;
  /** What the project's record looked like when the session was last looked up in it. */
  stamp: string;
  /** What the project set itself by then. */
  settings: Record<string, unknown>;
  /** Taken out or purged by the user, or not to be registered: it is not indexed. */
  kept: 'registered' | 'archived' | 'gone';
  /** Bytes of the agent's file that the manifest knows of. */
  recorded: number;
  /** What the user calls it by then. */
  name?: string | undefined;
};

/** The size and time of a project's record; empty if only reading it can answer. */
export async function stampOf(world: World, project: ProjectId): Promise<string> {
  return (await world.archive.stamps()).get(project) ?? '';
}

const place: Shape<HookPlace> = fields(
  {
    project: projectId,
    session: sessionId,
    agent: oneOf(...AGENTS),
    path: text,
    stamp: text,
    settings: record(anything),
    kept: oneOf('registered', 'archived', 'gone'),
    recorded: figure,
  },
  { name: text },
);
/** Version 1 kept in `place` what the state of a session's reading and the index know themselves. */
const VERSIONS = [1, 2] as const;
const hookSession: Shape<Omit<HookSession, 'version'> & { version: 1 | 2 }> = fields(
  { version: oneOf(...VERSIONS), session: sessionId, told: list(text) },
  {
    place,
    compacted: figure,
    memory: fields({ steps: figure, seen: figure }, { told: figure, notice: text }),
  },
);
export const HOOK_SESSION: StoredKind<Shaped<typeof hookSession>> = {
  schema: hookSession,
  format: ['version', ...VERSIONS],
  damaged: 'Keepsake reads the session from its start.',
};

const MOST_TOLD = 400;

/** Below `cache/`. */
const FOLDER = 'hooks/sessions';

export async function loadHookSession(world: World, session: SessionId): Promise<HookSession> {
  const { value } = await readStored(world, undefined, fileOf(session), HOOK_SESSION);
  return value?.session === session ? { ...value, version: 2 } : { version: 2, session, told: [] };
}

export async function saveHookSession(world: World, state: HookSession): Promise<void> {
  const told = state.told.slice(-MOST_TOLD);
  await world.archive.files.write(undefined, fileOf(state.session), JSON.stringify({ ...state, told }));
}

/** A compaction whose summary was not there yet: what it lost is shown then. A file of its own, quickly looked for. */
export async function isPending(world: World, session: SessionId): Promise<boolean> {
  return (await world.archive.files.size(undefined, pendingFile(session))) > 0;
}

export async function notePending(world: World, session: SessionId, pending: boolean): Promise<void> {
  const file = pendingFile(session);
  if (pending) await world.archive.files.write(undefined, file, 'the summary is awaited\n');
  else await world.archive.files.remove(undefined, file);
}

export function pendingFile(session: SessionId): string {
  return `hooks/pending/${session}`;
}

/** A byte for each tool call: what is appended is never lost between two hooks at once. */
export function toolsFile(session: SessionId): string {
  return `hooks/tools/${session}`;
}

export function stopsFile(session: SessionId): string {
  return `hooks/stops/${session}`;
}

/** Whether the agent has done anything in this session yet. */
export async function hasAnswered({ archive: { files } }: World, session: SessionId): Promise<boolean> {
  for (const file of [stopsFile(session), toolsFile(session)])
    if ((await files.size(undefined, file)) > 0) return true;
  return false;
}

/** Of a session that is kept out of the archive hooks know nothing. */
export async function forgetHookSession(world: World, session: SessionId): Promise<void> {
  for (const file of [fileOf(session), pendingFile(session), toolsFile(session), stopsFile(session)])
    await world.archive.files.remove(undefined, file);
}

function fileOf(session: SessionId): string {
  return `${FOLDER}/${session}.json`;
}

/** The session of a hook's input; undefined when it is no id that may name a file. */
export function sessionOf(text: unknown): SessionId | undefined {
  return typeof text === 'string' && isSessionId(text) ? text : undefined;
}
