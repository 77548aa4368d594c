import { isSameName } from '../core/compose/composition-name.ts';
import type { ComposedContextRecord } from '../core/model/composition.ts';
import { Fault } from '../core/model/fault.ts';
import type { ProjectId } from '../core/model/ids.ts';
import type { Change } from '../core/model/manifest.ts';
import type { ComposedText } from './compose-text.ts';
import type { World } from './world.ts';

type NewRecord = Omit<ComposedContextRecord, 'compositionId' | 'createdAt' | 'usedInSessions'>;
type Content = { text: ComposedText; jsonl: string; force: boolean };

/** Files first, then the record and, as it was used, the time of last use of each of its sessions. */
export async function storeComposition(
  world: World,
  home: ProjectId,
  fresh: NewRecord,
  { text, jsonl, force }: Content,
): Promise<ComposedContextRecord> {
  const createdAt = world.clock.now();
  const record: ComposedContextRecord = {
    compositionId: world.random.uuid(),
    createdAt,
    usedInSessions: [],
    ...fresh,
  };
  const standing = (await world.archive.open(home))?.manifest.compositions ?? {};
  const taken = Object.keys(standing).filter((name) => isSameName(name, record.name));
  if (taken.length > 0 && !force)
    throw new Fault('conflict', `There is a composition ${JSON.stringify(taken[0])} by now.`, {
      hint: 'Add --force to put this one in its place.',
    });
  const { files } = world.archive;
  const { outputFormat } = record.request ?? { outputFormat: 'both' };
  for (const name of taken) if (name !== record.name) await removeComposedFiles(world, home, name);
  if (outputFormat !== 'jsonl') await files.write(home, fileOf(record.name, 'composed.md'), text.markdown);
  else await files.remove(home, fileOf(record.name, 'composed.md'));
  if (outputFormat !== 'markdown') await files.write(home, fileOf(record.name, 'composed.jsonl'), jsonl);
  else await files.remove(home, fileOf(record.name, 'composed.jsonl'));
  const details = { ...record, segments: segmentsOf(text) };
  await files.write(home, fileOf(record.name, 'composition.json'), `${JSON.stringify(details, null, 2)}\n`);
  const used = sessionsOf(text);
  for (const [project, sessions] of used) {
    const changes: Change[] = sessions.map((session) => ({
      at: ['sessions', session],
      merge: { lastAccessed: createdAt },
    }));
    if (project !== home) await world.archive.change(project, changes);
  }
  await world.archive.change(
    home,
    [
      ...taken
        .filter((name) => name !== record.name)
        .map((name) => ({ at: ['compositions', name], drop: true as const })),
      { at: ['compositions', record.name], put: record },
      ...(used.get(home) ?? []).map((session) => ({
        at: ['sessions', session],
        merge: { lastAccessed: createdAt },
      })),
    ],
    [
      {
        at: createdAt,
        action: 'compose',
        note: `${record.name}: ${record.components.length} sessions, ${record.totalTokens} tokens`,
      },
    ],
  );
  return record;
}

/** Only sessions that are told were used. */
function sessionsOf({ members }: ComposedText): Map<ProjectId, string[]> {
  const used = new Map<ProjectId, string[]>();
  for (const { member, told } of members) {
    if (told.every(({ text }) => text.markdown === '')) continue;
    used.set(member.ref.project, [...(used.get(member.ref.project) ?? []), member.ref.session]);
  }
  return used;
}

/** All that each text was made with: enough to make it again. */
function segmentsOf({ members }: ComposedText) {
  return members.flatMap(({ member, share, told }) =>
    told.map(({ writer, text }) => ({
      sessionId: member.ref.session,
      part: writer.segment.part.part,
      bytes: writer.segment.part.bytes,
      share,
      from: typeof text.from === 'string' ? text.from : text.from.versionId,
      tokens: text.tokens,
      reason: text.reason,
      ...(text.settings ? { settings: text.settings } : {}),
    })),
  );
}

export function fileOf(name: string, file: string): string {
  return `composed/${name}/${file}`;
}

export async function removeComposedFiles(world: World, project: ProjectId, name: string): Promise<void> {
  for (const file of ['composed.md', 'composed.jsonl', 'composition.json'])
    await world.archive.files.remove(project, fileOf(name, file));
}
