import { Fault } from '../../core/model/fault.ts';
import { toSessionId } from '../../core/model/ids.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { startsExchange } from '../../core/model/l1.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { readL1 } from '../find/read-l1.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { readTurns } from './read-part.ts';
import { originalOf, type SessionDetails } from './show.ts';

/** A line of L1; of a call, with what the original says beyond it. */
export type WholeLine = L1Line & {
  line: number;
  input?: Record<string, unknown>;
  output?: string;
  messageId?: string;
};

/** One line of a session, counted from 1, in full: for a call its input and output, without secrets. */
export async function showLine(world: World, session: SessionDetails, at: number): Promise<WholeLine> {
  const lines = await readL1(world, session);
  const line = lines[at - 1];
  if (!line)
    throw new Fault('not-found', `No line ${at}: the session has ${lines.length}.`, {
      hint: 'Lines are counted from 1.',
    });
  if (line.role !== 'tool') {
    const messageId = line.id ?? (await messageIdAt(world, session, line.src));
    return { line: at, ...line, ...(messageId === '' ? {} : { messageId }) };
  }
  await originalOf(world, session);
  // Calls of one message can be on one line of the original, and their results before the next ask.
  const first = lines.findIndex(({ src }) => src === line.src);
  const next = lines.findIndex((it, index) => index >= at && startsExchange(it));
  const own = lines.slice(first, next === -1 ? undefined : next);
  const { turns } = await readTurns(world, {
    ref: { project: session.projectId, session: session.sessionId } as SessionRef,
    agent: session.metadata.agent as Agent,
    bytes: [line.src, next === -1 ? Number.POSITIVE_INFINITY : lines[next]!.src],
    lines: own.map((it, index) => ({ line: it, from: 0, at: first + 1 + index })),
  });
  const detail = turns[at - 1 - first]?.detail;
  return {
    line: at,
    ...line,
    ...(detail?.input === undefined ? {} : { input: detail.input }),
    ...(detail?.output === undefined ? {} : { output: detail.output }),
  };
}

/** The id that the agent gave to the message at a place of the original; empty if it has none. */
async function messageIdAt(world: World, session: SessionDetails, src: number): Promise<string> {
  const { projectId, sessionId, metadata } = session;
  const path = world.archive.originals.path(projectId, originalName(toSessionId(sessionId)));
  let id = '';
  await world.transcripts.readLines(path, src, (line, at, last) => {
    const [first] = readLine(metadata.agent as Agent, line, at, last).objects;
    id = first?.entries[0]?.id ?? '';
    return 'stop';
  });
  return id;
}
