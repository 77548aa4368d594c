import type { Change } from '../model/change.ts';
import type { HistoryEvent } from '../model/history.ts';
import { isSessionId, type ProjectId, type SessionId } from '../model/ids.ts';
import type { Manifest, Tombstone } from '../model/manifest.ts';
import type { Overlay } from '../model/overlay.ts';
import type { BundleProject, SessionLine } from './bundle-line.ts';
import { type IncomingComposition, mergeCompositions } from './merge-compositions.ts';
import { mergeEdits } from './merge-edits.ts';
import { type MergedVersions, mergeVersions } from './merge-versions.ts';

/** What an import would do to a project. */
export type MergePlan = {
  project: ProjectId;
  /** Sessions that are taken, those that are here already included. */
  sessions: Map<SessionId, { line: SessionLine; isNew: boolean; versions: MergedVersions }>;
  /** Purged here: they stay away. */
  purged: string[];
  compositions: IncomingComposition[];
  /** All but sessions and compositions, which go with their files. */
  changes: Change[];
  events: HistoryEvent[];
  added: { overlays: number; facts: number; concepts: number; tombstones: number; links: number };
};

/** Merges by id; what is stored here is changed only by newer edits. */
export function mergePlan(
  mine: Manifest | undefined,
  theirs: BundleProject,
  target: ProjectId,
  nameOf: (project: ProjectId) => ProjectId,
): MergePlan {
  const gone = new Set(
    mine?.tombstones.filter((tombstone) => tombstone.kind === 'session').map((tombstone) => tombstone.id),
  );
  for (const id of Object.keys(mine?.sessions ?? {})) gone.delete(id);
  const sessions: MergePlan['sessions'] = new Map();
  for (const [id, line] of theirs.sessions) {
    if (gone.has(id)) continue;
    const record = mine && Object.hasOwn(mine.sessions, id) ? mine.sessions[id] : undefined;
    const versions = mergeVersions(record, mine?.parts[id] ?? [], line);
    sessions.set(id, { line, isNew: record === undefined, versions });
  }
  const isHere = (id: string) =>
    (isSessionId(id) && sessions.has(id)) || (mine && Object.hasOwn(mine.sessions, id));
  const overlays = mergeEdits<Overlay>(
    {
      list: 'overlays',
      idOf: 'overlayId',
      isSame: (a, b) => a.sessionId === b.sessionId && a.markerId === b.markerId,
    },
    mine?.overlays ?? [],
    theirs.overlays.filter(({ sessionId }) => isHere(sessionId)),
  );
  const facts = mergeEdits(
    { list: 'factEdits', idOf: 'editId', isSame: (a, b) => a.factId === b.factId },
    mine?.factEdits ?? [],
    theirs.factEdits,
  );
  // Edits of concepts speak of exchanges in lists: any two may speak of the same.
  const concepts = mergeEdits(
    { list: 'conceptEdits', idOf: 'editId', isSame: () => true },
    mine?.conceptEdits ?? [],
    theirs.conceptEdits,
  );
  const tombstones = newTombstones(mine, theirs);
  const links = theirs.links
    .map((link) => ({ ...link, sourceProject: nameOf(link.sourceProject), targetProject: target }))
    .filter((link) => !mine?.links.some(({ linkId }) => linkId === link.linkId));
  const names = {
    project: nameOf,
    versions: (session: SessionId, list: string) =>
      list
        .split('+')
        .map((id) => sessions.get(session)?.versions.names.get(id) ?? id)
        .join('+'),
  };
  return {
    project: target,
    sessions,
    purged: [...theirs.sessions.keys()].filter((id) => gone.has(id)),
    compositions: mergeCompositions(mine?.compositions ?? {}, theirs.compositions, names),
    changes: [
      ...tombstones.map((append) => ({ at: ['tombstones'], append })),
      ...overlays.changes,
      ...facts.changes,
      ...concepts.changes,
      ...links.map((append) => ({ at: ['links'], append, unique: 'linkId' })),
      ...settingsChange(mine, theirs),
    ],
    events: [
      ...tombstones.filter(({ kind, id }) => kind !== 'session' || !isHere(id)).map(purgeEvent),
      ...overlays.added.map(overlayEvent),
      ...facts.added.map((edit) => editEvent('fact', edit)),
      ...concepts.added.map((edit) => editEvent('concept', edit)),
    ],
    added: {
      overlays: overlays.added.length,
      facts: facts.added.length,
      concepts: concepts.added.length,
      tombstones: tombstones.length,
      links: links.length,
    },
  };
}

function newTombstones(mine: Manifest | undefined, theirs: BundleProject) {
  const known = new Set(mine?.tombstones.map(tombstoneKey));
  return theirs.tombstones.filter((tombstone) => {
    const isNew = !known.has(tombstoneKey(tombstone));
    known.add(tombstoneKey(tombstone));
    return isNew;
  });
}

/** A session can be purged more than once; a text has an id of its own. */
function tombstoneKey({ kind, id, at }: Tombstone): string {
  return kind === 'session' ? `${kind}\0${id}\0${at}` : `${kind}\0${id}`;
}

/** What is set here stays. */
function settingsChange(mine: Manifest | undefined, { project }: BundleProject): Change[] {
  const fresh = Object.entries(project.settings).filter(([key]) => !Object.hasOwn(mine?.settings ?? {}, key));
  return fresh.length === 0 ? [] : [{ at: ['settings'], init: Object.fromEntries(fresh) }];
}

/** As those who made them wrote them: a lost manifest is rebuilt from the history. */
function overlayEvent(overlay: Overlay): HistoryEvent {
  const { action, markerId, sessionId, at } = overlay;
  const details = {
    action,
    markerId,
    ...('weight' in overlay ? { weight: overlay.weight } : {}),
    ...(action === 'add' ? { messageUuid: overlay.messageUuid, position: overlay.position } : {}),
  };
  return { at, action: 'keepit', sessionId, note: `Imported: ${action} ${markerId}`, details };
}

function editEvent(action: 'fact' | 'concept', edit: { at: string; editId: string }): HistoryEvent {
  return { at: edit.at, action, note: `Imported: ${edit.editId}`, details: { edit } };
}

function purgeEvent(tombstone: Tombstone): HistoryEvent {
  const { id, at, kind } = tombstone;
  const of = kind === 'session' && isSessionId(id) ? { sessionId: id } : { details: { tombstone } };
  return { at, action: 'purge', ...of, note: 'Imported: purged elsewhere.' };
}
