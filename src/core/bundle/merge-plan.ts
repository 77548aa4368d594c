import { type Change, purgesOf } from '../model/change.ts';
import type { HistoryEvent } from '../model/history.ts';
import { isSessionId, type ProjectId, type SessionId } from '../model/ids.ts';
import type { Manifest, Tombstone } from '../model/manifest.ts';
import { sessionOfEdit } from '../model/session-of-edit.ts';
import { asOthers } from './as-others.ts';
import type { BundleProject, SessionLine } from './bundle-line.ts';
import { compositionContentId } from './content-id.ts';
import { conceptEvent, factEvent, overlayEvent, purgeEvent } from './import-events.ts';
import { type IncomingComposition, mergeCompositions } from './merge-compositions.ts';
import { mergeFields } from './merge-fields.ts';
import { mergeRecords } from './merge-records.ts';
import { type MergedVersions, mergeVersions } from './merge-versions.ts';

/** What an import would do to a project. */
export type MergePlan = {
  project: ProjectId;
  /** Whose words they are; undefined: this user's own. */
  author: string | undefined;
  /** Sessions that are taken, those that are here already included. */
  sessions: Map<SessionId, IncomingSession>;
  /** Purged here: they stay away. */
  purged: string[];
  compositions: IncomingComposition[];
  /** All but sessions and compositions, which go with their files. */
  changes: Change[];
  events: HistoryEvent[];
  added: { overlays: number; facts: number; concepts: number; tombstones: number; links: number };
};

export type IncomingSession = {
  line: SessionLine;
  isNew: boolean;
  /** How often it was purged here: once more, and it stays away. */
  purges: number;
  /** Its bytes are this user's own and those that come in another's: nothing is added to them. */
  isSealed: boolean;
  versions: MergedVersions;
};

export type MergeTarget = {
  project: ProjectId;
  /** What a project of the bundle is called here. */
  nameOf: (project: ProjectId) => ProjectId;
  /** Whose words the bundle holds; undefined: this user's own. */
  author?: string | undefined;
  /** Sessions that were purged here, and that their user registered again on another machine, with the purges that were known then. */
  back?: ReadonlyMap<string, number> | undefined;
  /** Sessions that were purged from a folder of the same repository, and that none of its folders has. */
  purgedBeside?: ReadonlySet<string> | undefined;
  /** What the user deleted here, where the same records may come again. */
  deleted?: DeletedRecords | undefined;
};

/** Compositions by their ids and by their content; of links by theirs, up to when they were made. */
export type DeletedRecords = { compositions: ReadonlySet<string>; links: ReadonlyMap<string, string> };

const NONE_DELETED: DeletedRecords = { compositions: new Set(), links: new Map() };

/** Merges by id; what is stored here is changed only by later edits of the same user. */
export function mergePlan(mine: Manifest | undefined, bundle: BundleProject, target: MergeTarget): MergePlan {
  const { author, nameOf, project, back = new Map(), deleted = NONE_DELETED } = target;
  const gone = new Set<string>(
    mine?.tombstones.filter((tombstone) => tombstone.kind === 'session').map((tombstone) => tombstone.id),
  );
  for (const id of Object.keys(mine?.sessions ?? {})) gone.delete(id);
  for (const [id, known] of back) if (purgesOf(mine, id) <= known) gone.delete(id);
  const sent = withoutDeleted(bundle, deleted);
  // What is said of a session that comes in with it is as welcome as the session.
  const beside = [...(target.purgedBeside ?? [])].filter((id) => isSessionId(id) && !sent.sessions.has(id));
  const signed = author === undefined ? sent : asOthers(sent, author);
  const theirs = withoutGone(signed, new Set([...gone, ...beside]));
  const sessions: MergePlan['sessions'] = new Map();
  for (const [id, line] of theirs.sessions) {
    if (gone.has(id)) continue;
    const record = mine && Object.hasOwn(mine.sessions, id) ? mine.sessions[id] : undefined;
    const isSealed = record !== undefined && record.by === undefined && line.record.by !== undefined;
    const versions = mergeVersions(record, mine?.parts[id] ?? [], line);
    sessions.set(id, { line, isNew: record === undefined, purges: purgesOf(mine, id), isSealed, versions });
  }
  const isHere = (id: string) =>
    (isSessionId(id) && sessions.has(id)) || (mine && Object.hasOwn(mine.sessions, id));
  // Records may come before their session: they count once it is here.
  const overlays = mergeRecords(
    { list: 'overlays', idOf: 'overlayId' },
    mine?.overlays ?? [],
    theirs.overlays,
  );
  const byEdit = { idOf: 'editId' } as const;
  const facts = mergeRecords({ list: 'factEdits', ...byEdit }, mine?.factEdits ?? [], theirs.factEdits);
  const concepts = mergeRecords(
    { list: 'conceptEdits', ...byEdit },
    mine?.conceptEdits ?? [],
    theirs.conceptEdits,
  );
  const fields = mergeFields(fieldsHere(mine, sessions), theirs.fieldEdits);
  const tombstones = newTombstones(mine, theirs);
  const links = theirs.links
    .map((link) => ({ ...link, sourceProject: nameOf(link.sourceProject), targetProject: project }))
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
    project,
    author,
    sessions,
    purged: [...theirs.sessions.keys()].filter((id) => gone.has(id)),
    compositions: mergeCompositions(mine?.compositions ?? {}, theirs.compositions, names),
    changes: [
      ...tombstones.map((append) => ({ at: ['tombstones'], append })),
      ...[...overlays.changes, ...facts.changes, ...concepts.changes, ...fields.changes].map((change) =>
        unlessPurged(change, [...(mine?.tombstones ?? []), ...tombstones]),
      ),
      ...links
        .map((append) => ({ at: ['links'], append, unique: 'linkId' }))
        .map((change) => unlessPurged(change, [...(mine?.tombstones ?? []), ...tombstones])),
    ],
    events: [
      ...tombstones.filter(({ kind, id }) => kind !== 'session' || !isHere(id)).map(purgeEvent),
      ...overlays.added.map(overlayEvent),
      ...facts.added.map(factEvent),
      ...concepts.added.map(conceptEvent),
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

/** Whatever says something of a session that was purged here was made before its machine knew. */
function withoutGone(bundle: BundleProject, gone: ReadonlySet<string>): BundleProject {
  if (gone.size === 0) return bundle;
  return {
    ...bundle,
    overlays: bundle.overlays.filter(({ sessionId }) => !gone.has(sessionId)),
    factEdits: bundle.factEdits.filter((edit) => !gone.has(sessionOfEdit(edit))),
    fieldEdits: bundle.fieldEdits.filter(({ field, key }) => field !== 'session' || !gone.has(key)),
    links: bundle.links.filter(({ sourceSession }) => !gone.has(sourceSession)),
    compositions: bundle.compositions.filter(
      ({ components }) => !components.some(({ sessionId }) => gone.has(sessionId)),
    ),
  };
}

/** One that was rebuilt after that has another id, or a later time. */
function withoutDeleted(bundle: BundleProject, { compositions, links }: DeletedRecords): BundleProject {
  if (compositions.size + links.size === 0) return bundle;
  return {
    ...bundle,
    compositions: bundle.compositions.filter(
      (it) => !compositions.has(it.compositionId) && !compositions.has(compositionContentId(it)),
    ),
    links: bundle.links.filter(({ linkId, linkedAt }) => linkedAt > (links.get(linkId) ?? '')),
  };
}

/** What says something of a session is left out where it is purged before this is written. */
function unlessPurged(change: Change, tombstones: readonly Tombstone[]): Change {
  const [list, id] = change.at;
  const { sessionId, from, field, key, sourceSession } = (change.append ?? {}) as Record<string, unknown>;
  const named = {
    sessions: id,
    overlays: sessionId,
    factEdits: from,
    fieldEdits: field === 'session' && key,
    links: sourceSession,
  };
  const purged = named[list as keyof typeof named];
  if (typeof purged !== 'string') return change;
  return { ...change, unless: { purged, beyond: purgesOf({ tombstones }, purged) } };
}

/** Names and settings as they are once the sessions are in. */
function fieldsHere(mine: Manifest | undefined, sessions: MergePlan['sessions']) {
  const fresh = [...sessions.values()].filter(({ isNew }) => isNew).map(({ line }) => line.record);
  return {
    displayName: mine?.displayName ?? '',
    settings: mine?.settings ?? {},
    sessions: [...Object.values(mine?.sessions ?? {}), ...fresh],
    fieldEdits: mine?.fieldEdits,
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
