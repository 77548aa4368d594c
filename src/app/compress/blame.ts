import { layout } from '../../core/compress/write/layout.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { readLine } from '../../core/transcript/read-line.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { readVersion } from './version-files.ts';
import { findVersion } from './versions.ts';

/** Where a piece of a version comes from. Bytes are of the archived original, end exclusive. */
export type BlameOrigin = {
  messageUuid: string | null;
  role: string;
  ts: string;
  bytes: [number, number];
  l1Line: number;
};

export type BlamedLine = { line: number; text: string; origins: BlameOrigin[]; keepits: string[] };

export type Blame = {
  sessionId: string;
  projectId: string;
  versionId: string;
  original: string;
  lines: BlamedLine[];
};

type AgentSession = SessionRef & { agent: Agent };

/** Each line of a version's Markdown with the messages and bytes that it is made from. */
export async function blame(
  world: World,
  session: AgentSession,
  version: string,
  range?: [number, number],
): Promise<Blame> {
  const { agent: _, ...ref } = session;
  const record = await findVersion(world, ref, version);
  const { lines, markdown } = await readVersion(world, ref, record);
  const { lineOf } = layout(lines);
  const texts = markdown.replace(/\n$/, '').split('\n');
  const [first, last] = range ?? [1, texts.length];
  if (first < 1 || last < first || first > texts.length) {
    throw new Fault('usage', `${record.versionId} has lines 1 to ${texts.length}.`);
  }
  const cache = new Map<number, Promise<Omit<BlameOrigin, 'l1Line'>>>();
  const place = (src: number) => {
    const known = cache.get(src) ?? originAt(world, session, src);
    cache.set(src, known);
    return known;
  };
  const blamed: BlamedLine[] = [];
  for (let line = first; line <= Math.min(last, texts.length); line++) {
    const made = lines[lineOf[line - 1] ?? -1];
    const origins = (made?.src ?? []).map(async (src, at) => ({
      ...(await place(src)),
      // A call that nothing answered has no line in L1.
      l1Line: Math.max(0, made?.l1[at] ?? made?.l1.at(-1) ?? 0),
    }));
    blamed.push({
      line,
      text: texts[line - 1]!,
      origins: await Promise.all(origins),
      keepits: made?.kept ?? [],
    });
  }
  const original = world.archive.originals.path(ref.project, originalName(ref.session));
  return {
    sessionId: ref.session,
    projectId: ref.project,
    versionId: record.versionId,
    original,
    lines: blamed,
  };
}

/** The message at a byte of the original. */
async function originAt(
  world: World,
  { agent, project, session }: AgentSession,
  src: number,
): Promise<Omit<BlameOrigin, 'l1Line'>> {
  const path = world.archive.originals.path(project, originalName(session));
  const origin: Omit<BlameOrigin, 'l1Line'> = { messageUuid: null, role: '', ts: '', bytes: [src, src] };
  await world.transcripts.readLines(path, src, (line, at, last) => {
    origin.bytes = [src, at + line.length];
    const entry = readLine(agent, line, at, last).objects[0]?.entries[0];
    if (entry) {
      origin.messageUuid = entry.id === '' ? null : entry.id;
      origin.role = entry.origin;
      origin.ts = entry.ts;
    }
    return 'stop';
  });
  return origin;
}
