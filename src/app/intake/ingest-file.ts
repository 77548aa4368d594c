import { agentRow } from '../../core/model/agent.ts';
import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { Absorbed, OriginalsMode, SeenSource } from '../../ports/archive.ts';
import type { FoundFile, FoundTranscript } from '../../ports/transcripts.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { newSessionState } from './new-session-state.ts';
import type { Reading } from './reading.ts';
import { refineOriginal } from './refine-original.ts';
import { knownState, loadState, type SessionState, saveState } from './session-state.ts';
import { isSameFile, seenOf } from './source-cache.ts';

export type IngestRequest = {
  /** The session that the file is of. */
  ref: SessionRef;
  agent: Agent;
  file: FoundTranscript;
  reading: Reading;
  /**
   * How far it goes; each includes those before it. `copy`: bytes only. `l1`: refined, all that a search needs. `record`:
   * files beside it, hashes, and what the manifest shall say. `exchanges`: these, too.
   */
  upTo: 'copy' | 'l1' | 'record' | 'exchanges';
  /** The file as another cache knows it; what the session's own state knows comes first. */
  seen?: SeenSource | undefined;
  /** The lines of a session that is no file of lines; they are no place to link to. */
  lines?: string | undefined;
};

export type IngestedFile = {
  /** `shrunk`: the file itself was cut short. `truncated`: the copy has more, from another file of the session. */
  status: Absorbed['status'] | 'truncated' | 'shrunk';
  /** How far reading has come; undefined of a mere copy, and where a file that was seen as it is needs no reading. */
  state?: SessionState;
  /** From `record` on. */
  change?: Change;
  events: HistoryEvent[];
};

/**
 * Archives one source file, completely or what it has grown by: copy, L1, and the change for the manifest. Repeating it, or
 * running it twice at once, gives the same result. Syncs, hooks and `register` all use it.
 */
export async function ingestFile(world: World, request: IngestRequest): Promise<IngestedFile> {
  const { ref, agent, file, reading, upTo, lines } = request;
  const known = await knownState(world, ref);
  const own = known?.source?.path === file.path ? known.source : undefined;
  const isRecorded = upTo === 'record' || upTo === 'exchanges';
  if (!isRecorded && own && isSameFile(own, file)) return { status: 'same', events: [] };
  const absorbed = await world.archive.originals.absorb(
    ref.project,
    originalName(ref.session),
    lines === undefined ? { path: file.path, seen: own ?? request.seen } : { path: lines },
    lines === undefined ? reading.originals : 'copy',
  );
  const source = { path: file.path, ...seenOf(file) };
  const longest = Math.max(own?.size ?? 0, request.seen?.size ?? 0);
  const status = statusOf(absorbed, {
    isMade: lines !== undefined || agentRow(agent)?.rewrites === true,
    isShorter: file.size < longest,
  });
  if (upTo === 'copy') {
    const before = (await loadState(world, ref)) ?? newSessionState(agent);
    const isNewer = known !== undefined && known.engine > before.engine;
    // What a newer version of Keepsake knows of its reading stays.
    if (!isNewer)
      await saveState(world, ref, { ...before, source, ...(known?.waits ? { waits: true } : {}) });
    return { status, events: [] };
  }
  if (isRecorded) for (const beside of file.beside) await absorbBeside(world, request, beside);
  const state = await refineOriginal(world, ref, {
    agent,
    ...reading,
    source: lines === undefined ? source : undefined,
  });
  if (!isRecorded) return { status, state, events: [] };
  // A hook that only follows a session has no use for what makes records.
  const { changeFrom } = await import('./session-change.ts');
  const exchanges = upTo === 'exchanges';
  const change = await changeFrom(world, ref, state, { originalFile: file.path, exchanges });
  return { status, state, change, events: eventsOf(world, request, status, absorbed) };
}

/** Lines that were made for this run, and a session that Gemini CLI resumed, may be written again: nothing was replaced. */
function statusOf(
  { status, truncated }: Absorbed,
  { isMade, isShorter }: { isMade: boolean; isShorter: boolean },
): IngestedFile['status'] {
  if (isMade) return status === 'replaced' ? 'grown' : status;
  // Two files with one id: the shorter is no truncation of the longer.
  return truncated ? (isShorter ? 'shrunk' : 'truncated') : status;
}

async function absorbBeside(
  world: World,
  { ref, file, reading }: { ref: SessionRef; file: FoundFile; reading: { originals: OriginalsMode } },
  beside: FoundFile,
): Promise<void> {
  const parts = beside.path.slice(file.path.lastIndexOf('.')).split(/[\\/]/).slice(1);
  const name = [ref.session, ...parts.slice(-2)].join('/');
  await world.archive.originals.absorb(ref.project, name, { path: beside.path }, reading.originals);
}

const KEPT = 'Everything archived so far is kept';

function eventsOf(
  world: World,
  { ref, file: { path } }: IngestRequest,
  status: IngestedFile['status'],
  { before, after }: Absorbed,
): HistoryEvent[] {
  const plain = { at: world.clock.now(), sessionId: ref.session };
  const base = { ...plain, details: { before, after } };
  switch (status) {
    case 'new':
      return [{ ...base, action: 'register', note: `First seen: ${path}` }];
    case 'grown':
      return [{ ...base, action: 'grow' }];
    case 'replaced': {
      const note = `${KEPT} and its new lines were added, although the file was replaced: ${path}`;
      return [{ ...base, action: 'replaced', note }];
    }
    case 'shrunk':
      return [{ ...plain, action: 'replaced', note: `${KEPT}, although the file became shorter: ${path}` }];
    default:
      return [];
  }
}
