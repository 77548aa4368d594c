import type { MergedVersions } from '../../core/bundle/merge-versions.ts';
import type { Change } from '../../core/model/change.ts';
import { sha256 } from '../../core/model/sha256.ts';
import type { Part } from '../../core/model/version.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { versionFolder } from '../compress/version-files.ts';
import type { SessionRef } from '../find/session-ref.ts';
import { readTurns } from '../session/read-part.ts';
import type { World } from '../world.ts';
import type { Texts } from './plan.ts';

/** The files of a session's versions in their places, and the records that name them. */
export async function versionChanges(
  world: World,
  { agent, ...ref }: SessionRef & { agent: Agent },
  { parts, versions }: MergedVersions,
  texts: Texts,
): Promise<Change[]> {
  const stored = (await world.archive.open(ref.project))?.manifest.parts[ref.session] ?? [];
  const known = [...stored, ...parts];
  const changes: Change[] = parts.map((append) => ({ at: ['parts', ref.session], append, unique: 'part' }));
  for (const { was, record } of versions) {
    const part = known.find((it) => it.part === record.part);
    const [md, jsonl] = (['md', 'jsonl'] as const).map((ending) => textOf(texts, ref.session, was, ending));
    if (!part || !md || !jsonl) continue;
    // Of what went in here: it may be masked there, and whole here.
    const inputHash = await hashOf(world, ref, agent, part);
    const lines = withInputHash(jsonl, inputHash);
    const base = `${versionFolder(ref.session)}/${record.file}`;
    await world.archive.files.write(ref.project, `${base}.jsonl`, lines);
    await world.archive.files.write(ref.project, `${base}.md`, md);
    const append = { ...record, inputHash, markdownHash: sha256(md), jsonlHash: sha256(lines) };
    changes.push({ at: ['sessions', ref.session, 'compressions'], append, unique: 'versionId' });
  }
  return changes;
}

function textOf(texts: Texts, session: string, version: string, ending: 'md' | 'jsonl'): Buffer | undefined {
  return texts.find(
    ({ file }) =>
      file.kind === 'version' &&
      file.session === session &&
      file.versionId === version &&
      file.ending === ending,
  )?.bytes;
}

async function hashOf(world: World, ref: SessionRef, agent: Agent, part: Part): Promise<string> {
  return (await readTurns(world, { ref, agent, bytes: part.bytes, lines: [] })).hash;
}

/** It is in the first line, which holds everything that is known about the version. */
function withInputHash(jsonl: Buffer, hash: string): Buffer {
  const text = jsonl.toString('utf8');
  const end = text.indexOf('\n');
  const head = text.slice(0, end).replace(/"inputHash":"[0-9a-f]*"/, `"inputHash":"${hash}"`);
  return Buffer.from(head + text.slice(end));
}
