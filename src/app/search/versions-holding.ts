import type { VersionLine } from '../../core/compress/write/version-line.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import { fields, type Shaped, text } from '../../core/model/shape.ts';
import { VERSION_LINES, VERSIONS, type VersionHeader, versionFolder } from '../compress/version-files.ts';
import { readStored, readStoredLines } from '../read-stored.ts';
import type { World } from '../world.ts';
import type { SearchHit } from './hits.ts';

type Place = Pick<SearchHit, 'kind' | 'project' | 'sessionId' | 'src'>;

/**
 * For each hit the versions of its session that include its line, by their ids; the original always does. Read from the
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

/** A version and the places in the original of all that it includes. */
type VersionPlaces = { id: string; lines: Set<number> };

async function versionPlaces(world: World, project: ProjectId, folder: string): Promise<VersionPlaces[]> {
  const { value } = await readStored(world, project, `${folder}/versions.json`, VERSIONS);
  const versions = (value?.versions ?? []).filter((it) => listed.wrong(it) === undefined) as Listed[];
  const loaded = versions.map(async ({ versionId, file }): Promise<VersionPlaces> => {
    const lines = await readStoredLines(world, project, `${folder}/${file}.jsonl`, VERSION_LINES);
    return { id: versionId, lines: new Set(lines.flatMap(placesOf)) };
  });
  return Promise.all(loaded);
}

const listed = fields({ versionId: text, file: text });
type Listed = Shaped<typeof listed>;

function placesOf(line: VersionLine | VersionHeader): number[] {
  return !('form' in line) || line.form === 'title' || line.form === 'gap' ? [] : line.src;
}
