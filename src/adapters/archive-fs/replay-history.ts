import type { ConceptEdit } from '../../core/model/concept.ts';
import type { FactEdit } from '../../core/model/fact.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import type { ProjectFields, Recorded } from './history-file.ts';
import { sessionAuthors } from './mark-authors.ts';

/** What the user decided, as the history records it. */
export type Replayed = {
  project: ProjectFields;
  createdAt: string | undefined;
  /** The highest generation seen: a rebuilt project must not count from below it. */
  gen: number;
  tombstones: Manifest['tombstones'];
  unregistered: string[];
  /** Whose the sessions of others are. */
  authors: Map<string, string | undefined>;
  /** Edits of facts and concepts, in their order. */
  edits: Pick<Manifest, 'factEdits' | 'conceptEdits'>;
};

/** These say that a session was there, and wanted, at the time. */
const PRESENT = new Set(['register', 'grow', 'replaced', 'import']);

/** Only what came before generation `until`, from which on the changes themselves are known. */
export function replayHistory(history: Recorded[], until = Number.POSITIVE_INFINITY): Replayed {
  const purged = new Map<string, string>();
  const texts: Manifest['tombstones'] = [];
  const unregistered = new Set<string>();
  const factEdits: FactEdit[] = [];
  const conceptEdits: ConceptEdit[] = [];
  let project: ProjectFields = {};
  let createdAt: string | undefined;
  let gen = 0;
  for (const { event, gen: at = 0, project: fields } of history) {
    gen = Math.max(gen, at);
    if (at >= until) continue;
    if (fields) project = { ...project, settings: {}, ...fields };
    if (event.action === 'create') createdAt ??= event.at;
    const edit = event.details?.edit;
    if (edit && event.action === 'fact') factEdits.push(edit as FactEdit);
    if (edit && event.action === 'concept') conceptEdits.push(edit as ConceptEdit);
    const tombstone = event.details?.tombstone;
    if (tombstone && event.action === 'purge') texts.push(tombstone as Manifest['tombstones'][number]);
    const { sessionId } = event;
    if (sessionId === undefined) continue;
    if (event.action === 'purge') purged.set(sessionId, event.at);
    if (event.action === 'unregister') unregistered.add(sessionId);
    if (!PRESENT.has(event.action)) continue;
    purged.delete(sessionId);
    unregistered.delete(sessionId);
  }
  const tombstones = [...[...purged].map(([id, at]) => ({ kind: 'session' as const, id, at })), ...texts];
  return {
    project,
    createdAt,
    gen,
    tombstones,
    unregistered: [...unregistered].filter((id) => !purged.has(id)),
    authors: sessionAuthors(history.map(({ event }) => event)),
    edits: {
      ...(factEdits.length > 0 ? { factEdits } : {}),
      ...(conceptEdits.length > 0 ? { conceptEdits } : {}),
    },
  };
}
