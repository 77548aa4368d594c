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
import { readLinesOf } from '../find/read-lines-of.ts';
import type { SessionRow } from '../find/sessions.ts';
import { rest } from '../in-steps.ts';
import { fullExchanges } from '../layers/read.ts';
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

/** A session to look at: its exchanges along time, what happened in them, what its tokens are. Writes nothing. */
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
  const exchanges = await fullExchanges(world, row);
  const said = lines.map(({ line }) => line);
  const blocks = sessionBlocks(exchanges, said, spans);
  const happened = [...happeningsIn(exchanges, said), ...(await meant(world, row))];
  const original = tokenShares(spans);
  await rest(signal);
  return {
    sessionId: row.sessionId,
    projectId: row.projectId,
    blocks,
    marks: sessionMarks(blocks, happened, state.offset),
    original,
    compressed: await compressedShares(),
  };

  async function compressedShares(): Promise<SessionMap['compressed']> {
    const chosen = shortestOfEachPart(source.record.compressions);
    if (chosen.length === 0) return null;
    const tools = original.flatMap(({ kind, tool }) => (kind === 'output' && tool ? [tool] : []));
    const shares: TokenShare[] = [];
    for (const record of chosen)
      for (const line of (await readVersion(world, ref, record)).lines)
        shares.push({ ...versionShareKind(line), tokens: count(line.text) });
    return { versions: chosen.map(({ versionId }) => versionId), shares: tokenShares(shares, tools) };
  }
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
