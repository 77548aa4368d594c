import { askFragment } from '../../core/layers/titles/ask-fragment.ts';
import { isUuid, type ProjectId, shortHash } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { SessionStatement } from '../../core/model/statement.ts';
import { ENTRY_ENGINE, type EntryExchange } from '../../core/rolling/entry-body.ts';
import type { SessionOfMemory } from '../../core/rolling/session-entry.ts';
import { sessionExchanges } from '../layers/exchanges.ts';
import { goneMessages, type TrueStatements, trueStatements } from '../layers/standing-statements.ts';
import { updatedStatements } from '../layers/statements.ts';
import type { World } from '../world.ts';
import type { RollingState, SessionCursor } from './state.ts';

/** Characters of an ask in an entry. */
const ASKED = 90;

/** A session whose entries may be out of date. */
export type GrownSession = SessionOfMemory & {
  record: SessionRecord;
  /** A hash of all that its statements say, and of how entries are written. */
  of: string;
  /** Lines that memory.md has, by a cursor of an earlier version or by time; undefined where only entries can say. */
  known: number | undefined;
};

/**
 * Sessions that memory.md does not have as they are now, the oldest first: those that grew, and those of which something is no
 * longer true. `only`: just this one, and without a look at the others.
 */
export async function grownSessions(
  world: World,
  { project, manifest, state, since, only }: DeltaRequest,
): Promise<GrownSession[]> {
  const records = Object.values(manifest.sessions).filter(
    // memory.md is this user's: sessions of others add nothing to it. What an older engine read waits for a sync.
    (it) =>
      it.registered &&
      it.by === undefined &&
      !isOutdated(it) &&
      (only === undefined || it.sessionId === only),
  );
  const all = only === undefined ? await trueStatements(world, project, manifest) : undefined;
  const gone = await goneMessages(world, project, manifest);
  const found: GrownSession[] = [];
  for (const record of inOrder(records)) {
    const { sessionId, l1 } = record;
    const cursor = state.sessions[sessionId];
    const statements = await statementsFor(world, project, record, all);
    const outdated = gone(sessionId);
    const of = shortHash(
      JSON.stringify([
        ENTRY_ENGINE,
        ...statements.map(({ id, text }) => [id, text]),
        ...[...outdated].sort(),
      ]),
      16,
    );
    if (cursor?.bytes === l1.bytes && cursor.of === of) continue;
    const exchanges = (await sessionExchanges(world, project, record)).map(
      ({ l1_range, outcome, files, ask, ts, src }) => ({
        l1_range,
        outcome,
        files,
        ts,
        src,
        // What is no longer true was asked, too: nobody is to take it for what is wanted.
        asked: outdated.has(src) ? '' : (askFragment(withoutPasted(ask), ASKED)?.text ?? ''),
      }),
    );
    found.push({
      record,
      of,
      known: knownLines(record, exchanges, { cursor, since: state.begun ? null : since }),
      session: sessionMark(sessionId),
      lines: l1.lines,
      last: record.lastTimestamp,
      exchanges,
      statements,
    });
  }
  return found;
}

/** An ask without code and quoted lines: they are not what the user asks, and without their signs nobody would see that. */
function withoutPasted(ask: string): string {
  const own = ask
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^[ \t]*>.*$/gm, '')
    // On one line, a quotation behind a colon.
    .replace(/:\s+>\s[\s\S]*$/, ':');
  return own.trim() === '' ? ask : own;
}

type DeltaRequest = {
  project: ProjectId;
  manifest: Manifest;
  state: RollingState;
  /** When memory.md was last brought up to date, as far as its index says. */
  since: string | null;
  only: string | undefined;
};

async function statementsFor(
  world: World,
  project: ProjectId,
  record: SessionRecord,
  all: TrueStatements | undefined,
): Promise<SessionStatement[]> {
  return all ? (all.get(record.sessionId) ?? []) : updatedStatements(world, project, record);
}

/** How many lines memory.md has; undefined where only its entries can say. */
function knownLines(
  { l1 }: SessionRecord,
  exchanges: EntryExchange[],
  { cursor, since }: { cursor: SessionCursor | undefined; since: string | null },
): number | undefined {
  if (!cursor) return exchanges.findLast(({ ts }) => since !== null && ts !== '' && ts <= since)?.l1_range[1];
  if (cursor.lines === undefined && cursor.bytes === l1.bytes) return l1.lines;
  const { src, lines = 0 } = cursor;
  const last = exchanges.findLast((it) => it.src <= src);
  // Another engine may count other lines: the place in the original stays.
  const isSame = last?.src === src && lines >= last.l1_range[0] && lines <= last.l1_range[1];
  return isSame ? lines : last?.l1_range[1];
}

/** How an entry names its session. */
export function sessionMark(sessionId: string): string {
  return isUuid(sessionId) ? sessionId.slice(0, 8) : sessionId;
}

function inOrder(records: SessionRecord[]): SessionRecord[] {
  const key = (record: SessionRecord) => `${record.lastTimestamp} ${record.sessionId}`;
  return [...records].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
