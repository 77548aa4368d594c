import {
  isProjectId,
  type ProjectId,
  type SessionId,
  sanitizePath,
  sessionIdFromName,
} from '../../core/model/ids.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { locateProject } from '../find/locate-project.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';
import { type FileIdentity, identifyReadable, stem } from './identify-file.ts';
import type { ProjectSeed } from './project-book.ts';
import type { SourceCache } from './source-cache.ts';

export type Place = { seed: ProjectSeed; session: SessionId };

/** Where the files of one run belong. */
export class FilePlaces {
  readonly #world: World;
  readonly #sources: SourceCache;
  readonly #cwdOfFolder = new Map<string, Promise<string | undefined>>();

  constructor(world: World, sources: SourceCache) {
    this.#world = world;
    this.#sources = sources;
  }

  /** Where it was archived before; else the first `cwd` in its lines, in those of its neighbors, or the folder's name. */
  async placeOf(file: FoundTranscript, identity: FileIdentity): Promise<Place> {
    const found = await this.#seedOf(file, identity);
    const stated = identity.agentId ? undefined : identity.repository;
    const seed = stated === undefined ? found : { ...found, repository: stated };
    const kept = await this.#kept(file, identity, seed);
    if (!kept) return { seed, session: identity.session };
    return {
      seed: { ...seed, path: identity.cwd ?? '', project: kept.project },
      session: kept.session,
    };
  }

  async #seedOf(file: FoundTranscript, { cwd, agentId }: FileIdentity): Promise<ProjectSeed> {
    // A subagent may work elsewhere: its file is with its session anyway.
    if (cwd && !agentId) return { path: cwd };
    if (file.home?.cwd) return { path: file.home.cwd };
    if (file.home) return { path: '', project: sanitizePath(file.home.name) };
    const path = (await this.#cwdBeside(file.path)) ?? cwd;
    return path ? { path } : { path: '', project: folderProject(file.path) };
  }

  /** A session that was archived stays in its project, even if its lines name another now. */
  async #kept(
    file: FoundTranscript,
    identity: FileIdentity,
    seed: ProjectSeed,
  ): Promise<SessionRef | undefined> {
    if (identity.agentId) return undefined;
    const known = this.#sources.get(file.path);
    if (known?.session && known.project && !('sub' in known)) {
      const grown = known.ino === file.ino && known.dev === file.dev && known.size <= file.size;
      const named = known.session === sessionIdFromName(stem(file.path)) && grown;
      if ((known.session === identity.session || named) && (await this.#world.archive.head(known.project)))
        return { project: known.project, session: known.session };
    }
    const ids = new Set([identity.session, sessionIdFromName(stem(file.path))]);
    const own = seed.project ?? (await locateProject(this.#world, seed.path)).project;
    if (await this.#hasCopy(own, identity.session)) return undefined;
    for (const session of ids) {
      for (const project of await projectsWith(this.#world, session)) {
        const opened = await ifReadable(this.#world.archive.open(project));
        const record = opened?.manifest.sessions[session];
        if (record?.originalFile === file.path) return { project, session };
      }
    }
    return undefined;
  }

  async #hasCopy(project: ProjectId, session: SessionId): Promise<boolean> {
    return (await this.#world.archive.originals.size(project, originalName(session))) !== undefined;
  }

  #cwdBeside(path: string): Promise<string | undefined> {
    const folder = folderOf(path);
    let cwd = this.#cwdOfFolder.get(folder);
    if (!cwd) {
      cwd = cwdOf(this.#world, folder);
      this.#cwdOfFolder.set(folder, cwd);
    }
    return cwd;
  }
}

/** The projects that hold a copy of a session of this id. */
export async function projectsWith(world: World, session: SessionId): Promise<ProjectId[]> {
  const projects = await world.archive.projects();
  const sizes = await Promise.all(
    projects.map((project) => world.archive.originals.size(project, originalName(session))),
  );
  return projects.filter((_, index) => sizes[index] !== undefined);
}

/** The `cwd` that gave the folder its name, else the only one that the sessions in it name. */
async function cwdOf(world: World, folder: string): Promise<string | undefined> {
  const found = new Set<string>();
  for (const name of (await world.machine.list(folder)).sort()) {
    if (!name.endsWith('.jsonl')) continue;
    const identity = await identifyReadable(world, `${folder}/${name}`);
    if (!identity?.cwd || identity.agentId) continue;
    if (sanitizePath(identity.cwd) === lastPart(folder)) return identity.cwd;
    found.add(identity.cwd);
  }
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** The agent names a project's folder by its path, made plain; the path itself is not known by that. */
function folderProject(path: string): ProjectId {
  const name = lastPart(folderOf(path)) || 'unknown';
  return isProjectId(name) ? name : sanitizePath(name);
}

export function folderOf(path: string): string {
  return path.replace(/[\\/]+[^\\/]*$/, '');
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? '';
}
