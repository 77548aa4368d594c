import { isSessionId } from '../../core/model/ids.ts';
import type { SessionMetadata, SessionRecord } from '../../core/model/session.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import { TOKEN_COUNTER } from '../../core/text/tokens.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { type FoldOptions, foldLine } from './fold-session.ts';
import { holdBackEchoes } from './hold-back-echoes.ts';
import {
  loadState,
  newSessionState,
  type SessionState,
  saveState,
  seenFile,
  titleFrom,
} from './session-state.ts';

/** Characters of L1 that are held before they are written. */
const PIECE = 4 * 1024 * 1024;

export type IngestOptions = {
  agent: Agent;
  extent: 'paragraph' | 'message';
  count?: TokenCounter;
  /** The name of `count`, where it is not the one that figures are recorded by. */
  counter?: string;
};

/** Reads what is new in the archived copy and brings its L1 file up to date. The same bytes, in any number of steps. */
export async function ingest(world: World, ref: SessionRef, options: IngestOptions): Promise<SessionState> {
  const stored = await usableState(world, ref, options);
  const state = stored ?? newSessionState(options.agent);
  const fresh = stored === undefined;
  const size = (await world.archive.originals.size(ref.project, originalName(ref.session))) ?? 0;
  if (!fresh && state.offset === size) return state;
  const seen = new SeenIds(fresh ? undefined : await storedIds(world, ref, state));
  const markers = state.markers.length;
  let first = fresh;
  for await (const { text, at } of foldCopy(world, ref, state, seen, options)) {
    if (first) {
      state.l1.file = await ownL1File(world, ref, state.l1.file);
      await world.archive.files.write(ref.project, state.l1.file, text);
      first = false;
    } else await world.archive.files.writeAt(ref.project, state.l1.file, at, text);
  }
  await holdBackEchoes(world, ref, state, state.markers.slice(markers));
  await world.archive.files.writeAt(
    undefined,
    seenFile(ref.project, ref.session),
    state.seen * 8,
    seen.fresh(),
  );
  state.seen = seen.count;
  await saveState(world, ref.project, ref.session, state);
  return state;
}

/** Where reading of the archived copy stands, for who only looks: read again in memory where that is not known. */
export async function readState(
  world: World,
  ref: SessionRef,
  options: Omit<IngestOptions, 'count' | 'counter'>,
): Promise<SessionState> {
  const stored = await usableState(world, ref, options);
  if (stored) return stored;
  const state = newSessionState(options.agent);
  for await (const _ of foldCopy(world, ref, state, new SeenIds(), options));
  return state;
}

/** Two ids that begin alike, in one minute: the second file has its whole id in its name. */
async function ownL1File(world: World, { project, session }: SessionRef, file: string): Promise<string> {
  if (file === '' || (await world.archive.files.size(project, file)) === 0) return file;
  for (const name of await world.archive.files.list(undefined, `ingest/${project}`)) {
    const other = name.replace(/\.json$/, '');
    if (!name.endsWith('.json') || other === session || other.slice(0, 8) !== session.slice(0, 8)) continue;
    if (!isSessionId(other)) continue;
    const state = await loadState(world, project, other);
    if (state?.l1.file === file) return file.replace(/_[^_]*\.l1\.jsonl$/, `_${session}.l1.jsonl`);
  }
  return file;
}

type Piece = { text: string; at: number };

/** L1 made again from the archived copy, piece by piece, without writing anything. */
export function refineAgain(world: World, ref: SessionRef, options: IngestOptions): AsyncGenerator<Piece> {
  return foldCopy(world, ref, newSessionState(options.agent), new SeenIds(), options);
}

/** The L1 text of what is new, in pieces of some megabytes, so that memory does not grow with the session. */
async function* foldCopy(
  world: World,
  ref: SessionRef,
  state: SessionState,
  seen: SeenIds,
  options: IngestOptions & Pick<FoldOptions, 'onEntry'>,
): AsyncGenerator<Piece> {
  const { extent, count, onEntry } = options;
  const fold: FoldOptions = { sessionId: ref.session, extent, count, onEntry };
  if (!options.count) delete state.tokens;
  if (options.counter) state.counter = options.counter;
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  for (let more = true; more; ) {
    const parts: string[] = [];
    let length = 0;
    more = false;
    const read = await world.transcripts.readLines(path, state.offset, (line, at, last) => {
      const text = foldLine(state, seen, fold, line, at, last);
      if (text === false) return false;
      if (text !== '') parts.push(text);
      length += text.length;
      more = length >= PIECE && !last;
      return more ? 'stop' : true;
    });
    state.offset = read.end;
    state.lines.oversize += read.oversize.length;
    const text = parts.join('');
    const at = state.l1.bytes;
    state.l1.bytes += Buffer.byteLength(text);
    if (text !== '') yield { text, at };
  }
}

/** A state counts only when the files it speaks of are still there. */
async function usableState(
  world: World,
  ref: SessionRef,
  options: IngestOptions,
): Promise<SessionState | undefined> {
  const state = await loadState(world, ref.project, ref.session);
  if (!state || state.agent !== options.agent) return undefined;
  if (options.count && state.tokens === undefined) return undefined;
  // What a hook only estimated is counted anew by who counts well.
  if (options.count && !options.counter && state.counter) return undefined;
  const size = (await world.archive.originals.size(ref.project, originalName(ref.session))) ?? 0;
  if (size < state.offset) return undefined;
  if (state.l1.file !== '' && (await world.archive.files.size(ref.project, state.l1.file)) < state.l1.bytes)
    return undefined;
  return state;
}

async function storedIds(
  world: World,
  ref: SessionRef,
  state: SessionState,
): Promise<Uint8Array | undefined> {
  const bytes = await world.archive.files.read(undefined, seenFile(ref.project, ref.session));
  return bytes?.subarray(0, state.seen * 8);
}

/** The fields of a record that reading gives; the others belong to the user and to later stages. */
type ReadRecord = Omit<SessionRecord, 'registeredAt' | 'lastAccessed' | 'registered' | 'compressions'>;

/** What the manifest says of a session, from where reading stands. */
export function recordOf(
  ref: SessionRef,
  state: SessionState,
  source: string,
  hash: string,
  size: number,
): ReadRecord {
  const { facts } = state;
  return {
    sessionId: ref.session,
    originalFile: source,
    originalTokens: state.tokens ?? 0,
    originalMessages: facts.counts.human + facts.counts.assistant,
    originalBytes: size,
    originalHash: hash,
    tokenCounter: state.counter ?? TOKEN_COUNTER,
    firstTimestamp: facts.first,
    lastTimestamp: facts.last,
    metadata: metadataOf(state),
    keepitMarkers: state.markers,
    l1: state.l1,
    engine: state.engine,
  };
}

function metadataOf(state: SessionState): SessionMetadata {
  const { facts, lines } = state;
  const title = titleFrom(state);
  return {
    agent: state.agent,
    ...(facts.gitBranch ? { gitBranch: facts.gitBranch } : {}),
    gitBranches: facts.gitBranches,
    ...(facts.version ? { claudeVersion: facts.version } : {}),
    ...(facts.cwd ? { cwd: facts.cwd } : {}),
    ...(title ? { title } : {}),
    models: facts.models,
    filesTouched: state.files,
    filesTouchedCount: state.filesCount,
    subSessions: Object.entries(facts.subs).map(([agentId, sub]) => ({ agentId, bytes: 0, ...sub })),
    counts: { ...facts.counts, exchanges: state.exchanges },
    lines: {
      total: lines.total,
      bad: lines.bad,
      oversize: lines.oversize,
      duplicate: lines.duplicate,
      unknown: lines.unknown,
      ...(lines.odd === undefined ? {} : { odd: oddTexts(lines.odd) }),
    },
    redactions: state.refine.redactions,
    ...(state.missed ? { missed: state.missed.map(([text, src]) => ({ text, src })) } : {}),
  };
}

function oddTexts(odd: NonNullable<SessionState['lines']['odd']>): SessionMetadata['lines']['odd'] {
  return Object.entries(odd).map(([shape, [count, src]]) => ({ shape, count, src }));
}
