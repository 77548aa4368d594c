import { PurgeMask } from '../../core/model/purge-mask.ts';
import { sessionOfEdit } from '../../core/model/session-of-edit.ts';
import { openProjects } from '../find/projects.ts';
import { findSession } from '../find/session.ts';
import { anyProject } from '../segment/any-project.ts';
import { append } from '../segment/append-segment.ts';
import { readPrivate, writePrivate } from '../segment/private-sessions.ts';
import { listRemotes, type OpenRemote, openRemote, remotesOf } from '../segment/remote-record.ts';
import { loadRepoState, type RepoState, saveRepoState, streamOfKey } from '../segment/repo-state.ts';
import { withoutPurged } from '../segment/without-purged.ts';
import type { World } from '../world.ts';
import { cleanOwn } from './carry-out.ts';

export type MadePrivate = {
  sessionId: string;
  isPrivate: boolean;
  /** Remotes that have it: the next sync takes it down there and on the other machines. */
  sentTo: string[];
};

/** Keeps a session on this machine for good; with `undo` it may leave again. */
export async function setPrivate(
  world: World,
  { session, project, undo = false }: { session: string; project?: string; undo?: boolean },
): Promise<MadePrivate> {
  const { sessionId } = await findSession(world, session, project);
  return (await remotesOf(world)).exclusive(async () => {
    const secret = await readPrivate(world);
    if (undo) secret.delete(sessionId);
    else secret.add(sessionId);
    await writePrivate(world, secret);
    const sentTo: string[] = [];
    for (const record of await listRemotes(world)) {
      const remote = await openRemote(world, record);
      const names = await remote.remotes.files.list(`${record.name}/repos`);
      const isSent = async (repo: string) => hasLeft(await loadRepoState(remote, repo), sessionId);
      const repos = [...new Set(names.map((name) => name.split('/')[0]!))];
      if ((await Promise.all(repos.map(isSent))).some(Boolean)) sentTo.push(record.name);
    }
    return { sessionId, isPrivate: !undo, sentTo };
  });
}

function hasLeft({ places }: RepoState, session: string): boolean {
  return [...places.keys()].some((key) => streamOfKey(key).session === session);
}

/** Private sessions that left before: out of the own segments, and said so to the other devices. */
export async function withdrawPrivate(remote: OpenRemote, repo: string, state: RepoState): Promise<number> {
  const secret = await readPrivate(remote.world);
  const sent = new Set([...secret].filter((session) => hasLeft(state, session)));
  if (sent.size === 0) return 0;
  const project = await anyProject(remote, repo);
  await cleanOwn(remote, { repo, state, gone: sent }, (lines) =>
    withoutPurged(lines, sent, new PurgeMask([])),
  );
  await expectQuotes(remote.world, state, sent);
  const at = remote.world.clock.now();
  const withdrawn = [...sent].map((session) => JSON.stringify({ t: 'withdraw', session, at }));
  if (project !== undefined) await append(remote, { repo, lane: 'log', state }, [project, ...withdrawn]);
  await saveRepoState(remote, repo, state);
  return sent.size;
}

/** What is said of them goes everywhere with them: where they may leave again, it is sent again, whoever sent it before. */
async function expectQuotes(world: World, { keys }: RepoState, sessions: ReadonlySet<string>): Promise<void> {
  for (const { overlays, factEdits = [] } of await openProjects(world)) {
    for (const { sessionId, overlayId } of overlays)
      if (sessions.has(sessionId)) keys.delete(`o:${overlayId}`);
    for (const edit of factEdits) if (sessions.has(sessionOfEdit(edit))) keys.delete(`f:${edit.editId}`);
  }
}
