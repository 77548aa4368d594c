import type { SessionMetadata } from '../core/model/session.ts';
import { readLine } from '../core/transcript/read-line.ts';
import { stem } from './identify-file.ts';
import type { SessionRef } from './session-ref.ts';
import type { World } from './world.ts';

type SubSession = SessionMetadata['subSessions'][number];

/** The subagents of a session: those told of in its own lines, and those with a file of their own. */
export async function subSessionsOf(
  world: World,
  ref: SessionRef,
  told: SubSession[],
): Promise<SubSession[]> {
  const known = new Map(told.map((sub) => [sub.agentId, sub]));
  const folder = `${ref.session}/subagents/`;
  for (const original of await world.archive.originals.list(ref.project, ref.session)) {
    if (!original.startsWith(folder) || !original.endsWith('.jsonl')) continue;
    const agentId = stem(original).replace(/^agent-/, '');
    const bytes = (await world.archive.originals.size(ref.project, original)) ?? 0;
    const messages = await countMessages(world, world.archive.originals.path(ref.project, original));
    known.set(agentId, { ...known.get(agentId), agentId, file: `originals/${original}`, bytes, messages });
  }
  return [...known.values()];
}

async function countMessages(world: World, path: string): Promise<number> {
  let messages = 0;
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    const reading = readLine('claude-code', line, at, last);
    for (const { entries } of reading.objects) {
      if (entries.some((entry) => entry.kind === 'user' || entry.kind === 'assistant')) messages++;
    }
    return !reading.bad;
  });
  return messages;
}
