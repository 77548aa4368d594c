import { purgesOf } from '../../core/model/change.ts';
import { isSessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { PurgedText } from '../../core/model/purge-mask.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import { sessionTitle } from '../../core/model/session-title.ts';
import { canBeMadeAgain } from '../../core/retention/rules.ts';
import type { Agent } from '../../core/transcript/read-line.ts';
import { makeVersion } from '../compress/make-version.ts';
import { storeVersion } from '../compress/store-version.ts';
import { removeVersionFiles, writeVersionsFile } from '../compress/version-files.ts';
import { originalName, type SessionRef } from '../find/session-ref.ts';
import { readingOf } from '../intake/reading.ts';
import { sessionChange } from '../intake/session-change.ts';
import { dropState } from '../intake/session-state.ts';
import { filesDerivedFrom } from '../layers/statements.ts';
import { ifPossible } from '../or-fault.ts';
import { openSource } from '../session/session-source.ts';
import type { World } from '../world.ts';
import { addToOpen, readOpen } from './open-purge.ts';
import { removeAsides } from './sweep.ts';

/** Overwrites the texts in a project's own copies. Gives the sessions that held them, those of a purge cut off too. */
export async function cleanOriginals(
  world: World,
  manifest: Manifest,
  texts: PurgedText[],
  /** Files that hold them. */
  found: string[],
): Promise<SessionRef[]> {
  const project = manifest.projectId;
  const { originals } = world.archive;
  const folder = originals.path(project, 'any.jsonl').slice(0, -'/any.jsonl'.length);
  const touched = new Set((await readOpen(world, project))?.sessions);
  const links = await linkedSessions(world, manifest);
  const own = found.filter((path) => path.startsWith(folder));
  for (const path of own) {
    const [first = ''] = path.slice(folder.length + 1).split(/[\\/]/);
    const session = first.replace(/\.jsonl(\.link)?$/, '');
    if (isSessionId(session)) touched.add(session);
  }
  for (const { sessionId } of links) touched.add(sessionId);
  if (touched.size === 0) return [];
  // Once a copy is clean nobody sees any more that what was made from it is not.
  await addToOpen(world, project, { sessions: [...touched] });
  for (const { sessionId, originalFile } of links) {
    // Only a link so far: it becomes a copy without the texts.
    const name = originalName(sessionId);
    await ifPossible(originals.absorb(project, name, { path: originalFile }, 'copy'), world.report);
  }
  await world.archive.wipe(texts, { overwrite: true, only: own });
  return [...touched]
    .filter((session) => Object.hasOwn(manifest.sessions, session))
    .map((session) => ({ project, session }));
}

async function linkedSessions(world: World, { projectId, sessions }: Manifest): Promise<SessionRecord[]> {
  const linked: SessionRecord[] = [];
  for (const record of Object.values(sessions)) {
    const name = originalName(record.sessionId);
    const path = world.archive.originals.path(projectId, name);
    if (await world.machine.isLink(path)) linked.push(record);
  }
  return linked;
}

/** All that is derived from a session's copy, made from it again. */
export async function rebuildSession(world: World, manifest: Manifest, ref: SessionRef): Promise<void> {
  const record = manifest.sessions[ref.session];
  if (!record) return;
  const { project, session } = ref;
  await dropState(world, ref);
  await removeAsides(world, project, session);
  if (record.l1.file !== '') {
    await world.archive.files.remove(project, record.l1.file);
    for (const file of filesDerivedFrom(record.l1.file)) await world.archive.files.remove(project, file);
  }
  const { originalFile, metadata } = record;
  const reading = await readingOf(world, project);
  const agent = metadata.agent as Agent;
  const change = await sessionChange(world, ref, { agent, originalFile, ...reading });
  const unless = { purged: session as string, beyond: purgesOf(manifest, session) };
  const parts = manifest.parts[session];
  await world.archive.change(project, [
    { ...change, unless },
    // Its places in L1 may be others now: of no engine, they are looked up.
    ...(parts
      ? [{ at: ['parts', session], put: parts.map((part) => ({ ...part, engine: 0 })), unless }]
      : []),
  ]);
}

/** Rebuilds the versions of a session whose copy changed, with their settings. Returns how many. */
export async function remakeVersions(world: World, ref: SessionRef): Promise<number> {
  const before = (await world.archive.open(ref.project))?.manifest;
  const record = before?.sessions[ref.session];
  const old = record?.compressions ?? [];
  const names = await world.archive.files.list(ref.project, `summaries/${ref.session}`);
  if (!before || !record || old.length + names.length === 0) return 0;
  const source = await openSource(world, ref);
  let made = 0;
  const same = new Set<string>();
  for (const version of old) {
    const part = source.parts.find((it) => it.part === version.part);
    if (!part || !canBeMadeAgain(version)) continue;
    const remake = async () => {
      // The title of then may be words that are gone.
      const title = version.settings.title === undefined ? undefined : sessionTitle(record);
      const { title: _, ...settings } = version.settings;
      const fresh = await makeVersion(
        world,
        { source, part },
        {
          ...settings,
          ...(title === undefined ? {} : { title }),
        },
      );
      const { existed, record: stored } = await storeVersion(
        world,
        { source, part },
        fresh,
        version.versionId,
      );
      if (existed) same.add(stored.versionId);
      else made++;
    };
    // A version that cannot be rebuilt is deleted anyway.
    await ifPossible(remake(), world.report);
  }
  const gone = old.filter(({ versionId }) => !same.has(versionId));
  await world.archive.change(
    ref.project,
    gone.flatMap(({ versionId, jsonlHash }) => [
      { at: ['sessions', ref.session, 'compressions'], without: { versionId, jsonlHash } },
      {
        at: ['sessions', ref.session, 'pruned'],
        append: { versionId, jsonlHash },
        unique: 'versionId',
        unless: { purged: ref.session as string, beyond: purgesOf(before, ref.session) },
      },
    ]),
  );
  const after = (await world.archive.open(ref.project))?.manifest;
  const remaining = new Set(after?.sessions[ref.session]?.compressions.map(({ file }) => file));
  // Those of a purge that was cut off, too: no record names them any more.
  const files = names.filter((name) => /\.(md|jsonl)$/.test(name)).map((name) => name.replace(/\.\w+$/, ''));
  for (const file of new Set([...gone.map((it) => it.file), ...files]))
    if (!remaining.has(file)) await removeVersionFiles(world, ref, file);
  if (after) await writeVersionsFile(world, ref, after);
  return made;
}
