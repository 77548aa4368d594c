import { Fault } from '../../core/model/fault.ts';
import { isSessionId, type SessionId, sessionIdFromName } from '../../core/model/ids.ts';
import { IDENTIFY_LINES, type Identity, identify } from '../../core/transcript/identify.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { unlessFault } from '../or-fault.ts';
import type { World } from '../world.ts';

export type FileIdentity = {
  agent: Agent;
  session: SessionId;
  cwd?: string;
  /** The address of its repository, as its lines state it. */
  repository?: string;
  agentId?: string;
  /** It begins with lines that `compose --resume` wrote. */
  isResume?: true;
};

/** Whose session a file is, by its first lines; undefined when no line of it is any agent's. */
export async function identifyFile(world: World, path: string): Promise<FileIdentity | undefined> {
  let known: Identity = { done: false };
  let left = IDENTIFY_LINES;
  await world.transcripts.readLines(path, 0, (line) => {
    known = identify(known, line);
    return known.done || --left === 0 ? 'stop' : true;
  });
  if (known.agent === undefined) return undefined;
  return {
    agent: known.agent,
    session: sessionOf(path, known.agent === 'generic' ? undefined : known.sessionId),
    ...(known.cwd ? { cwd: known.cwd } : {}),
    ...(known.repository ? { repository: known.repository } : {}),
    ...(known.isResume ? { isResume: true } : {}),
    ...(known.agentId ? { agentId: known.agentId } : {}),
  };
}

/** The same of a file that was found, or of the lines that were made of it: what its place says is taken from there. */
export async function identifyFound(
  world: World,
  { path, known = {} }: FoundTranscript,
  lines = path,
): Promise<FileIdentity | undefined> {
  const read = await identifyFile(world, lines);
  if (!read) return undefined;
  return {
    ...read,
    ...(known.session && isSessionId(known.session) ? { session: known.session } : {}),
    ...(known.agentId ? { agentId: known.agentId } : {}),
  };
}

/** The same for a file that need not be readable: the importer reports what is wrong with it. */
export async function identifyReadable(world: World, path: string): Promise<FileIdentity | undefined> {
  return unlessFault(identifyFile(world, path), ['unreadable', 'bad-input']);
}

/** The id in the lines; the file's name only where lines have none. */
function sessionOf(path: string, stated: string | undefined): SessionId {
  if (stated === undefined) return sessionIdFromName(stem(path));
  if (isSessionId(stated)) return stated;
  throw new Fault(
    'bad-input',
    `${path} names ${JSON.stringify(stated.slice(0, 60))} as its session, which is not a session id.`,
    {
      hint: 'Keepsake skipped the file. If it is yours, correct the sessionId in its lines.',
    },
  );
}

export function stem(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.jsonl?$/, '');
}
