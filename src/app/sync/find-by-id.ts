import { Fault } from '../../core/model/fault.ts';
import { isUuid, type ProjectId, type SessionId, toSessionId } from '../../core/model/ids.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { locateProject } from '../find/locate-project.ts';
import { findSession } from '../find/session.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { identifyReadable, stem } from '../intake/identify-file.ts';
import { FilePlaces, projectsWith } from '../intake/place-file.ts';
import { unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { findEverywhere, type Targets } from './find-everywhere.ts';

/** `ref` is missing if the file is a subagent's or cannot be identified. */
type Candidate = { file: FoundTranscript; session?: SessionId; ref?: SessionRef; placed: boolean };

/** The agent's files of the session that an id means, else the archive's own copy. */
export async function findById(
  world: World,
  id: string,
  project?: ProjectId,
  strict = false,
): Promise<Targets> {
  toSessionId(id);
  const { files, unreadable } = await findEverywhere(world);
  const fitting = (await candidates(world, files, id)).filter(
    // A file whose lines name no folder may be meant for any project.
    ({ ref, placed }) => !project || ref?.project === project || (!strict && (!ref || !placed)),
  );
  const exact = fitting.filter((it) => it.session === id);
  const found = exact.length > 0 ? exact : fitting;
  const refs = await placesOf(world, found, project);
  if (refs.length > 1) throw ambiguous(id, refs);
  if (refs.length === 1 || (found.length > 0 && found.every((it) => !it.session)))
    return { files: found.map(({ file }) => file), unreadable: [] };
  return archived(world, id, { project, unreadable });
}

/** The session that an id, or its beginning, means: in the archive, turned off before, or one that the agent has a file of. */
export async function sessionMeant(world: World, text: string): Promise<SessionId> {
  const id = toSessionId(text);
  const known = Object.keys((await world.archive.unrecorded.read()).sessions).filter((it) =>
    it.startsWith(id),
  );
  if (known.length === 1) return toSessionId(known[0]!);
  const found = await unlessFault(findSession(world, id), ['not-found']);
  if (found) return found.sessionId;
  const { files } = await findEverywhere(world);
  const sessions = new Set((await candidates(world, files, id)).flatMap(({ session }) => session ?? []));
  const [only, ...others] = sessions;
  if (only !== undefined && others.length === 0) return only;
  // A session that has no file yet is named by its whole id.
  if (sessions.size === 0 && isUuid(id)) return id;
  throw new Fault(
    'not-found',
    sessions.size === 0 ? `No session ${id} found.` : `${id} matches ${sessions.size} sessions.`,
    {
      hint: 'Give the full id; `keepsake sessions` lists them.',
    },
  );
}

/** By name first; half of the files are named otherwise than their session, so the lines decide for the rest. */
async function candidates(world: World, files: FoundTranscript[], id: string): Promise<Candidate[]> {
  const named = files.filter((file) => stem(file.path).includes(id));
  const places = new FilePlaces(world, new Map());
  const found: Candidate[] = [];
  for (const file of named.length > 0 ? named : files) {
    const identity = await identifyReadable(world, file.path);
    if (named.length === 0 && !identity?.session.startsWith(id)) continue;
    if (!identity) found.push({ file, placed: false });
    else if (identity.agentId) found.push({ file, session: identity.session, placed: false });
    else {
      const { seed, session } = await places.placeOf(file, identity);
      const project = seed.project ?? (await locateProject(world, seed.path)).project;
      found.push({ file, session, ref: { project, session }, placed: identity.cwd !== undefined });
    }
  }
  return found;
}

/** Each session that is meant, once; without a project those of the same id that only the archive has, too. */
async function placesOf(world: World, found: Candidate[], project?: ProjectId): Promise<SessionRef[]> {
  const refs = found.flatMap(({ ref }) => (ref ? [ref] : []));
  if (!project) {
    for (const session of new Set(refs.map((ref) => ref.session))) {
      for (const other of await projectsWith(world, session)) refs.push({ project: other, session });
    }
  }
  return [...new Map(refs.map((ref) => [`${ref.project}/${ref.session}`, ref])).values()];
}

type Where = { project: ProjectId | undefined; unreadable: string[] };

/** The agent has deleted its file: the archive's own copy is read again. */
async function archived(world: World, id: string, { project, unreadable }: Where): Promise<Targets> {
  const found = await unlessFault(findSession(world, id, project), ['not-found']);
  if (found) {
    const ref = { project: found.projectId, session: found.sessionId };
    const path = world.archive.originals.path(ref.project, originalName(ref.session));
    const copy = await world.transcripts.inspect(path);
    if (copy && copy !== 'folder') return { files: [copy], unreadable: [], ref };
  }
  const closed = unreadable.length > 0 ? `${unreadable.join(', ')} can't be read. ` : '';
  throw new Fault('not-found', `No session ${id} found in ${world.places.claudeProjects.join(', ')}.`, {
    hint: `${closed}Give the path of its file, or run \`keepsake register --all\`.`,
  });
}

function ambiguous(id: string, refs: SessionRef[]): Fault {
  const list = refs.slice(0, 10).map(({ project, session }) => `  ${session}  --project=${project}`);
  return new Fault('ambiguous', `${JSON.stringify(id)} matches ${refs.length} sessions.`, {
    hint: `Choose one:\n${list.join('\n')}`,
    choices: refs.map(({ project, session }) => ({ projectId: project, sessionId: session })),
  });
}
