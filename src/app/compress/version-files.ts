import type { VersionLine } from '../../core/compress/version-line.ts';
import { Fault } from '../../core/model/fault.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { Receipt, VersionRecord } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { World } from '../world.ts';

/** Where a session's versions lie, relative to its project's folder in the archive. */
export function versionFolder(session: SessionId): string {
  return `summaries/${session}`;
}

/** The first line of a version's JSONL: all that is known of it but its number and its time. */
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

/** Both files of a version as they stand. */
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
    throw new Fault('unreadable', `The files of ${record.versionId} are gone.`, {
      hint: `\`keepsake verify ${ref.session}\` says what is missing; \`keepsake compress\` makes versions again.`,
    });
  }
  const [first = '', ...rest] = jsonl.toString('utf8').split('\n');
  const lines = rest.filter((line) => line !== '').map((line) => JSON.parse(line) as VersionLine);
  return {
    header: JSON.parse(first) as VersionHeader,
    lines,
    markdown: markdown.toString('utf8'),
    jsonl: jsonl.toString('utf8'),
  };
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
  await world.archive.files.write(ref.project, `${versionFolder(ref.session)}/versions.json`, text);
}

/** Takes a version's two files away. */
export async function removeVersionFiles(world: World, ref: SessionRef, file: string): Promise<void> {
  for (const ending of ['md', 'jsonl'])
    await world.archive.files.remove(ref.project, `${versionFolder(ref.session)}/${file}.${ending}`);
}
