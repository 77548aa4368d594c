import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { TokenCounter } from '../../core/text/tokens.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { Absorbed, OriginalsMode, SeenSource } from '../../ports/archive.ts';
import type { FoundFile, FoundTranscript } from '../../ports/transcripts.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { updateExchanges } from '../layers/exchanges.ts';
import type { World } from '../world.ts';
import { noteUses } from './composition-uses.ts';
import { recordOf, refineOriginal } from './refine-original.ts';
import { saveState } from './session-state.ts';
import { filesBeside } from './sub-sessions.ts';

export type IngestFileOptions = {
  originals: OriginalsMode;
  extent: 'paragraph' | 'message';
  count: TokenCounter;
  /** The name of `count`, where it only estimates. */
  counter?: string;
  /** The file as it was when it was last taken in. */
  seen?: SeenSource | undefined;
  /** The lines of a session that is no file of lines; they are no place to link to. */
  lines?: string | undefined;
  /** False where the next sync shall tell the exchanges. */
  exchanges?: false;
};

export type IngestedFile = {
  status: Absorbed['status'] | 'truncated';
  changes: Change[];
  events: HistoryEvent[];
};

/** One session's file into the archive: own copy, files beside it, L1, and what the manifest shall say. */
export async function ingestFile(
  world: World,
  ref: SessionRef,
  agent: Agent,
  file: FoundTranscript,
  options: IngestFileOptions,
): Promise<IngestedFile> {
  const absorbed = await world.archive.originals.absorb(
    ref.project,
    originalName(ref.session),
    options.lines ?? file.path,
    options.lines === undefined ? options.originals : 'copy',
    options.lines === undefined ? options.seen : undefined,
  );
  for (const beside of file.beside) await absorbBeside(world, ref, file, beside, options.originals);
  const { change } = await describe(world, ref, agent, file.path, options);
  const status = statusOf(absorbed, options.lines !== undefined);
  return { status, changes: [change], events: eventsOf(world, ref, status, absorbed, file.path) };
}

/** Lines that were made for this run may tell something anew: nothing was replaced by that. */
function statusOf({ status, truncated }: Absorbed, isMade: boolean): IngestedFile['status'] {
  if (isMade) return status === 'replaced' ? 'grown' : status;
  return truncated ? 'truncated' : status;
}

/** Brings L1 up to date from the archived copy and says what the manifest shall say. */
export async function describe(
  world: World,
  ref: SessionRef,
  agent: Agent,
  source: string,
  options: Omit<IngestFileOptions, 'originals' | 'seen'>,
): Promise<{ change: Change }> {
  const { extent, count, counter } = options;
  const state = await refineOriginal(world, ref, { agent, extent, count, ...(counter ? { counter } : {}) });
  await noteUses(world, ref, state);
  const name = originalName(ref.session);
  const { hash, blocks } = await world.archive.originals.hash(ref.project, name, state.blocks);
  const size = (await world.archive.originals.size(ref.project, name)) ?? 0;
  const record = recordOf(ref, state, source, hash, size);
  if (options.exchanges !== false) await updateExchanges(world, ref.project, record);
  const told = record.metadata.subSessions;
  const { subSessions, beside, known } = await filesBeside(world, ref, told, state.beside, agent);
  const isKnown = JSON.stringify(known) === JSON.stringify(state.beside ?? {});
  if (blocks.length !== state.blocks.length || !isKnown) {
    state.blocks = blocks;
    state.beside = known;
    await saveState(world, ref.project, ref.session, state);
  }
  record.metadata.subSessions = subSessions;
  const now = world.clock.now();
  const { originalFile, ...read } = record;
  // Read from the archive's own copy: where it once came from stays as it is.
  const from = originalFile.startsWith(world.archive.root) ? {} : { originalFile };
  const init = {
    originalFile,
    registeredAt: now,
    lastAccessed: record.lastTimestamp || now,
    registered: true,
    compressions: [],
  };
  return { change: { at: ['sessions', ref.session], merge: { ...read, ...from, beside }, init } };
}

async function absorbBeside(
  world: World,
  ref: SessionRef,
  file: FoundFile,
  beside: FoundFile,
  mode: OriginalsMode,
): Promise<void> {
  const parts = beside.path.slice(file.path.lastIndexOf('.')).split(/[\\/]/).slice(1);
  await world.archive.originals.absorb(
    ref.project,
    [ref.session, ...parts.slice(-2)].join('/'),
    beside.path,
    mode,
  );
}

function eventsOf(
  world: World,
  ref: SessionRef,
  status: IngestedFile['status'],
  absorbed: Absorbed,
  path: string,
): HistoryEvent[] {
  const at = world.clock.now();
  const base = {
    at,
    sessionId: ref.session,
    details: { before: absorbed.before, after: absorbed.after },
  };
  switch (status) {
    case 'new':
      return [{ ...base, action: 'register', note: `First seen: ${path}` }];
    case 'grown':
      return [{ ...base, action: 'grow' }];
    case 'replaced':
      return [
        {
          ...base,
          action: 'replaced',
          note: `All that was archived is kept and its new lines were added, although the file was replaced: ${path}`,
        },
      ];
    default:
      return [];
  }
}
