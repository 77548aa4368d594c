import { settingsName } from '../../core/compress/compress-settings.ts';
import type { Change } from '../../core/model/change.ts';
import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { type Part, type VersionRecord, versionId } from '../../core/model/version.ts';
import type { SessionRef } from '../find/session-ref.ts';
import type { NewPart, SourcePart } from '../session/parts.ts';
import { isTooOld, purgedMeanwhile } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import type { MadeVersion } from './make-version.ts';
import { removeVersionFiles, versionFolder, writeVersionsFile } from './version-files.ts';

const MOST_TRIES = 50;

export type StoredVersion = {
  record: VersionRecord /** It existed already, byte for byte. */;
  existed: boolean;
};

/**
 * Files first, then the record. Two at once never share a number: the files are made only where there are none, and a
 * record only where its id is free. The same settings over the same bytes give the existing version.
 */
export async function storeVersion(
  world: World,
  { source, part }: SourcePart,
  made: MadeVersion,
  sourceVersion?: string,
): Promise<StoredVersion> {
  const { ref } = source;
  let { manifest } = source;
  let passed = 0;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const record = manifest.sessions[ref.session];
    if (!record) throw new Fault('not-found', 'The session was purged while this command ran.');
    const same = record.compressions.find(
      (it) =>
        it.part === part.part && it.jsonlHash === made.jsonlHash && it.markdownHash === made.markdownHash,
    );
    if (same) return { record: same, existed: true };
    const known = manifest.parts[ref.session]?.find((it) => it.part === part.part);
    if (known && (known.bytes[0] !== part.bytes[0] || known.bytes[1] !== part.bytes[1])) {
      throw new Fault('conflict', `Another process made part ${part.part} at the same time.`, {
        hint: 'Run the command again.',
      });
    }
    const number = freeNumber(record, part.part, made.jsonlHash, passed);
    const next = nextRecord(world, { part: part.part, number }, made, sourceVersion);
    if (!(await writeFiles(world, ref, next.file, made))) {
      passed++;
      continue;
    }
    if (await isTooOld(world, source.purged, made)) {
      await removeUnnamed(world, ref, next.file);
      throw purgedMeanwhile();
    }
    const guard = { purged: ref.session, beyond: purgesOf(manifest, ref.session) };
    const changes: Change[] = [
      { at: ['parts', ref.session], append: partRecord(part, next.createdAt), unique: 'part', unless: guard },
      {
        at: ['sessions', ref.session, 'compressions'],
        append: next,
        unique: 'versionId',
        unless: guard,
      },
    ];
    const note = `${next.versionId}: ${next.inputTokens} to ${next.outputTokens} tokens`;
    await world.archive.change(ref.project, changes, [
      { at: next.createdAt, action: 'compress', sessionId: ref.session, note },
    ]);
    manifest = (await world.archive.open(ref.project))?.manifest ?? manifest;
    const stored = manifest.sessions[ref.session]?.compressions.find((it) => it.versionId === next.versionId);
    if (stored?.file === next.file && stored.jsonlHash === next.jsonlHash) {
      if (await isTooOld(world, source.purged, made)) {
        const { versionId, jsonlHash } = next;
        await world.archive.change(ref.project, [
          { at: ['sessions', ref.session, 'compressions'], without: { versionId, jsonlHash } },
        ]);
        await removeUnnamed(world, ref, next.file);
        throw purgedMeanwhile();
      }
      await writeVersionsFile(world, ref, manifest);
      return { record: stored, existed: false };
    }
    await removeUnnamed(world, ref, next.file);
    passed = 0;
  }
  throw new Fault('busy', 'Too many other processes are compressing this session.', {
    hint: 'Try again in a moment.',
  });
}

/** Takes a version's files away where no record names them: another process may have made the same ones. */
async function removeUnnamed(world: World, ref: SessionRef, file: string): Promise<void> {
  const record = (await world.archive.open(ref.project))?.manifest.sessions[ref.session];
  if (!record?.compressions.some((it) => it.file === file)) await removeVersionFiles(world, ref, file);
}

/** One that no other bytes ever had: compositions know versions by their number. */
function freeNumber(session: SessionRecord, part: number, jsonlHash: string, passed: number): number {
  const own = ({ versionId: id }: { versionId: string }) => id.startsWith(`part${part}_`);
  const pruned = (session.pruned ?? []).filter(own);
  const again = pruned.find((it) => it.jsonlHash === jsonlHash);
  if (again && passed === 0) return numberOf(again);
  return Math.max(0, ...session.compressions.filter(own).map(numberOf), ...pruned.map(numberOf)) + 1 + passed;
}

function numberOf(version: { versionId: string }): number {
  return Number(version.versionId.split('_v')[1] ?? 0);
}

function partRecord(part: NewPart, createdAt: string): Part {
  return { ...part, createdAt };
}

function nextRecord(
  world: World,
  { part, number }: { part: number; number: number },
  made: MadeVersion,
  sourceVersion: string | undefined,
): VersionRecord {
  const id = versionId(part, number);
  return {
    versionId: id,
    part,
    file: `${id}_${settingsName(made.facts.settings)}_${sizeName(made.facts.outputTokens)}`,
    createdAt: world.clock.now(),
    ...made.facts,
    markdownHash: made.markdownHash,
    jsonlHash: made.jsonlHash,
    ...(sourceVersion === undefined ? {} : { sourceVersion }),
  };
}

/** `170t`, `12k`: tokens as a file name shows them. */
function sizeName(tokens: number): string {
  return tokens < 1000 ? `${tokens}t` : `${Math.round(tokens / 1000)}k`;
}

/** False when other bytes are under that name. What a killed run left is the same bytes, and serves. */
async function writeFiles(world: World, ref: SessionRef, file: string, made: MadeVersion): Promise<boolean> {
  const { files } = world.archive;
  for (const [ending, text] of [
    ['jsonl', made.jsonl],
    ['md', made.markdown],
  ] as const) {
    const name = `${versionFolder(ref.session)}/${file}.${ending}`;
    if (await files.create(ref.project, name, text)) continue;
    const existing = await files.read(ref.project, name);
    if (!existing?.equals(Buffer.from(text))) return false;
  }
  return true;
}
