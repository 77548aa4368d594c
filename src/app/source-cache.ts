import type { ProjectId, SessionId } from '../core/model/ids.ts';
import type { Agent } from '../core/transcript/read-line.ts';
import type { FoundTranscript } from '../ports/transcripts.ts';
import type { World } from './world.ts';

const FILE = 'sources.json';

/** What a file was when it was last taken in. Unchanged files are not even opened. */
export type KnownSource = {
  size: number;
  mtimeMs: number;
  dev: number;
  ino: number;
  agent: Agent;
  project: ProjectId;
  session: SessionId;
  beside: string;
};

/** Disposable: without it every file is looked at again. */
export type SourceCache = Map<string, KnownSource>;

export async function loadSources(world: World): Promise<SourceCache> {
  const bytes = await world.archive.files.read(undefined, FILE);
  try {
    return new Map(
      bytes ? (Object.entries(JSON.parse(bytes.toString('utf8'))) as [string, KnownSource][]) : [],
    );
  } catch {
    return new Map();
  }
}

export async function saveSources(world: World, cache: SourceCache): Promise<void> {
  await world.archive.files.write(undefined, FILE, JSON.stringify(Object.fromEntries(cache)));
}

export function isUnchanged(known: KnownSource | undefined, file: FoundTranscript): known is KnownSource {
  return (
    known !== undefined &&
    known.size === file.size &&
    known.mtimeMs === file.mtimeMs &&
    known.dev === file.dev &&
    known.ino === file.ino &&
    known.beside === besideMark(file)
  );
}

export function remember(
  file: FoundTranscript,
  agent: Agent,
  project: ProjectId,
  session: SessionId,
): KnownSource {
  const { size, mtimeMs, dev, ino } = file;
  return { size, mtimeMs, dev, ino, agent, project, session, beside: besideMark(file) };
}

function besideMark(file: FoundTranscript): string {
  const bytes = file.beside.reduce((sum, beside) => sum + beside.size, 0);
  return `${file.beside.length}:${bytes}`;
}
