import { createHash } from 'node:crypto';
import { type ProjectId, type SessionId, secondSessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { originalName } from '../find/session-ref.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

type Known = { byPath: Map<string, SessionId>; taken: Set<SessionId> };

/** Chats are named after their files, and many files are called alike: each keeps the name it got first. */
export class ChatNames {
  readonly #world: World;
  readonly #known = new Map<ProjectId, Known>();

  constructor(world: World) {
    this.#world = world;
  }

  async nameOf(
    project: ProjectId,
    manifest: Manifest | undefined,
    wanted: SessionId,
    file: FoundTranscript,
  ): Promise<SessionId> {
    const known = this.#known.get(project) ?? knownOf(manifest);
    this.#known.set(project, known);
    const name = known.byPath.get(file.path) ?? (await this.#free(project, known, wanted, file.path));
    known.byPath.set(file.path, name);
    known.taken.add(name);
    return name;
  }

  async #free(project: ProjectId, { taken }: Known, wanted: SessionId, path: string): Promise<SessionId> {
    if (!taken.has(wanted)) return wanted;
    const copy = this.#world.archive.originals.path(project, originalName(wanted));
    // Its copy may be lost; then nothing shows that they are the same chat.
    const same = await ifReadable(isSameChat(this.#world, copy, path));
    return same ? wanted : secondSessionId(wanted, path);
  }
}

function knownOf(manifest: Manifest | undefined): Known {
  const records = Object.values(manifest?.sessions ?? {});
  return {
    byPath: new Map(records.map((record) => [record.originalFile, record.sessionId])),
    taken: new Set(records.map((record) => record.sessionId)),
  };
}

/** One is the beginning of the other. */
async function isSameChat(world: World, one: string, other: string): Promise<boolean> {
  const [a, b] = [
    await digest(world, one, Number.POSITIVE_INFINITY),
    await digest(world, other, Number.POSITIVE_INFINITY),
  ];
  if (a.lines === b.lines) return a.hash === b.hash;
  const [shorter, longer] = a.lines < b.lines ? [a, other] : [b, one];
  return (await digest(world, longer, shorter.lines)).hash === shorter.hash;
}

async function digest(world: World, path: string, most: number): Promise<{ lines: number; hash: string }> {
  const hash = createHash('sha256');
  let lines = 0;
  if (most > 0) {
    await world.transcripts.readLines(path, 0, (line, _, last) => {
      // Cut off in the middle, it says nothing yet.
      if (last && !line.toString('utf8').trimEnd().endsWith('}')) return false;
      hash.update(line).update('\n');
      return ++lines === most ? 'stop' : true;
    });
  }
  return { lines, hash: hash.digest('hex') };
}
