import { purgesOf } from '../core/model/change.ts';
import type { Config } from '../core/model/config-defaults.ts';
import type { ProjectId, SessionId } from '../core/model/ids.ts';
import type { Manifest } from '../core/model/manifest.ts';
import { ESTIMATE_COUNTER, estimateTokens } from '../core/text/estimate-tokens.ts';
import type { FoundTranscript } from '../ports/transcripts.ts';
import { readOn, takeInDelta } from './hook-ingest.ts';
import type { HookPlace, HookSession } from './hook-session.ts';
import { identifyFile } from './identify-file.ts';
import { isGone } from './is-gone.ts';
import { FilePlaces } from './place-file.ts';
import { ProjectBook } from './project-book.ts';
import { loadSources } from './source-cache.ts';
import { isSpawned } from './spawned-sessions.ts';
import { takeIn } from './take-in.ts';
import type { World } from './world.ts';

/** Nothing of it was seen yet. */
const UNSEEN = { size: -1, mtimeMs: 0, dev: 0, ino: 0 };

/** Brings the archive up to date with a running session. The first time it is registered, later only followed. */
export async function followSession(
  world: World,
  state: HookSession,
  path: string,
  config: Config,
): Promise<void> {
  const file = await world.transcripts.look(path);
  if (!file || file === 'folder' || file.size === 0) return;
  const place = await placed(world, state, file, config);
  if (!place) return;
  state.place = place;
  if (place.kept === 'registered' && place.recorded === 0) await recordSession(world, place, file, config);
  else await takeInDelta(world, place, file, readingOf(config));
}

/** All of it: own copy, the files beside it, L1, and what the manifest says. */
export async function recordSession(
  world: World,
  place: HookPlace,
  file: FoundTranscript,
  config: Config,
): Promise<void> {
  if (place.kept !== 'registered') return;
  const manifest = (await world.archive.open(place.project))?.manifest;
  if (!manifest || isGone(manifest, place.session)) {
    place.kept = 'gone';
    return;
  }
  const { size, mtimeMs, dev, ino } = file;
  const taken = await takeIn(world, place, place.agent, file, {
    ...readingOf(config),
    count: estimateTokens,
    counter: ESTIMATE_COUNTER,
    seen: place.seen,
  });
  const changes = taken.changes.map((change) => ({ ...change, ...unlessPurged(manifest, place.session) }));
  const known = Object.hasOwn(manifest.sessions, place.session);
  const events = taken.events.filter(({ action }) => !known || action !== 'register');
  await world.archive.change(place.project, changes, events);
  place.stamp = await stampOf(world, place.project);
  place.recorded = size;
  place.seen = { size, mtimeMs, dev, ino };
  await readOn(world, place, readingOf(config));
}

export function readingOf(config: Config): {
  originals: 'copy' | 'link' | 'symlink';
  extent: 'paragraph' | 'message';
} {
  return { originals: config.storage.originals, extent: config.keepit.extent };
}

async function placed(
  world: World,
  state: HookSession,
  file: FoundTranscript,
  config: Config,
): Promise<HookPlace | undefined> {
  const { place } = state;
  if (!place || place.path !== file.path) return firstPlace(world, state.session, file, config);
  const stamp = await stampOf(world, place.project);
  if (stamp !== '' && stamp === place.stamp) return place;
  const manifest = (await world.archive.open(place.project))?.manifest;
  if (!manifest) return firstPlace(world, state.session, file, config);
  const { settings } = manifest;
  return { ...place, stamp, settings, kept: standing(manifest, place.session, config) };
}

async function stampOf(world: World, project: ProjectId): Promise<string> {
  return (await world.archive.stamps()).get(project) ?? '';
}

/** Which session a file is, and where it belongs; the project is made when it is new. */
async function firstPlace(
  world: World,
  session: SessionId,
  file: FoundTranscript,
  config: Config,
): Promise<HookPlace | undefined> {
  if (await isSpawned(world, session)) return undefined;
  const identity = await identifyFile(world, file.path);
  if (!identity || identity.agentId || (await isSpawned(world, identity.session))) return undefined;
  const at = await new FilePlaces(world, await loadSources(world)).placeOf(file, identity);
  const book = new ProjectBook(world);
  const project = await book.project(at.seed);
  const manifest = await book.manifest(project);
  return {
    project,
    session: at.session,
    agent: identity.agent,
    path: file.path,
    seen: UNSEEN,
    stamp: await stampOf(world, project),
    settings: manifest?.settings ?? {},
    kept: standing(manifest, at.session, config),
    recorded: 0,
    indexed: 0,
  };
}

function standing(manifest: Manifest | undefined, session: SessionId, config: Config): HookPlace['kept'] {
  if (manifest && isGone(manifest, session)) return 'gone';
  const known = manifest !== undefined && Object.hasOwn(manifest.sessions, session);
  return known || config.defaults.autoRegisterSessions ? 'registered' : 'archived';
}

function unlessPurged(manifest: Manifest, session: SessionId) {
  return { unless: { purged: session as string, beyond: purgesOf(manifest, session) } };
}
