import type { RefineState } from '../../core/layers/refine/refine.ts';
import type { TitleNotes } from '../../core/layers/titles/title-notes.ts';
import { AGENTS, type Agent } from '../../core/model/agent.ts';
import { REFINE_ENGINE } from '../../core/model/refine-engine.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import {
  fields,
  figure,
  list,
  object,
  oneOf,
  record,
  type Shape,
  text,
  tuple,
  where,
} from '../../core/model/shape.ts';
import type { ComposedState } from '../../core/transcript/composed-lines.ts';
import type { WaitingText } from '../../core/transcript/prove-typing.ts';
import type { SessionFacts } from '../../core/transcript/session-facts.ts';
import type { ReplyState } from '../../core/transcript/user-replies.ts';
import type { UnpairedCopies } from '../../core/transcript/written-twice.ts';
import type { SeenSource } from '../../ports/archive.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** How far reading of one session has come. Disposable: without it the archived copy is read from its start. */
export type SessionState = {
  engine: number;
  agent: Agent;
  /** The agent's file as it was when the copy was last brought up to date with it, by a hook or by a sync. */
  source?: SeenSource & { path: string };
  /** Bytes of the archived copy that were read. */
  offset: number;
  l1: { file: string; lines: number; bytes: number };
  facts: SessionFacts;
  refine: RefineState;
  replies: ReplyState;
  titles: TitleNotes;
  /** Set once a message held composed text. */
  composed?: ComposedState;
  /** Only of agents that write a message twice. */
  told?: UnpairedCopies;
  markers: KeepitMarker[];
  /** How far a keepit without a closing mark reached when they were found; a paragraph unless set. */
  extent?: 'message';
  /** Lines of the copy with a secret that no line before has been recognized to hold, by their place. */
  secrets?: number[];
  /** What the user wrote like a marker and is none, and where. */
  missed?: [text: string, src: number][];
  /** When a line last showed that its client marks what is typed. */
  marked?: string;
  /** Texts of queue lines that no later line has shown to be typed. */
  waiting?: WaitingText[];
  /** With what words the user asked in the current exchange that something be kept. */
  keepWords?: string;
  /** Whether a tool or the client has spoken since. */
  othersSpoke?: true;
  /** The end of the agent's last message, as it is refined. */
  lastSaid?: string;
  files: string[];
  filesCount: number;
  exchanges: number;
  lines: {
    total: number;
    bad: number;
    oversize: number;
    duplicate: number;
    unknown: Record<string, number>;
    skipped: Record<string, number>;
    /** Text under the role of the user that a person did not type: how often, and where first. */
    odd?: Record<string, [count: number, src: number]>;
  };
  /** Ids stored in the `.seen` file. */
  seen: number;
  /** Undefined when a hook read lines without counting; a sync counts them all again. */
  tokens?: number;
  /** Set when some of `tokens` are an estimate. */
  counter?: string;
  /** Hashes of whole MiB blocks of the copy. */
  blocks: string[];
  /** Another engine read it before: hooks only copy it, and the next sync reads the copy from its start. */
  waits?: true;
  /** What is known of the files beside it, by their names: read again only once they have grown. */
  beside?: Record<string, KnownBeside>;
};

/** `messages` only of a subagent's transcript. */
export type KnownBeside = { bytes: number; hash: string; messages?: number };

const counted = { total: figure, bad: figure, oversize: figure, duplicate: figure };
const ask = fields({ text, worth: figure, edits: figure, calls: figure, said: figure }, { done: text });
const titleNotes: Shape<TitleNotes> = fields(
  { subjects: list(fields({ text, weight: figure })), asks: list(ask) },
  {
    agentPlan: text,
    current: ask,
    enough: oneOf(true),
    closing: text,
    command: text,
    words: text,
    answer: text,
  },
);
const source: Shape<NonNullable<SessionState['source']>> = fields({
  path: text,
  size: figure,
  mtimeMs: figure,
  dev: figure,
  ino: figure,
});
const sessionState: Shape<SessionState> = fields(
  {
    engine: figure,
    agent: oneOf(...AGENTS),
    offset: figure,
    l1: fields({ file: text, lines: figure, bytes: figure }),
    facts: object<SessionFacts>(['subs', 'counts']),
    refine: object<RefineState>(['redactions']),
    replies: list(where((it): it is ReplyState[number] => Array.isArray(it), 'a call')),
    titles: titleNotes,
    markers: list(object<KeepitMarker>()),
    files: list(text),
    filesCount: figure,
    exchanges: figure,
    lines: fields(
      { ...counted, unknown: record(figure), skipped: record(figure) },
      { odd: record(tuple(figure, figure)) },
    ),
    seen: figure,
    blocks: list(text),
  },
  {
    source,
    composed: object<ComposedState>(),
    told: list(tuple(oneOf('item', 'event'), text, figure, figure)),
    missed: list(tuple(text, figure)),
    secrets: list(figure),
    marked: text,
    waiting: list(fields({ words: text, src: figure, ts: text, id: text }, { text })),
    keepWords: text,
    othersSpoke: oneOf(true),
    lastSaid: text,
    tokens: figure,
    extent: oneOf('message'),
    counter: text,
    waits: oneOf(true),
    beside: record(fields({ bytes: figure, hash: text }, { messages: figure })),
  },
);
export const SESSION_STATE: StoredKind<SessionState> = {
  schema: sessionState,
  format: ['engine', REFINE_ENGINE],
  damaged: 'Keepsake reads the archived copy of the session again from its start.',
};

/** What states of all engines have in common. */
type AnyState = Pick<SessionState, 'engine' | 'source' | 'waits'> & { l1?: { file: string } };
const ANY_STATE: StoredKind<AnyState> = {
  schema: fields({ engine: figure }, { source, waits: oneOf(true), l1: fields({ file: text }) }),
  damaged: SESSION_STATE.damaged,
};

function stateFile({ project, session }: SessionRef): string {
  return `ingest/${project}/${session}.json`;
}

export function seenFile({ project, session }: SessionRef): string {
  return `ingest/${project}/${session}.seen`;
}

/** The stored state, or undefined when there is none, it is from another engine, or it is broken. */
export async function loadState(world: World, ref: SessionRef): Promise<SessionState | undefined> {
  const { value: state } = await readStored(world, undefined, stateFile(ref), SESSION_STATE);
  if (!state) return undefined;
  // Keyed by outside strings: no prototype may answer for them.
  for (const record of [state.lines.unknown, state.lines.skipped, state.facts.subs])
    Object.setPrototypeOf(record, null);
  return state;
}

/** Whether its keepits were found with another setting of how far one reaches. */
export function hasOtherExtent(state: SessionState, extent: 'paragraph' | 'message'): boolean {
  return state.markers.length > 0 && (state.extent ?? 'paragraph') !== extent;
}

export type KnownState = Pick<SessionState, 'source' | 'engine'> & {
  l1File: string | undefined;
  /** Only a sync reads it. */
  waits: boolean;
};

/** What is known about a session's reading, by any engine; undefined if it was never read. */
export async function knownState(world: World, ref: SessionRef): Promise<KnownState | undefined> {
  const { value } = await readStored(world, undefined, stateFile(ref), ANY_STATE);
  if (!value) return undefined;
  const { engine, source, waits, l1 } = value;
  const known = { engine, l1File: l1?.file, waits: engine !== REFINE_ENGINE || waits === true };
  return source ? { ...known, source } : known;
}

export async function saveState(world: World, ref: SessionRef, state: SessionState): Promise<void> {
  await world.archive.files.write(undefined, stateFile(ref), JSON.stringify(state));
}

export async function dropState(world: World, ref: SessionRef): Promise<void> {
  await world.archive.files.remove(undefined, stateFile(ref));
  await world.archive.files.remove(undefined, seenFile(ref));
}
