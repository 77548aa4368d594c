import { isSameName } from '../../core/compose/composition-name.ts';
import type { Change } from '../../core/model/change.ts';
import type { ComposedContextRecord } from '../../core/model/composition.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { isTooOld, purgedMeanwhile, purgedThen } from '../session/purged-since.ts';
import type { World } from '../world.ts';
import { removeComposed, settleComposed, stageComposed, unstageComposed } from './files.ts';
import type { ComposedText } from './text.ts';

type NewRecord = Omit<ComposedContextRecord, 'compositionId' | 'createdAt' | 'usedInSessions'>;
type Content = { text: ComposedText; jsonl: string; force: boolean };

/**
 * Files aside, then the record with the time of last use of each of its sessions, then the files under their names. Cut
 * off anywhere, what was there before is whole or what is new is.
 */
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
  const { name } = record;
  const taken = await takenNames(world, home, name);
  if (taken.length > 0 && !force) throw takenMeanwhile(taken[0]!);
  const { outputFormat } = record.request ?? { outputFormat: 'both' };
  const files = {
    ...(outputFormat === 'jsonl' ? {} : { md: text.markdown }),
    ...(outputFormat === 'markdown' ? {} : { jsonl }),
    json: `${JSON.stringify({ ...record, segments: segmentsOf(text) }, null, 2)}\n`,
  };
  await stageComposed(world, home, record, files);
  const then = purgedThen(text.members.map(({ member }) => member.manifest));
  const isPurged = () => isTooOld(world, then, { markdown: text.markdown, jsonl });
  if (await isPurged()) {
    await unstageComposed(world, home, record);
    throw purgedMeanwhile();
  }
  const others = taken.filter((other) => other !== name);
  const used = sessionsOf(text);
  const usesOf = (sessions: string[]): Change[] =>
    sessions.map((session) => ({ at: ['sessions', session], merge: { lastAccessed: createdAt } }));
  await world.archive.change(
    home,
    [
      ...others.map((other) => ({ at: ['compositions', other], drop: true as const })),
      // Of two made at once without force the first one is kept.
      force
        ? { at: ['compositions', name], put: record }
        : { at: ['compositions'], init: { [name]: record } },
      ...usesOf(used.get(home) ?? []),
    ],
    [
      {
        at: createdAt,
        action: 'compose',
        note: `${name}: ${record.components.length} sessions, ${record.totalTokens} tokens`,
        details: { composition: name, sessions: record.components.length, tokens: record.totalTokens },
      },
    ],
  );
  const { manifest } = (await world.archive.open(home)) ?? {};
  if (!force && manifest?.compositions[name]?.compositionId !== record.compositionId) {
    await unstageComposed(world, home, record);
    throw takenMeanwhile(name);
  }
  await settleComposed(world, home, record, { texts: files, others });
  if (await isPurged()) {
    const now = (await world.archive.open(home))?.manifest.compositions[name];
    // Another process may have put its own in the place of ours, which it checks itself.
    if (now?.compositionId === record.compositionId) {
      await world.archive.change(home, [{ at: ['compositions', name], drop: true }]);
      await removeComposed(world, home, name);
    }
    throw purgedMeanwhile();
  }
  for (const [project, sessions] of used)
    if (project !== home) await world.archive.change(project, usesOf(sessions));
  return record;
}

async function takenNames(world: World, home: ProjectId, name: string): Promise<string[]> {
  const existing = (await world.archive.open(home))?.manifest.compositions ?? {};
  return Object.keys(existing).filter((other) => isSameName(other, name));
}

function takenMeanwhile(name: string): Fault {
  return new Fault('conflict', `A composition named ${JSON.stringify(name)} was created meanwhile.`, {
    hint: 'Add --force to replace it.',
    canForce: true,
  });
}

/** Only sessions that are included were used. */
function sessionsOf({ members }: ComposedText): Map<ProjectId, string[]> {
  const used = new Map<ProjectId, string[]>();
  for (const { member, rendered } of members) {
    if (rendered.every(({ text }) => text.markdown === '')) continue;
    used.set(member.ref.project, [...(used.get(member.ref.project) ?? []), member.ref.session]);
  }
  return used;
}

/** All that each text was made with: enough to make it again. */
function segmentsOf({ members }: ComposedText) {
  return members.flatMap(({ member, share, rendered }) =>
    rendered.map(({ writer, text }) => ({
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
