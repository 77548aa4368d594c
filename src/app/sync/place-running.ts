import type { Config } from '../../core/model/config-defaults.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isGone } from '../find/is-gone.ts';
import { isKeptOut } from '../find/recording.ts';
import { isUnusedComposition } from '../intake/composed-only.ts';
import { identifyFile } from '../intake/identify-file.ts';
import { FilePlaces } from '../intake/place-file.ts';
import { ProjectBook } from '../intake/project-book.ts';
import { loadSources } from '../intake/source-cache.ts';
import { isSpawned } from '../model/spawned-sessions.ts';
import type { World } from '../world.ts';
import { type HookPlace, type HookSession, stampOf } from './running-session.ts';

/** Where a session belongs, and whether the user still wants it; undefined for what is no session to keep. */
export async function placeRunning(
  world: World,
  { place, session }: HookSession,
  file: FoundTranscript,
  config: Config,
): Promise<HookPlace | undefined> {
  if (place?.path !== file.path) return firstPlace(world, session, file, config);
  const stamp = await stampOf(world, place.project);
  const manifest = (await world.archive.open(place.project))?.manifest;
  if (!manifest) return firstPlace(world, session, file, config);
  const { settings, sessions } = manifest;
  const { name } = sessions[place.session] ?? {};
  return { ...place, stamp, settings, kept: keptAs(manifest, place.session, config), name };
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
  if (await isUnusedComposition(world, identity, file.path)) return undefined;
  const at = await new FilePlaces(world, await loadSources(world)).placeOf(file, identity);
  const { seed } = at;
  if (await isKeptOut(world, { session: at.session, cwd: identity.cwd ?? seed.path, project: seed.project }))
    return undefined;
  const book = new ProjectBook(world);
  const project = await book.project(at.seed);
  const manifest = await book.manifest(project);
  return {
    project,
    session: at.session,
    agent: identity.agent,
    path: file.path,
    stamp: await stampOf(world, project),
    settings: manifest?.settings ?? {},
    kept: keptAs(manifest, at.session, config),
    recorded: 0,
  };
}

function keptAs(manifest: Manifest | undefined, session: SessionId, config: Config): HookPlace['kept'] {
  if (manifest && isGone(manifest, session)) return 'gone';
  const known = manifest !== undefined && Object.hasOwn(manifest.sessions, session);
  return known || config.defaults.autoRegisterSessions ? 'registered' : 'archived';
}
