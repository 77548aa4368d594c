import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openArchive } from '../../src/adapters/archive-fs/open-archive.ts';
import type { Manifest } from '../../src/core/model/manifest.ts';
import { sha256 } from '../../src/core/model/sha256.ts';

/** Everything that a user made or requested, one entry each, and what is wrong with how it is stored. */
export type Kept = {
  entries: Set<string>;
  manifests: Manifest[];
  notes: string[];
  /** Beginnings of entries that an interrupted retention run or undo deletes when a sync finishes it. */
  going: string[];
};

/** Without what is derived from originals, since that can be rebuilt. */
export async function keptEntries(root: string): Promise<Kept> {
  const kept: Kept = { entries: new Set(), manifests: [], notes: [], going: [] };
  const archive = openArchive(root, { now: () => '2026-06-01T00:00:00.000Z' });
  for (const project of await archive.projects()) {
    const opened = await archive.open(project);
    // A folder made for a first change that did not happen.
    if (!opened) continue;
    kept.manifests.push(opened.manifest);
    kept.notes.push(...opened.notes.map((note) => `${project}: ${note}`));
    for (const entry of entriesOf(opened.manifest)) kept.entries.add(`${project} ${entry}`);
    const run = await archive.files.read(project, 'decay/run.json');
    if (run)
      kept.going.push(...goingBy(JSON.parse(String(run)), opened.manifest).map((it) => `${project} ${it}`));
    for (const name of ['project', 'lessons', 'workflow']) {
      const note = await archive.files.read(project, `memory/${name}.md`);
      if (note) kept.entries.add(`${project} note ${name} ${sha256(note)}`);
    }
  }
  await archive.close();
  for (const name of ['config.json', 'unrecorded.json'])
    if (existsSync(join(root, name))) kept.entries.add(`${name} ${readFileSync(join(root, name), 'utf8')}`);
  return kept;
}

function* entriesOf(manifest: Manifest): Iterable<string> {
  for (const [id, record] of Object.entries(manifest.sessions)) {
    yield `session ${id} ${record.registered === false ? 'out' : 'in'}`;
    for (const { versionId, jsonlHash } of record.compressions)
      yield `version ${id} ${versionId} ${jsonlHash}`;
  }
  for (const { name, compositionId } of Object.values(manifest.compositions) as {
    name: string;
    compositionId: string;
  }[])
    yield `composition ${name} ${compositionId}`;
  for (const { linkId } of manifest.links) yield `link ${linkId}`;
  for (const { id } of manifest.tombstones) yield `tombstone ${id}`;
  for (const edits of [manifest.overlays, manifest.factEdits, manifest.conceptEdits, manifest.fieldEdits])
    for (const edit of edits ?? []) yield `edit ${JSON.stringify(edit)}`;
}

type Run = {
  state: string;
  at: string;
  create: { sessionId: string; part: number }[];
  prune: { sessionId: string; version: { versionId: string } }[];
};

/** Forwards, an interrupted run deletes what it planned to; backwards, what it made. */
function goingBy({ state, at, create, prune }: Run, { sessions }: Manifest): string[] {
  if (state === 'running')
    return prune.map(({ sessionId, version }) => `version ${sessionId} ${version.versionId} `);
  if (state !== 'undoing') return [];
  return create.flatMap(({ sessionId, part }) =>
    (sessions[sessionId]?.compressions ?? [])
      .filter((version) => version.part === part && version.createdAt >= at)
      .map(({ versionId }) => `version ${sessionId} ${versionId} `),
  );
}

/** Ids of the messages in the archive's copies. */
export function messagesKept(root: string): Set<string> {
  const found = new Set<string>();
  for (const project of list(join(root, 'projects')))
    for (const file of list(join(root, 'projects', project, 'originals')))
      if (file.endsWith('.jsonl'))
        for (const id of messagesIn(join(root, 'projects', project, 'originals', file))) found.add(id);
  return found;
}

/** Message ids in one file of whole lines. */
export function messagesIn(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/"uuid":"([^"]+)"[^\n]*\n/g)].map(([, id]) => id!);
}

/** Files of the archive, without the lock, that contain one of these words. */
export function filesHolding(root: string, words: string[]): string[] {
  if (words.length === 0) return [];
  const held: string[] = [];
  for (const { name, parentPath } of readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (it) => it.isFile(),
  )) {
    if (/^lock\.sqlite/.test(name) || parentPath.includes('compiled')) continue;
    const bytes = readFileSync(join(parentPath, name));
    const word = words.find((it) => bytes.includes(it));
    if (word !== undefined) held.push(`${word} in ${join(parentPath, name).slice(root.length + 1)}`);
  }
  return held;
}

function list(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
