import { type L1Line, readL1Line } from '../../core/model/l1.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { type Agent, readLine } from '../../core/transcript/read-line.ts';
import { writeTalk } from '../../core/transcript/talk/write-talk.ts';
import type { MaskedPlace } from '../bundle/export-files.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';

/** Whether a session is here without its original: only its talk came. */
export function isLight({ metadata }: Pick<SessionRecord, 'metadata'>): boolean {
  return metadata.agent === 'talk';
}

/** What was said in a session, as a file: its refined lines, each with the id of its message. */
export async function talkFile(
  world: World,
  { projectId }: Manifest,
  record: SessionRecord,
): Promise<Buffer> {
  const { l1, metadata } = record;
  const path = world.archive.originals.path(projectId, originalName(record.sessionId));
  if (isLight(record)) return wholeFile(world, path);
  const stored = l1.file === '' ? undefined : await world.archive.files.read(projectId, l1.file);
  const lines = (stored?.toString('utf8') ?? '').split('\n').flatMap((line) => readL1Line(line) ?? []);
  const { agent, cwd, claudeVersion: version, gitBranch: branch, title } = metadata;
  return writeTalk(
    { agent, cwd, version, branch, title },
    lines,
    await messageIds(world, path, { agent, lines }),
  );
}

async function messageIds(
  { transcripts }: World,
  path: string,
  { agent, lines }: { agent: string; lines: readonly L1Line[] },
): Promise<Map<number, string>> {
  const wanted = new Set(lines.map(({ src }) => src));
  const ids = new Map<number, string>();
  await transcripts.readLines(path, 0, (line, at, last) => {
    if (!wanted.has(at)) return true;
    const id = readLine(agent as Agent, line, at, last).objects[0]?.entries[0]?.id;
    if (id) ids.set(at, id);
    return true;
  });
  return ids;
}

async function wholeFile({ sessionFiles }: World, path: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of sessionFiles.read(path)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The messages that a file of talk holds, by their ids: titles and the room that a purge leaves differ by machine. */
export async function talkMessages(world: World, path: string): Promise<ReadonlySet<string>> {
  return messagesOf(await wholeFile(world, path));
}

/** The same of what was said in a session here. */
export async function ownMessages(
  world: World,
  manifest: Manifest,
  record: SessionRecord,
): Promise<ReadonlySet<string>> {
  return messagesOf(await talkFile(world, manifest, record));
}

function messagesOf(talk: Buffer): Set<string> {
  const lines = talk.toString('utf8').split('\n').slice(1, -1);
  return new Set(
    lines.map((line) => String((parseOutside(line) as { id?: unknown } | undefined)?.id ?? line)),
  );
}

const REDACTED = /(.{0,30})\[redacted:[^\]]*\](.{0,15})/g;

/** Refined lines were masked when they were made. */
export function redactedPlaces(talk: Buffer): MaskedPlace[] {
  const lines = talk.toString('utf8').split('\n');
  return lines.flatMap((text, index) =>
    [...text.matchAll(REDACTED)].map(([, before, behind]) => ({
      line: index + 1,
      around: `${before}[masked]${behind}`,
    })),
  );
}
