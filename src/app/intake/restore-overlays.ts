import { markRange } from '../../core/keepit/mark-range.ts';
import type { Change } from '../../core/model/change.ts';
import type { HistoryEvent } from '../../core/model/history.ts';
import { isSessionId, type ProjectId } from '../../core/model/ids.ts';
import { overlaySchema } from '../../core/model/overlay.ts';
import { overlayIdOf } from '../../core/model/overlay-id.ts';
import { originalName } from '../find/session-ref.ts';
import type { World } from '../world.ts';
import { identifyFile } from './identify-file.ts';
import { readMessages, type SessionMessage } from './keepit-messages.ts';

/**
 * What a lost manifest said the user had done to keepits, from the history. It names no words: those of an added one are
 * read from the archived copy again.
 */
export async function restoredOverlays(world: World, project: ProjectId): Promise<Change[]> {
  const messages = new Map<string, Promise<SessionMessage[]>>();
  const changes: Change[] = [];
  for (const event of await world.archive.history(project)) {
    if (event.action === 'purge') dropOf(changes, event.sessionId);
    if (event.action !== 'keepit' || !event.sessionId || !isSessionId(event.sessionId)) continue;
    const { sessionId, at } = event;
    const known = messages.get(sessionId) ?? messagesOf(world, project, sessionId);
    messages.set(sessionId, known);
    const overlay = overlaySchema.safeParse({ ...(await fieldsOf(event, known)), sessionId, at }).data;
    if (overlay) changes.push({ at: ['overlays'], append: overlay, unique: 'overlayId' });
  }
  return changes;
}

function dropOf(changes: Change[], session: string | undefined): void {
  const left = changes.filter(({ append }) => (append as { sessionId: string }).sessionId !== session);
  changes.splice(0, changes.length, ...left);
}

async function messagesOf(world: World, projectId: ProjectId, session: string): Promise<SessionMessage[]> {
  if (!isSessionId(session)) return [];
  const path = world.archive.originals.path(projectId, originalName(session));
  if ((await world.archive.originals.size(projectId, originalName(session))) === undefined) return [];
  const agent = (await identifyFile(world, path))?.agent;
  if (!agent) return [];
  return (await readMessages(world, { projectId, sessionId: session, metadata: { agent } })).messages;
}

async function fieldsOf(event: HistoryEvent, messages: Promise<SessionMessage[]>): Promise<object> {
  const { action, markerId, weight, messageUuid, position, hlc, device, via, by } = (event.details ??
    {}) as Record<string, unknown>;
  const overlayId = overlayIdOf(event.sessionId ?? '', event.at, { markerId, action, weight });
  const stamp = {
    ...(hlc === undefined ? {} : { hlc, device }),
    ...(via === undefined ? {} : { via }),
    ...(by == null ? {} : { author: by }),
  };
  const base = { overlayId, action, markerId, ...(weight === undefined ? {} : { weight }), ...stamp };
  if (action !== 'add') return base;
  const range = position as { start: number; end: number };
  for (const { entry } of await messages) {
    if (entry.id !== messageUuid) continue;
    const marked = markRange(entry, event.sessionId ?? '', range);
    if (!('wrong' in marked) && marked.markerId === markerId) return { ...marked, ...base };
  }
  return base;
}
