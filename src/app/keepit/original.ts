import { createHash } from 'node:crypto';
import { editLine } from '../../core/keepit/edit-line.ts';
import { Fault } from '../../core/model/fault.ts';
import { parseOutside } from '../../core/model/parse-stored.ts';
import { isFields } from '../../core/model/shape.ts';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import { originalName } from '../find/session-ref.ts';
import type { SessionRow } from '../find/sessions.ts';
import { orFault } from '../or-fault.ts';
import type { World } from '../world.ts';
import { backUp, type OwnEdit, ownEdits, recordEdit } from './backups.ts';

/** Words of a message, letter for letter, and what they shall weigh in the user's own file. */
export type OriginalEdit = {
  messageUuid: string;
  content: string;
  /** Undefined: no marker. */
  weight: number | undefined;
  extent: 'paragraph' | 'message';
};

export type WroteOriginal = {
  file: string;
  /** False: it said so already. */
  changed: boolean;
  /** The whole file as it was before, in the archive. */
  backup?: string;
};

/** A file that was written to so lately may be open. */
const AT_REST_MS = 30_000;

/**
 * Edits a marker in the agent's own session file. The archived copy stays: a sync recognizes the line by its id and does not
 * add it again.
 */
export async function writeOriginal(
  world: World,
  row: SessionRow,
  edit: OriginalEdit,
  options: { force?: boolean } = {},
): Promise<WroteOriginal> {
  const file = await sourceOf(world, row);
  if (!options.force && world.clock.millis() - file.mtimeMs < AT_REST_MS) {
    throw new Fault('busy', `${file.path} was changed a moment ago; its session may be running.`, {
      hint: 'End the session or wait 30 seconds. To edit it anyway, add --force.',
    });
  }
  const known = await ownEdits(world, row);
  const { at, line } = await lineOf(world, row, file, { messageUuid: edit.messageUuid, own: known });
  const text = line.toString('utf8');
  if (!Buffer.from(text).equals(line)) throw refused(file, 'its line contains bytes that are not text');
  const edited = editLine(text, edit.messageUuid, edit);
  if ('wrong' in edited) throw refused(file, edited.wrong);
  if ('same' in edited) return { file: file.path, changed: false };
  const bytes = Buffer.from(edited.line);
  const backup = await backUp(world, row, file.path);
  // Recorded first: an edit that nobody knows of would look like someone else's.
  await recordEdit(world, row, {
    at: world.clock.now(),
    messageUuid: edit.messageUuid,
    before: hashOf(line),
    after: hashOf(bytes),
  });
  const done = await orFault(world.sessionFiles.edit(file.path, { start: at, was: line, bytes }, file));
  if (done instanceof Fault) {
    await world.archive.files.remove(row.projectId, backup);
    throw done;
  }
  return {
    file: file.path,
    changed: true,
    backup: world.archive.files.path(row.projectId, backup),
  };
}

/** The agent's file, if there is one that may be edited. */
async function sourceOf(world: World, row: SessionRow): Promise<FoundTranscript> {
  const { originalFile, sessionId } = row;
  const only = 'Without --write-original, the change is stored in the archive and has the same effect.';
  if (row.sample) throw new Fault('usage', "Sample sessions can't be edited.", { hint: only });
  if (row.metadata.agent !== 'claude-code')
    throw new Fault('usage', 'Only session files of Claude Code can be edited.', { hint: only });
  const copy = world.archive.originals.path(row.projectId, originalName(sessionId));
  if (originalFile.startsWith(world.archive.root) || (await world.machine.isLink(copy)))
    throw new Fault('usage', `The archive has no copy of ${sessionId}, only a link to the agent's file.`, {
      hint: `\`keepsake config set storage.originals copy\`, then \`keepsake sync\`. ${only}`,
    });
  const found = await world.transcripts.inspect(originalFile);
  if (found && found !== 'folder') return found;
  throw new Fault('not-found', `The agent no longer has ${originalFile}.`, { hint: only });
}

type FoundLine = { at: number; line: Buffer };

/** The one line of a message, once the file is known to be what was archived, except for our own edits. */
async function lineOf(
  world: World,
  row: SessionRow,
  file: FoundTranscript,
  { messageUuid, own }: { messageUuid: string; own: OwnEdit[] },
): Promise<FoundLine> {
  const copy = world.archive.originals.path(row.projectId, originalName(row.sessionId));
  const archived = await hashes(world, copy);
  const found: FoundLine[] = [];
  const source = await hashes(world, file.path, (line, at) => {
    if (line.includes(messageUuid) && uuidOf(line) === messageUuid)
      found.push({ at, line: Buffer.from(line) });
  });
  const [before, after] = [new Set(own.map((it) => it.before)), new Set(own.map((it) => it.after))];
  const isNew = [...source].some((hash) => !archived.has(hash) && !after.has(hash) && !before.has(hash));
  const isGone = [...archived].some((hash) => !source.has(hash) && !before.has(hash));
  if (isNew || isGone) {
    throw new Fault('conflict', `${file.path} differs from its archived copy. The file was not changed.`, {
      hint: isNew
        ? 'Run `keepsake sync` first. If another program changed the file, Keepsake does not edit it.'
        : 'The file is missing lines that the archive has.',
    });
  }
  const [line] = found;
  if (!line) throw refused(file, 'the message has no line with a unique id');
  if (found.length > 1) throw refused(file, 'the message appears in it more than once');
  return line;
}

async function hashes(
  world: World,
  path: string,
  onLine?: (line: Buffer, at: number) => void,
): Promise<Set<string>> {
  const found = new Set<string>();
  await world.transcripts.readLines(path, 0, (line, at) => {
    if (line.length > 0) found.add(hashOf(line));
    onLine?.(line, at);
    return true;
  });
  return found;
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function uuidOf(line: Buffer): unknown {
  const value = parseOutside(line.toString('utf8'));
  return isFields(value) ? value.uuid : undefined;
}

function refused(file: FoundTranscript, why: string): Fault {
  return new Fault('conflict', `${file.path} can't be edited: ${why}. The file was not changed.`, {
    hint: 'Without --write-original, the change is stored in the archive and has the same effect.',
  });
}
