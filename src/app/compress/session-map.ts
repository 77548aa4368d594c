import { exchangesOf } from '../../core/layers/exchanges/exchanges.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { VersionRecord } from '../../core/model/version.ts';
import {
  type Happening,
  happeningsIn,
  type SessionBlock,
  type SessionMark,
  sessionBlocks,
  sessionMarks,
  shareKind,
  type TokenShare,
  type TokenSpan,
  tokenShares,
  versionShareKind,
} from '../../core/stats/session-map.ts';
import { readL1 } from '../find/read-l1.ts';
import { readLinesOf } from '../find/read-lines-of.ts';
import type { SessionRow } from '../find/sessions.ts';
import { rest } from '../in-steps.ts';
import { sessionExchanges } from '../layers/exchanges.ts';
import { currentStatements } from '../layers/statements.ts';
import { eachCounted } from '../session/read-part.ts';
import { readSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { readVersion } from './version-files.ts';

export type SessionMap = {
  sessionId: string;
  projectId: string;
  blocks: SessionBlock[];
  marks: SessionMark[];
  /** What the original's tokens are, and what those of the shortest version of each part are. */
  original: TokenShare[];
  compressed: { versions: string[]; shares: TokenShare[] } | null;
};

/** Its exchanges over time and what happened in them, without what needs the whole original. Writes nothing. */
export async function stripOfSession(world: World, row: SessionRow): Promise<SessionMap> {
  const lines = await readL1(world, row);
  const strip = await blocksAndMarks(world, row, { lines, end: row.originalBytes });
  return { sessionId: row.sessionId, projectId: row.projectId, ...strip, original: [], compressed: null };
}

/** A map of a session: its exchanges over time, what happened in them, what its tokens are used for. Writes nothing. */
export async function mapSession(world: World, row: SessionRow, signal?: AbortSignal): Promise<SessionMap> {
  const ref = { project: row.projectId, session: row.sessionId };
  const source = await readSource(world, ref);
  const { state, count } = source;
  const { file, bytes } = state.l1;
  const lines = await readLinesOf(world, ref, { file, bytes: [0, bytes], first: 1 });
  const spans: TokenSpan[] = [];
  const stretch = { ref, agent: state.agent, bytes: [0, state.offset] as const, lines };
  await eachCounted(world, stretch, count, (entry, tokens, tool) => {
    const share = shareKind(entry, tool);
    if (share) spans.push({ src: entry.src[0], ...share, tokens });
  });
  await rest(signal);
  const read = { lines: lines.map(({ line }) => line), end: state.offset, spans };
  const strip = await blocksAndMarks(world, row, read);
  const original = tokenShares(spans);
  await rest(signal);
  return {
    sessionId: row.sessionId,
    projectId: row.projectId,
    ...strip,
    original,
    compressed: await compressedShares(),
  };

  async function compressedShares(): Promise<SessionMap['compressed']> {
    const chosen = shortestOfEachPart(source.record.compressions);
    if (chosen.length === 0) return null;
    const tools = original.flatMap(({ kind, tool }) => (kind === 'output' && tool ? [tool] : []));
    const shares: TokenShare[] = [];
    for (const record of chosen) {
      const { lines } = await readVersion(world, ref, record);
      const own = lines.map((line) => ({ ...versionShareKind(line), tokens: count(line.text) }));
      // Headings and joints between the lines are tokens of the version, too.
      const between = record.outputTokens - own.reduce((sum, { tokens }) => sum + tokens, 0);
      shares.push(...own, { kind: 'notes', tokens: Math.max(0, between) });
    }
    return { versions: chosen.map(({ versionId }) => versionId), shares: tokenShares(shares, tools) };
  }
}

type ReadSession = { lines: L1Line[]; end: number; spans?: TokenSpan[] };

async function blocksAndMarks(
  world: World,
  row: SessionRow,
  read: ReadSession,
): Promise<Pick<SessionMap, 'blocks' | 'marks'>> {
  const records = await sessionExchanges(world, row.projectId, row);
  const byId = new Map(records.map((record) => [record.id, record]));
  const exchanges = exchangesOf(row.sessionId, read.lines).flatMap((exchange) => {
    const record = byId.get(exchange.id);
    return record ? [{ ...record, ...exchange }] : [];
  });
  const blocks = sessionBlocks(exchanges, read);
  const happened = [...happeningsIn(exchanges, read.lines), ...(await meant(world, row))];
  return { blocks, marks: sessionMarks(blocks, happened, read.end) };
}

/** Keepits and decisions, by the places of their words. */
async function meant(world: World, row: SessionRow): Promise<Happening[]> {
  const keepits = row.keepitMarkers
    .filter(({ held }) => !held)
    .map(({ src, content }) => ({ kind: 'keepit' as const, src, text: content }));
  const statements = await currentStatements(world, row.projectId, row);
  const decisions = statements
    .filter(({ kind, tier }) => kind === 'decision' && tier === 'shown')
    .map(({ quotes, text }) => ({ kind: 'decision' as const, src: quotes[0]?.src ?? 0, text }));
  return [...keepits, ...decisions];
}

function shortestOfEachPart(records: readonly VersionRecord[]): VersionRecord[] {
  const parts = new Map<number, VersionRecord>();
  for (const record of records) {
    const known = parts.get(record.part);
    if (!known || record.outputTokens < known.outputTokens) parts.set(record.part, record);
  }
  return [...parts.values()].sort((a, b) => a.part - b.part);
}
