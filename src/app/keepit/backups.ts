import type { ProjectId } from '../../core/model/ids.ts';
import { fields, text } from '../../core/model/shape.ts';
import { textsOf } from '../find/purged-marks.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readStored, type StoredKind } from '../read-stored.ts';
import type { World } from '../world.ts';

type Of = Pick<SessionRow, 'projectId' | 'sessionId'>;

/** A line of the agent's file that we edited, by its hashes before and after. */
export type OwnEdit = { at: string; messageUuid: string; before: string; after: string };

export const OWN_EDIT: StoredKind<OwnEdit> = {
  schema: fields({ at: text, messageUuid: text, before: text, after: text }),
  damaged: "Keepsake treats the edit as another program's and does not edit the agent's file again.",
};

/** The number of backups of a session that are kept, the newest; the archive also has its original. */
const MOST_BACKUPS = 5;
const PIECE = 8 << 20;
const EDIT = '.edit.json';

export function backupFolder(sessionId: string): string {
  return `backups/${sessionId}`;
}

/** The whole file, saved before it is edited. Returns the name of the backup. */
export async function backUp(world: World, of: Of, path: string): Promise<string> {
  const { files } = world.archive;
  const project = of.projectId;
  const name = `${backupFolder(of.sessionId)}/${stamp(world.clock.now())}.jsonl`;
  let held: Buffer[] = [];
  let at = 0;
  const flush = async () => {
    const bytes = Buffer.concat(held);
    await files.writeAt(project, name, at, bytes);
    at += bytes.length;
    held = [];
  };
  for await (const piece of world.sessionFiles.read(path)) {
    held.push(Buffer.from(piece));
    if (held.reduce((sum, it) => sum + it.length, 0) >= PIECE) await flush();
  }
  await flush();
  await leaveOutPurged(world, project, name);
  const all = (await files.list(project, backupFolder(of.sessionId))).filter((it) => it.endsWith('.jsonl'));
  for (const old of all.sort().slice(0, -MOST_BACKUPS))
    await files.remove(project, `${backupFolder(of.sessionId)}/${old}`);
  return name;
}

/** The agent's file may still hold what was purged; a copy of it in the archive may not. */
async function leaveOutPurged(world: World, project: ProjectId, name: string): Promise<void> {
  const texts = textsOf((await world.archive.open(project))?.manifest.tombstones ?? []);
  if (texts.length > 0)
    await world.archive.wipe(texts, { overwrite: true, only: [world.archive.files.path(project, name)] });
}

/** Keepsake's earlier edits of a session's file. */
export async function ownEdits(world: World, of: Of): Promise<OwnEdit[]> {
  const project = of.projectId;
  const folder = backupFolder(of.sessionId);
  const names = (await world.archive.files.list(project, folder)).filter((name) => name.endsWith(EDIT));
  const edits = names.map((name) => readStored(world, project, `${folder}/${name}`, OWN_EDIT));
  return (await Promise.all(edits)).flatMap(({ value }) => value ?? []);
}

/** A file each, so that two who edit at once lose neither. */
export async function recordEdit(world: World, of: Of, edit: OwnEdit): Promise<void> {
  const name = `${backupFolder(of.sessionId)}/${stamp(edit.at)}-${edit.after.slice(0, 8)}${EDIT}`;
  await world.archive.files.write(of.projectId, name, `${JSON.stringify(edit)}\n`);
}

function stamp(time: string): string {
  return time.replace(/[:.]/g, '-');
}
