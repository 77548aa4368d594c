import type { VersionLine } from '../../core/compress/version-line.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import { versionFolder } from '../compress/version-files.ts';
import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';

type Place = Pick<SearchHit, 'kind' | 'project' | 'sessionId' | 'src'>;

/**
 * For each hit the versions of its session that tell its line, by their ids; the original always does. Read from the
 * versions' own files, so that no manifest is opened for it, and only for the sessions that were found.
 */
export async function versionsHolding(world: World, hits: readonly Place[]): Promise<string[][]> {
  const sessions = new Map<string, Promise<VersionPlaces[]>>();
  return Promise.all(
    hits.map(async ({ kind, project, sessionId, src }) => {
      if (kind !== 'turn' || !isSessionId(sessionId)) return [];
      const key = `${project}/${sessionId}`;
      const known = sessions.get(key) ?? versionPlaces(world, project, versionFolder(sessionId));
      sessions.set(key, known);
      return (await known).filter((version) => version.lines.has(src)).map(({ id }) => id);
    }),
  );
}

/** A version and the places in the original of all that it tells. */
type VersionPlaces = { id: string; lines: Set<number> };

async function versionPlaces(world: World, project: ProjectId, folder: string): Promise<VersionPlaces[]> {
  const { files } = world.archive;
  const listed = await files.read(project, `${folder}/versions.json`);
  const versions = listed ? (parsed<Listed>(listed.toString('utf8'))?.versions ?? []) : [];
  const loaded = versions.map(async ({ versionId, file }): Promise<VersionPlaces> => {
    const text = (await files.read(project, `${folder}/${file}.jsonl`))?.toString('utf8') ?? '';
    const lines = text.split('\n').slice(1);
    return { id: versionId, lines: new Set(lines.flatMap((line) => placesOf(parsed<VersionLine>(line)))) };
  });
  return Promise.all(loaded);
}

type Listed = { versions?: { versionId: string; file: string }[] };

function placesOf(line: VersionLine | undefined): number[] {
  return line === undefined || line.form === 'title' || line.form === 'gap' ? [] : line.src;
}

/** What can't be read tells nothing: `verify` is where damage is named. */
function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
