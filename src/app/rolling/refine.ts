import type { Change } from '../../core/model/change.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { originalName } from '../find/session-ref.ts';
import { readingOf } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { dropState } from '../intake/session-state.ts';
import { filesDerivedFrom } from '../layers/statements.ts';
import type { World } from '../world.ts';

const REFINED = 'memory/sessions';
const BATCH = 50;

export type RefineProgress = {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
  current?: string;
};
export type RefineMemoryOptions = { onProgress?: (progress: RefineProgress) => void; signal?: AbortSignal };
export type Refined = { sessions: number; lines: number; bytes: number; missing: string[] };

/** The sums over several folders. */
export function refinedInAll(each: Refined[]): Refined {
  const sum = (of: (one: Refined) => number) => each.reduce((total, one) => total + of(one), 0);
  return {
    sessions: sum((one) => one.sessions),
    lines: sum((one) => one.lines),
    bytes: sum((one) => one.bytes),
    missing: each.flatMap((one) => one.missing),
  };
}

const MOST_ROUNDS = 4;

/** Makes L1 of every session again, from its original; once more if someone purged a text of one meanwhile. */
export async function refineAll(
  world: World,
  project: ProjectId,
  options: RefineMemoryOptions = {},
): Promise<Refined> {
  const purges = async () => (await world.archive.open(project))?.manifest.tombstones.length;
  for (let round = 1; ; round++) {
    const before = await purges();
    const done = await refineOnce(world, project, options);
    if (round === MOST_ROUNDS || (await purges()) === before) return done;
  }
}

async function refineOnce(world: World, project: ProjectId, options: RefineMemoryOptions): Promise<Refined> {
  const opened = await world.archive.open(project);
  const records = Object.values(opened?.manifest.sessions ?? {});
  const reading = await readingOf(world, project);
  const totalBytes = records.reduce((sum, record) => sum + record.originalBytes, 0);
  const done: Refined = { sessions: 0, lines: 0, bytes: 0, missing: [] };
  let changes: Change[] = [];
  let bytes = 0;
  const write = async () => {
    if (changes.length > 0) await world.archive.change(project, changes);
    changes = [];
  };
  for (const [at, record] of records.entries()) {
    if (options.signal?.aborted) break;
    const session = record.sessionId;
    options.onProgress?.({ done: at, total: records.length, bytes, totalBytes, current: session });
    bytes += record.originalBytes;
    if ((await world.archive.originals.size(project, originalName(session))) === undefined) {
      done.missing.push(session);
      continue;
    }
    const ref = { project, session };
    await dropState(world, ref);
    const { originalFile, metadata } = record;
    const agent = metadata.agent as Agent;
    const change = await sessionChange(world, ref, { agent, originalFile, ...reading });
    changes.push(change);
    const { l1 } = change.merge as Pick<SessionRecord, 'l1'>;
    done.sessions++;
    done.lines += l1.lines;
    done.bytes += l1.bytes;
    if (changes.length >= BATCH) await write();
  }
  await write();
  options.onProgress?.({ done: records.length, total: records.length, bytes, totalBytes });
  options.signal?.throwIfAborted();
  return done;
}

export type Deduped = {
  /** Removed: all they say is in the session's own file. */
  removed: string[];
  /** Set aside: they say something else. Their names in the project's folder of the archive. */
  aside: string[];
};

/** Refined files that are of a session which has another one. The one that the manifest names stays. */
export async function dedupeRefined(world: World, project: ProjectId): Promise<Deduped> {
  const opened = await world.archive.open(project);
  const records = Object.values(opened?.manifest.sessions ?? {});
  const named = new Set(records.map((record) => record.l1.file));
  const done: Deduped = { removed: [], aside: [] };
  const { files } = world.archive;
  for (const name of await files.list(project, REFINED)) {
    const file = `${REFINED}/${name}`;
    if (!name.endsWith('.l1.jsonl') || named.has(file)) continue;
    const record = records.find(({ sessionId }) => isOf(name, sessionId));
    if (!record || record.l1.file === '') continue;
    const bytes = (await files.read(project, file)) ?? Buffer.alloc(0);
    const own = (await files.read(project, record.l1.file)) ?? Buffer.alloc(0);
    if (own.subarray(0, bytes.length).equals(bytes)) done.removed.push(file);
    else {
      await files.write(project, `aside/${name}`, bytes);
      done.aside.push(`aside/${name}`);
    }
    await files.remove(project, file);
    // The layer above it was made from it.
    for (const derived of filesDerivedFrom(file)) await files.remove(project, derived);
  }
  return done;
}

/** `2026-01-05_0142_847ff7d2.l1.jsonl`, or with the whole id. */
function isOf(name: string, sessionId: string): boolean {
  const id = name.replace(/\.l1\.jsonl$/, '').replace(/^\d{4}-\d\d-\d\d_\d{4,6}_/, '');
  return id === sessionId || id === sessionId.slice(0, 8);
}
