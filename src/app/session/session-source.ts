import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Part } from '../../core/model/version.ts';
import { loadTokenCounter, type TokenCounter } from '../../core/text/tokens.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readState, refineOriginal } from '../intake/refine-original.ts';
import { changeFrom } from '../intake/session-change.ts';
import type { SessionState } from '../intake/session-state.ts';
import type { World } from '../world.ts';
import { type PurgedThen, purgedThen } from './purged-since.ts';

/** All that versions of a session are made from: its record, its parts, how far it was read. */
export type SessionSource = {
  ref: SessionRef;
  manifest: Manifest;
  record: SessionRecord;
  parts: Part[];
  state: SessionState;
  config: Config;
  count: TokenCounter;
  /** What was purged before any of it was read. */
  purged: PurgedThen;
};

/** Reads what hooks read since the last sync, so that record, L1 and copy agree. */
export async function openSource(world: World, ref: SessionRef): Promise<SessionSource> {
  const { config, manifest, record } = await load(world, ref);
  const [count, purged] = [await loadTokenCounter(), purgedThen([manifest])];
  const agent = record.metadata.agent as Agent;
  const options = { agent, extent: config.keepit.extent, count };
  const state = await refineOriginal(world, ref, options);
  const isSame = state.l1.bytes === record.l1.bytes && state.l1.file === record.l1.file;
  if (isSame && hasSameKeepits(state, record))
    return { ref, manifest, record, parts: manifest.parts[ref.session] ?? [], state, config, count, purged };
  const { originalFile } = record;
  await world.archive.change(ref.project, [await changeFrom(world, ref, state, { originalFile })]);
  const fresh = await load(world, ref);
  return { ref, ...fresh, parts: fresh.manifest.parts[ref.session] ?? [], state, count, purged };
}

/** A change of `keepit.extent` gives the same lines and longer or shorter keepits. */
function hasSameKeepits({ markers }: SessionState, { keepitMarkers }: SessionRecord): boolean {
  if (markers.length !== keepitMarkers.length) return false;
  return markers.every(({ content }, place) => content === keepitMarkers[place]?.content);
}

/** The same as it is, for who only looks: writes nothing. What hooks estimated may still be an estimate. */
export async function readSource(world: World, ref: SessionRef): Promise<SessionSource> {
  const { config, manifest, record } = await load(world, ref);
  const state = await stateAsRecorded(world, ref, record, config);
  const parts = manifest.parts[ref.session] ?? [];
  const [count, purged] = [await loadTokenCounter(), purgedThen([manifest])];
  return { ref, manifest, record, parts, state, config, count, purged };
}

/** How far a session was read. Writes nothing. */
export async function stateAsRecorded(
  world: World,
  ref: SessionRef,
  { metadata, l1 }: SessionRecord,
  { keepit }: Config,
): Promise<SessionState> {
  const state = await readState(world, ref, { agent: metadata.agent as Agent, extent: keepit.extent });
  // Two sessions of one minute whose ids begin alike: only the record knows which file is whose.
  return l1.file === '' ? state : { ...state, l1: { ...state.l1, file: l1.file } };
}

async function load(
  world: World,
  ref: SessionRef,
): Promise<{ config: Config; manifest: Manifest; record: SessionRecord }> {
  const opened = await world.archive.open(ref.project);
  const record = opened?.manifest.sessions[ref.session];
  if (!opened || !record)
    throw new Fault('not-found', `No session ${JSON.stringify(ref.session)}.`, {
      hint: '`keepsake sessions` lists them.',
    });
  const { config } = await world.settings.resolve(opened.manifest.settings);
  return { config, manifest: opened.manifest, record };
}
