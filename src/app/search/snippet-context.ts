import type { ProjectId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { lineText } from '../../core/search/documents/session.ts';
import { readL1 } from '../find/read-l1.ts';
import { loadState } from '../intake/session-state.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';

/** The refined lines around a hit, in order. */
export type HitContext = { before: L1Line[]; line: L1Line; after: L1Line[] };

type Refined = SessionRecord['l1'];

/** Lines on each side of a hit. */
const REACH = 3;

/** What is around a hit in its session; undefined when its session has changed since it was found. */
export async function contextOf(world: World, hit: SearchHit): Promise<HitContext | undefined> {
  const lines = await linesOf(world, hit);
  const [first, last] = hit.exchange.range;
  const isIt = (line: L1Line, at: number) =>
    line.src === hit.src && at >= first - 1 && at < last && lineText(line) === hit.text;
  const at = lines.findIndex(isIt);
  const line = lines[at];
  if (line === undefined) return undefined;
  return {
    before: lines.slice(Math.max(0, at - REACH), at),
    line,
    after: lines.slice(at + 1, at + 1 + REACH),
  };
}

/** The whole exchange that a hit came from. */
export async function exchangeOfHit(world: World, hit: SearchHit): Promise<L1Line[]> {
  const [first, last] = hit.exchange.range;
  return (await linesOf(world, hit)).slice(first - 1, last);
}

async function linesOf(world: World, hit: SearchHit): Promise<L1Line[]> {
  const opened = await ifReadable(world.archive.open(hit.project));
  const record = opened?.manifest.sessions[hit.sessionId];
  if (record === undefined) return [];
  const l1 = await refinedOf(world, hit.project, record);
  return (await ifReadable(readL1(world, { projectId: hit.project, l1 }), world.report)) ?? [];
}

/** A running session is indexed before the manifest hears of it. */
async function refinedOf(
  world: World,
  project: ProjectId,
  { sessionId, l1: known }: SessionRecord,
): Promise<Refined> {
  const state = await loadState(world, { project, session: sessionId });
  return state && state.l1.file === known.file && state.l1.bytes > known.bytes ? state.l1 : known;
}
