import type { VersionLine } from '../../core/compress/write/version-line.ts';
import { Fault } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { parseStoredLine, parseStoredLines } from '../../core/model/parse-stored.ts';
import {
  anything,
  either,
  fields,
  figure,
  list,
  object,
  oneOf,
  type Shape,
  text,
} from '../../core/model/shape.ts';
import type { Receipt, VersionRecord } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { damageText, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

/** Where a session's versions are, relative to its project's folder in the archive. */
export function versionFolder(session: SessionId): string {
  return `summaries/${session}`;
}

export function versionsFile(session: SessionId): string {
  return `${versionFolder(session)}/versions.json`;
}

/** `versions.json`, its records not looked at yet: one that is damaged must not hide the others. */
export const VERSIONS: StoredKind<{ parts?: unknown[]; versions?: unknown[]; pruned?: unknown[] }> = {
  schema: fields({}, { parts: list(anything), versions: list(anything), pruned: list(anything) }),
  damaged: 'The manifest has the same data; the next `keepsake compress` rewrites the file.',
};

/** The first line of a version's JSONL: everything that is known about it but its number and its time. */
export type VersionHeader = {
  keepsake: 'version';
  format: 1;
  sessionId: string;
  receipt: Receipt;
} & Omit<
  VersionRecord,
  'versionId' | 'file' | 'createdAt' | 'markdownHash' | 'jsonlHash' | 'sourceVersion'
> & { bytes: [number, number]; messages: [number, number] };

export type VersionContent = {
  header: VersionHeader;
  lines: VersionLine[];
  markdown: string;
  jsonl: string;
};

const headerShape = object<VersionHeader>(['receipt']);
const versionLineShape: Shape<VersionLine> = fields(
  {
    form: oneOf('title', 'ask', 'said', 'tool', 'code', 'kept', 'gap'),
    role: oneOf('user', 'assistant', 'tool', 'system'),
    text,
    ts: text,
    l1: list(figure),
    src: list(figure),
    exchange: text,
  },
  {
    name: text,
    kept: list(text),
    weight: figure,
    frame: oneOf('plain', 'none'),
    abandoned: oneOf(true),
    diff: oneOf(true),
  },
);
/** All lines of a version's JSONL. */
export const VERSION_LINES: StoredKind<VersionHeader | VersionLine> = {
  schema: either(versionLineShape, headerShape),
  damaged: '`keepsake verify` shows which version it is and how to rebuild it.',
  derived: true,
};

/** Both files of a version as they are. */
export async function readVersion(
  world: World,
  ref: SessionRef,
  record: VersionRecord,
): Promise<VersionContent> {
  const base = `${versionFolder(ref.session)}/${record.file}`;
  const [markdown, jsonl] = await Promise.all(
    ['md', 'jsonl'].map((ending) => world.archive.files.read(ref.project, `${base}.${ending}`)),
  );
  if (!markdown || !jsonl) {
    throw new Fault('unreadable', `The files of ${record.versionId} are missing.`, {
      hint: `\`keepsake verify ${ref.session}\` shows what is missing; \`keepsake compress\` makes new versions.`,
    });
  }
  const text = jsonl.toString('utf8');
  const end = text.indexOf('\n') + 1;
  const header = parseStoredLine(text.slice(0, end), headerShape);
  const { values, damaged } = parseStoredLines(text.slice(end), versionLineShape);
  if (header.state === 'damaged') damaged.unshift({ line: 0, why: header.why });
  if (!text.endsWith('\n')) damaged.push({ line: values.length + 1, why: 'its end is missing' });
  if (header.state === 'damaged' || damaged.length > 0) {
    const why = damageText(damaged.map((it) => ({ ...it, line: it.line + 1 })));
    throw new Fault('corrupt', `${base}.jsonl is damaged (${why}).`, {
      hint: `Delete it, then compress again: \`keepsake prune ${ref.session} ${record.versionId}\`.`,
    });
  }
  return { header: header.value, lines: values, markdown: markdown.toString('utf8'), jsonl: text };
}

/** `versions.json`: what the manifest says of a session's versions, beside their files. */
export async function writeVersionsFile(world: World, ref: SessionRef, manifest: Manifest): Promise<void> {
  const record = manifest.sessions[ref.session];
  if (!record) return;
  const { sessionId, originalFile, originalTokens, originalMessages, compressions, pruned } = record;
  const content = {
    sessionId,
    originalFile,
    originalTokens,
    originalMessages,
    parts: manifest.parts[ref.session] ?? [],
    versions: compressions,
    ...(pruned ? { pruned } : {}),
  };
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await world.archive.files.write(ref.project, versionsFile(ref.session), text);
}

/** Takes a version's two files away. */
export async function removeVersionFiles(world: World, ref: SessionRef, file: string): Promise<void> {
  for (const ending of ['md', 'jsonl'])
    await world.archive.files.remove(ref.project, `${versionFolder(ref.session)}/${file}.${ending}`);
}
