import { Fault } from '../../core/model/fault.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import { type KeptOut, Recording } from '../find/recording.ts';
import { findSession } from '../find/session.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { World } from '../world.ts';

export type SessionDetails = SessionRow & {
  /** The own copy in the archive. */
  archivedFile: string;
  /** Null when it contains nothing that is refined. */
  l1Path: string | null;
  /** What is new in it is kept out of the archive. */
  notRecorded?: KeptOut;
};

/** All that is recorded of one session. */
export async function showSession(world: World, id: string, project?: string): Promise<SessionDetails> {
  const { projectId, sessionId, row } = await findSession(world, id, project);
  const head = await world.archive.head(projectId);
  const cwd = row.metadata.cwd ?? head?.originalPath;
  const notRecorded = await new Recording(world).keptOut({ session: sessionId, project: projectId, cwd });
  return {
    ...row,
    ...(notRecorded ? { notRecorded } : {}),
    archivedFile: world.archive.originals.path(projectId, `${sessionId}.jsonl`),
    l1Path: row.l1.file === '' ? null : world.archive.files.path(projectId, row.l1.file),
  };
}

/** The markers of one session, heaviest first, then as they are in the text. */
export async function showKeepits(world: World, id: string, project?: string): Promise<KeepitMarker[]> {
  const { row } = await findSession(world, id, project);
  return [...row.keepitMarkers].sort((a, b) => b.weight - a.weight || a.src - b.src);
}

/** The path of the original, once it is known to be readable. */
export async function originalOf(world: World, details: SessionDetails): Promise<string> {
  const { archivedFile, sessionId, originalFile, metadata } = details;
  if (metadata.agent === 'talk')
    throw new Fault('not-found', `Only the messages of ${sessionId} are on this machine.`, {
      hint: `To download its original: keepsake remote fetch ${sessionId.slice(0, 8)}`,
    });
  const access = await world.machine.accessTo(archivedFile);
  if (access === 'read' || access === 'write') return archivedFile;
  if (access === 'none') {
    throw new Fault('unreadable', `The original of ${sessionId} can't be read: ${archivedFile}`, {
      hint: 'Check its permissions.',
    });
  }
  const refined = `Its refined text is still in the archive: keepsake show ${sessionId.slice(0, 8)} --messages`;
  if (access === 'dangling') {
    throw new Fault(
      'not-found',
      `The original of ${sessionId} was a link to ${originalFile}, and the agent deleted that file.`,
      { hint: `${refined}\n\`keepsake config set storage.originals copy\` copies future originals.` },
    );
  }
  throw new Fault('not-found', `The original of ${sessionId} is missing from the archive: ${archivedFile}`, {
    hint: `${refined}\nIf ${originalFile} still exists: keepsake register ${originalFile}`,
  });
}
