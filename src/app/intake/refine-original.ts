import { chooseTitle } from '../../core/layers/titles/choose-title.ts';
import { isSessionId } from '../../core/model/ids.ts';
import type { SessionMetadata, SessionRecord } from '../../core/model/session.ts';
import { TOKEN_COUNTER } from '../../core/text/tokens.ts';
import { NO_SIGN } from '../../core/transcript/prove-typing.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { type Fold, foldLine } from './fold-session.ts';
import { holdBackEchoes } from './hold-back-echoes.ts';
import { newSessionState } from './new-session-state.ts';
import type { Reading } from './reading.ts';
import { allSecrets, isEarlier, noteLateSecrets, storedSecrets } from './session-secrets.ts';
import {
  hasOtherExtent,
  knownState,
  loadState,
  type SessionState,
  saveState,
  seenFile,
} from './session-state.ts';

/** Characters of L1 that are held before they are written. */
const PIECE = 4 * 1024 * 1024;

export type RefineOptions = Pick<Reading, 'extent'> &
  Partial<Pick<Reading, 'count' | 'counter'>> & {
    agent: Agent;
    /** The file that the copy was just made from. */
    source?: SessionState['source'] | undefined;
  };

/** Reads what is new in the archived copy and brings its L1 file up to date. The same bytes, in any number of steps. */
export async function refineOriginal(
  world: World,
  ref: SessionRef,
  options: RefineOptions,
): Promise<SessionState> {
  const before = await loadState(world, ref);
  const stored = before && (await isUsable(world, ref, before, options)) ? before : undefined;
  const state = stored ?? newSessionState(options.agent);
  // Of a mere copy only the source is known.
  const fresh = stored === undefined || stored.offset === 0;
  const source = options.source ?? before?.source;
  const size = (await world.archive.originals.size(ref.project, originalName(ref.session))) ?? 0;
  if (!fresh && state.offset === size) {
    if (source && JSON.stringify(source) !== JSON.stringify(state.source))
      await saveState(world, ref, { ...state, source });
    return state;
  }
  if (source) state.source = source;
  delete state.waits;
  const seen = new SeenIds(fresh ? undefined : await storedIds(world, ref, state));
  const found = new Map<string, number>();
  const known = await storedSecrets(world, ref, state);
  await readOn(world, ref, { state, seen, known, fresh: found }, options);
  if (!(await isEarlier(world, ref, found))) return state;
  // What was recognized just now is in lines before it, too: all is read again with that in mind.
  await noteLateSecrets(world, ref, found.keys());
  const { source: from, blocks, beside, secrets } = state;
  const again: SessionState = { ...newSessionState(options.agent), blocks, secrets: secrets ?? [] };
  Object.assign(again, from && { source: from }, beside && { beside });
  again.l1.file = state.l1.file;
  await readOn(world, ref, { state: again, seen: new SeenIds(), known }, options);
  await forgetDerived(world, ref, again.l1.file);
  return again;
}

/** Reads on from the position of a state, appends to L1, and stores the new state. */
async function readOn(world: World, ref: SessionRef, fold: Progress, options: RefineOptions): Promise<void> {
  const { state, seen } = fold;
  const { files } = world.archive;
  let isKnownFile = state.l1.file !== '';
  const markers = state.markers.length;
  for await (const { text, at } of foldCopy(world, ref, fold, options)) {
    // Not only of a session that is new: nobody may have spoken when it was first read.
    if (!isKnownFile) state.l1.file = await ownL1File(world, ref, state.l1.file);
    isKnownFile = true;
    if (at === 0) await files.write(ref.project, state.l1.file, text);
    else await files.writeAt(ref.project, state.l1.file, at, text);
  }
  await holdBackEchoes(world, ref, state, state.markers.slice(markers));
  await files.writeAt(undefined, seenFile(ref), state.seen * 8, seen.fresh());
  state.seen = seen.count;
  await saveState(world, ref, state);
}

/** Derived from the lines as they were before: rebuilt when it is requested next. */
async function forgetDerived(world: World, { project }: SessionRef, l1File: string): Promise<void> {
  const { filesDerivedFrom } = await import('../layers/statements.ts');
  const { dropLayers } = await import('../layers/update.ts');
  if (l1File !== '')
    for (const file of filesDerivedFrom(l1File)) await world.archive.files.remove(project, file);
  await dropLayers(world, project);
  // What it removes stays in its free pages.
  await world.index.destroy();
}

/** How far reading of the archived copy has come, for who only looks: read again in memory where that is not known. */
export async function readState(
  world: World,
  ref: SessionRef,
  options: Pick<RefineOptions, 'agent' | 'extent'>,
): Promise<SessionState> {
  const stored = await loadState(world, ref);
  if (stored && (await isUsable(world, ref, stored, options))) return stored;
  const state = newSessionState(options.agent);
  const known = await allSecrets(world, ref);
  for await (const _ of foldCopy(world, ref, { state, seen: new SeenIds(), known }, options));
  return state;
}

/** Two ids that begin alike, in one minute: the second file has its whole id in its name. */
async function ownL1File(world: World, { project, session }: SessionRef, file: string): Promise<string> {
  if (file === '' || (await world.archive.files.size(project, file)) === 0) return file;
  for (const name of await world.archive.files.list(undefined, `ingest/${project}`)) {
    const other = name.replace(/\.json$/, '');
    if (!name.endsWith('.json') || other === session || other.slice(0, 8) !== session.slice(0, 8)) continue;
    if (!isSessionId(other)) continue;
    const state = await knownState(world, { project, session: other });
    if (state?.l1File === file) return file.replace(/_[^_]*\.l1\.jsonl$/, `_${session}.l1.jsonl`);
  }
  return file;
}

type Piece = { text: string; at: number };
type Progress = Pick<Fold, 'state' | 'seen' | 'known' | 'fresh'>;

/** L1 rebuilt from the archived copy, piece by piece, without writing anything. */
export async function* refineAgain(
  world: World,
  ref: SessionRef,
  options: RefineOptions,
): AsyncGenerator<Piece> {
  const state = newSessionState(options.agent);
  const known = await allSecrets(world, ref);
  yield* foldCopy(world, ref, { state, seen: new SeenIds(), known }, options);
}

/** The L1 text of what is new, in pieces of some megabytes, so that memory does not grow with the session. */
async function* foldCopy(
  world: World,
  ref: SessionRef,
  progress: Progress,
  options: RefineOptions,
): AsyncGenerator<Piece> {
  const { extent, count } = options;
  const { state } = progress;
  const root = hasOwnFolder(options.agent) ? undefined : await rootOf(world, ref);
  const fold: Fold = { ...progress, sessionId: ref.session, extent, count, root };
  if (extent === 'message') state.extent = extent;
  else delete state.extent;
  if (!options.count) delete state.tokens;
  if (options.counter) state.counter = options.counter;
  const path = world.archive.originals.path(ref.project, originalName(ref.session));
  for (let more = true; more; ) {
    const parts: string[] = [];
    let length = 0;
    more = false;
    const read = await world.transcripts.readLines(path, state.offset, (line, at, last) => {
      const text = foldLine(fold, line, at, last);
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

/** In every line of theirs, or at the head of a file; the folder of others may be named nowhere but beside it. */
function hasOwnFolder(agent: Agent): boolean {
  return agent === 'claude-code' || agent === 'codex' || agent === 'opencode' || agent === 'generic';
}

async function rootOf(world: World, { project }: SessionRef): Promise<string | undefined> {
  return (await world.archive.head(project))?.originalPath || undefined;
}

/** A state counts only when the files it speaks of are still there. */
async function isUsable(
  world: World,
  ref: SessionRef,
  state: SessionState,
  options: RefineOptions,
): Promise<boolean> {
  if (state.agent !== options.agent || hasOtherExtent(state, options.extent)) return false;
  if (options.count && state.tokens === undefined) return false;
  // What a hook only estimated is counted again by who counts well.
  if (options.count && !options.counter && state.counter) return false;
  const size = (await world.archive.originals.size(ref.project, originalName(ref.session))) ?? 0;
  if (size < state.offset) return false;
  const refined = state.l1.file === '' ? 0 : await world.archive.files.size(ref.project, state.l1.file);
  return refined >= state.l1.bytes;
}

async function storedIds(
  world: World,
  ref: SessionRef,
  state: SessionState,
): Promise<Uint8Array | undefined> {
  const bytes = await world.archive.files.read(undefined, seenFile(ref));
  return bytes?.subarray(0, state.seen * 8);
}

/** The fields of a record that reading gives; the others belong to the user and to later stages. */
type ReadRecord = Omit<SessionRecord, 'registeredAt' | 'lastAccessed' | 'registered' | 'compressions'>;

/** What the manifest says of a session, from how far reading has come. */
export function recordOf(
  ref: SessionRef,
  state: SessionState,
  { originalFile, hash, size }: { originalFile: string; hash: string; size: number },
): ReadRecord {
  const { facts } = state;
  return {
    sessionId: ref.session,
    originalFile,
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
  const title = chooseTitle(state.titles, facts);
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
      ...oddTexts(state),
    },
    redactions: state.refine.redactions,
    ...(state.missed ? { missed: state.missed.map(([text, src]) => ({ text, src })) } : {}),
  };
}

/** Those of queue lines that nothing has shown to be typed are counted as long as that is so. */
function oddTexts({ lines, waiting = [] }: SessionState): Pick<SessionMetadata['lines'], 'odd'> {
  const odd = Object.entries(lines.odd ?? {}).map(([shape, [count, src]]) => ({ shape, count, src }));
  const [first] = waiting;
  if (first) {
    const known = odd.find(({ shape }) => shape === NO_SIGN);
    if (known) known.count += waiting.length;
    else odd.push({ shape: NO_SIGN, count: waiting.length, src: first.src });
  }
  return odd.length === 0 ? {} : { odd };
}
