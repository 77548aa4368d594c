import { detectKeepits } from '../../core/keepit/detect.ts';
import { blankInjected } from '../../core/keepit/find-markers.ts';
import { purgesOf } from '../../core/model/change.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Overlay } from '../../core/model/overlay.ts';
import { overlayIdOf } from '../../core/model/overlay-id.ts';
import { redact } from '../../core/text/redact.ts';
import { editStamp } from '../edit-records.ts';
import { findSession } from '../find/session.ts';
import type { SessionRow } from '../find/sessions.ts';
import { readMessageAt } from '../intake/keepit-messages.ts';
import { readingOf } from '../intake/reading.ts';
import type { World } from '../world.ts';
import { findKeepit, type KeepitRow } from './keepits.ts';
import { type WroteOriginal, writeOriginal } from './original.ts';
import { findTarget, type KeepitTarget } from './target.ts';

export type KeepitOptions = {
  project?: string;
  /** Edit the marker in the agent's own file, too. */
  writeOriginal?: boolean;
  /** Even when that file was written to a moment ago. */
  force?: boolean;
};

export type KeepitChange = {
  /** As it counts from now on. */
  keepit: KeepitRow;
  /** False: it was so already. */
  changed: boolean;
  /** The command that takes the change back. */
  undo?: string;
  original?: WroteOriginal;
};

/** Keeps a range of a message that has no marker of its own. */
export async function addKeepit(
  world: World,
  session: string,
  { weight, ...target }: KeepitTarget & { weight: number },
  options: KeepitOptions = {},
): Promise<KeepitChange> {
  const { row } = await findSession(world, session, options.project);
  const marked = await findTarget(world, row, target);
  const same = row.keepitMarkers.find((it) => covers(it, marked));
  if (same && same.markerId !== marked.markerId) {
    throw new Fault('conflict', `This text already has a keepit with weight ${same.weight.toFixed(2)}.`, {
      hint: `Change it: keepsake keepit set ${same.markerId} ${weight.toFixed(2)}`,
    });
  }
  const undo = same
    ? `keepit set ${marked.markerId} ${same.weight.toFixed(2)}`
    : `keepit remove ${marked.markerId}`;
  const place = { start: marked.position.start, end: marked.position.end };
  const original = await inFile(world, row, { ...marked, ...place, added: true, weight }, options);
  if (same?.weight === weight) return done(world, row, marked.markerId, { changed: false, original });
  await store(world, row, { ...marked, action: 'add', weight });
  return done(world, row, marked.markerId, { changed: true, undo, original });
}

/** Gives a marker another weight; one that was removed comes back with it. */
export async function setKeepit(
  world: World,
  id: string,
  weight: number,
  options: KeepitOptions = {},
): Promise<KeepitChange> {
  const { keepit, row } = await findKeepit(world, id, options.project);
  const { markerId } = keepit;
  const original = await inFile(world, row, { ...keepit, ...keepit.position, weight }, options);
  if (!keepit.removed && keepit.weight === weight)
    return done(world, row, markerId, { changed: false, original });
  const undo = keepit.removed
    ? `keepit remove ${markerId}`
    : `keepit set ${markerId} ${keepit.weight.toFixed(2)}`;
  await store(world, row, { markerId, action: 'weight', weight });
  return done(world, row, markerId, { changed: true, undo, original });
}

/** Its words are plain text from now on. */
export async function removeKeepit(
  world: World,
  id: string,
  options: KeepitOptions = {},
): Promise<KeepitChange> {
  const { keepit, row } = await findKeepit(world, id, options.project);
  const { markerId } = keepit;
  const original = await inFile(world, row, { ...keepit, ...keepit.position, weight: undefined }, options);
  if (keepit.removed) return done(world, row, markerId, { changed: false, original });
  await store(world, row, { markerId, action: 'remove' });
  const undo = `keepit set ${markerId} ${keepit.weight.toFixed(2)}`;
  return done(world, row, markerId, { changed: true, undo, original });
}

/** The user's word for a marker that was held back. */
export async function confirmKeepit(
  world: World,
  id: string,
  options: KeepitOptions = {},
): Promise<KeepitChange> {
  const { keepit, row } = await findKeepit(world, id, options.project);
  const { markerId } = keepit;
  if (keepit.removed) {
    throw new Fault('conflict', 'This keepit was removed.', {
      hint: `Restore it first: keepsake keepit set ${markerId} ${keepit.weight.toFixed(2)}`,
    });
  }
  if (!keepit.held) return done(world, row, markerId, { changed: false });
  await store(world, row, { markerId, action: 'confirm' });
  return done(world, row, markerId, { changed: true, undo: `keepit remove ${markerId}` });
}

type Marked = {
  messageUuid: string;
  src: number;
  start: number;
  end: number;
  content: string;
  added?: boolean;
  /** As it shall be; undefined: the marker goes. */
  weight: number | undefined;
};

/** The same words, letter for letter: the record of a marker is redacted. */
async function inFile(
  world: World,
  row: SessionRow,
  marked: Marked,
  options: KeepitOptions,
): Promise<WroteOriginal | undefined> {
  if (!options.writeOriginal) return undefined;
  const { extent } = await readingOf(world, row.projectId);
  const { messageUuid, src, start, end, weight } = marked;
  const entries = await readMessageAt(world, row, src, messageUuid);
  const content = entries
    .map((entry) => blankInjected(entry.text))
    .map((text) =>
      marked.added
        ? text.slice(start, end)
        : detectKeepits(text, { extent }).find((keepit) => keepit.start === start)?.content,
    )
    .find((words) => words !== undefined && redact(words).text === marked.content);
  if (content === undefined)
    throw new Fault('conflict', `The text of this keepit was not found in the original of ${row.sessionId}.`);
  return writeOriginal(world, row, { messageUuid, content, weight, extent }, options);
}

type NewOverlay = Overlay extends infer O
  ? O extends Overlay
    ? Omit<O, 'overlayId' | 'sessionId' | 'at' | 'hlc' | 'device' | 'author' | 'via'>
    : never
  : never;

async function store(world: World, row: SessionRow, overlay: NewOverlay): Promise<void> {
  const project = row.projectId;
  const { sessionId } = row;
  const opened = await world.archive.open(project);
  const stamp = { ...(await editStamp(world, project)), via: 'typed' as const };
  const at = world.clock.now();
  const overlayId = overlayIdOf(sessionId, at, overlay);
  const beyond = purgesOf(opened?.manifest, sessionId);
  await world.archive.change(
    project,
    [
      {
        at: ['overlays'],
        append: { ...overlay, overlayId, sessionId, at, ...stamp },
        unique: 'overlayId',
        unless: { purged: sessionId, beyond },
      },
    ],
    [
      {
        at,
        action: 'keepit',
        sessionId,
        note: noteOf(overlay),
        details: { ...detailsOf(overlay), ...stamp },
      },
    ],
  );
}

/** No words of the message: a purge takes those, and the history stays. */
function detailsOf(overlay: NewOverlay): Record<string, unknown> {
  const { action, markerId } = overlay;
  if (action === 'add')
    return {
      action,
      markerId,
      weight: overlay.weight,
      messageUuid: overlay.messageUuid,
      position: overlay.position,
    };
  return { action, markerId, ...(action === 'weight' ? { weight: overlay.weight } : {}) };
}

function noteOf(overlay: NewOverlay): string {
  switch (overlay.action) {
    case 'add':
      return `Kept with weight ${overlay.weight.toFixed(2)}: ${overlay.markerId}`;
    case 'weight':
      return `The weight of ${overlay.markerId} is now ${overlay.weight.toFixed(2)}.`;
    case 'remove':
      return `No longer kept: ${overlay.markerId}`;
    case 'confirm':
      return `Confirmed: ${overlay.markerId}`;
  }
}

type Outcome = { changed: boolean; undo?: string; original?: WroteOriginal | undefined };

async function done(
  world: World,
  row: SessionRow,
  markerId: string,
  outcome: Outcome,
): Promise<KeepitChange> {
  const { changed, undo, original } = outcome;
  const { keepit } = await findKeepit(world, markerId, row.projectId);
  return { keepit, changed, ...(undo ? { undo } : {}), ...(original ? { original } : {}) };
}

/** The same range, or a marker whose words these are. */
function covers(
  it: Pick<KeepitRow, 'messageUuid' | 'position' | 'content'>,
  marked: { messageUuid: string; position: { start: number; end: number }; content: string },
): boolean {
  return (
    it.messageUuid === marked.messageUuid &&
    it.content === marked.content &&
    it.position.start <= marked.position.start &&
    it.position.end >= marked.position.end
  );
}
