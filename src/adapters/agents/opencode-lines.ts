import type { FoundTranscript } from '../../ports/transcripts.ts';
import { isJson, type Json } from './json-value.ts';

const GROWS = /^(?:summary|tokens|cost|time_updated|time_compacting)/;

export type MessageRow = { id: string; data: Json; parts: { id: string; data: Json }[] };

/**
 * A session as the archive keeps it: one line for itself, one for each part of a message in its order, one for each
 * message that is complete. What is still being written is held back with all that follows, unless the session ended.
 */
export function* sessionLines(
  session: Json,
  messages: Iterable<MessageRow>,
  isEnded: boolean,
): Generator<Json> {
  yield { opencode: 'session', row: stableSession(session) };
  for (const { id, data, parts } of messages) {
    const time = isJson(data.time) ? data.time : {};
    const isDone = data.role === 'user' || time.completed !== undefined || data.error !== undefined;
    const model = isJson(data.model) ? data.model.modelID : data.modelID;
    const of = {
      message: id,
      role: data.role,
      at: time.created,
      ...(typeof model === 'string' ? { model } : {}),
      ...(data.summary === true ? { summary: true } : {}),
    };
    for (const part of parts) {
      if (!isEnded && !isDone && !isSettled(part.data)) return;
      yield { opencode: 'part', ...of, row: { ...part.data, id: part.id } };
    }
    if (!isEnded && !isDone) return;
    yield { opencode: 'message', row: { ...data, id } };
  }
}

/** Without fields that change with every message; the title appears once it is set. */
function stableSession(session: Json): Json {
  const lasting = Object.entries(session).filter(([key]) => !GROWS.test(key));
  const row: Json = Object.fromEntries(lasting);
  return isJson(row.time) ? { ...row, time: { created: row.time.created } } : row;
}

function isSettled(part: Json): boolean {
  if (part.type === 'tool') {
    const status = isJson(part.state) ? part.state.status : undefined;
    return status !== 'pending' && status !== 'running';
  }
  if (part.type !== 'text' && part.type !== 'reasoning') return true;
  return isJson(part.time) && part.time.end !== undefined;
}

/** Of a session that another one started, that one is known. */
export function knownOf(session: unknown, cwd: unknown): NonNullable<FoundTranscript['known']> {
  return {
    session: typeof session === 'string' ? session : undefined,
    cwd: typeof cwd === 'string' ? cwd : undefined,
  };
}
