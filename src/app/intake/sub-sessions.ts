import type { ProjectId } from '../../core/model/ids.ts';
import type { BesideFile, SessionMetadata } from '../../core/model/session.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { stem } from './identify-file.ts';
import type { KnownBeside } from './session-state.ts';

type SubSession = SessionMetadata['subSessions'][number];

export type FilesBeside = {
  subSessions: SubSession[];
  beside: BesideFile[];
  /** To be handed in next time. */
  known: Record<string, KnownBeside>;
};

type BesideRequest = {
  /** Subagents that the session's own lines mention. */
  named: SubSession[];
  before: Record<string, KnownBeside> | undefined;
  agent: Agent;
};

/** What belongs to a session: its subagents, mentioned in its lines or with their own file, and other files. */
export async function filesBeside(
  world: World,
  ref: SessionRef,
  { named, before = {}, agent }: BesideRequest,
): Promise<FilesBeside> {
  const subs = new Map(named.map((sub) => [sub.agentId, sub]));
  const beside: BesideFile[] = [];
  const known: Record<string, KnownBeside> = Object.create(null);
  const there = await world.archive.originals.list(ref.project, ref.session);
  // One that was lost stays on record, so that `verify` misses it.
  for (const name of new Set([...there, ...Object.keys(before)])) {
    const isSub = name.startsWith(`${ref.session}/subagents/`) && name.endsWith('.jsonl');
    const seen = Object.hasOwn(before, name) ? before[name] : undefined;
    const path = world.archive.originals.path(ref.project, name);
    const count = isSub ? () => countMessages(world, agent, path) : undefined;
    const {
      bytes,
      hash,
      messages = 0,
    } = await inspectCopy(world, { project: ref.project, name }, seen, count);
    known[name] = { bytes, hash, ...(isSub ? { messages } : {}) };
    const file = `originals/${name}`;
    const agentId = stem(name).replace(/^agent-/, '');
    if (isSub) subs.set(agentId, { ...subs.get(agentId), agentId, file, bytes, messages, hash });
    else beside.push({ file, bytes, hash });
  }
  return { subSessions: [...subs.values()], beside, known };
}

/** Copies only ever grow: one of the same size is the same, or damaged, and then its first hash must stay. */
async function inspectCopy(
  world: World,
  { project, name }: { project: ProjectId; name: string },
  seen: KnownBeside | undefined,
  count?: () => Promise<number>,
): Promise<KnownBeside> {
  const { originals } = world.archive;
  // Before the hash: what is added in between makes it grow, and it is looked at again.
  const bytes = await originals.size(project, name);
  if (seen && (bytes === undefined || bytes === seen.bytes)) return seen;
  const { hash } = await originals.hash(project, name);
  return {
    bytes: bytes ?? 0,
    hash,
    ...(count ? { messages: await count() } : {}),
  };
}

async function countMessages(world: World, agent: Agent, path: string): Promise<number> {
  let messages = 0;
  await world.transcripts.readLines(path, 0, (line, at, last) => {
    const reading = readLine(agent, line, at, last);
    for (const { entries } of reading.objects) {
      if (entries.some((entry) => entry.kind === 'user' || entry.kind === 'assistant')) messages++;
    }
    return !reading.bad;
  });
  return messages;
}
