import type { EffectiveMarker } from '../../core/keepit/overlays.ts';
import { type HitKind, ROLE } from '../../core/model/search.ts';
import type { SourceHints } from '../../core/search/rank-sessions.ts';
import type { LineScope, PlainScope } from '../../core/search/scope.ts';
import { termsOf } from '../../core/text/terms.ts';
import type { IndexView, SourceRow } from '../../ports/search-index.ts';
import { findProjectFolders } from '../find/project.ts';
import { rowsOf as sessionsOf } from '../find/sessions.ts';
import { ifReadable } from '../or-fault.ts';
import type { World } from '../world.ts';

export type SearchFilters = {
  project?: string;
  /** Ids of projects that are asked together. */
  projects?: string[];
  agent?: string;
  role?: 'user' | 'assistant' | 'tool';
  /** Files that were changed: a boost, or with `onlyFiles` a must. */
  files?: string[];
  onlyFiles?: boolean;
  /** UTC times or days, both ends included. */
  since?: string;
  until?: string;
  topics?: string[];
  keepitMin?: number;
  keepitMax?: number;
  /** Whose words: `me`, or the name of someone else. */
  by?: string;
  /** What is looked for: turns, unless others are named. */
  kinds?: readonly HitKind[];
};

/** Which lines may be found, and what speaks for a source. */
export type Scope = LineScope & {
  hints: SourceHints;
  sources: SourceRows;
};
/** Sources by their numbers. */
export type SourceRows = Pick<Map<number, SourceRow>, 'get' | 'values'>;

export async function scopeOf(
  world: World,
  view: IndexView,
  filters: SearchFilters,
  { terms, grain }: { terms: string[]; grain: 'turn' | 'exchange' | 'session' },
): Promise<Scope> {
  if (grain !== 'session' && isOpen(filters)) return everything(view);
  const asked = await projectsAsked(world, filters);
  const rows = rowsOf(view).filter((row) => row.kind === 'session');
  const topicsOf = filters.topics ? await topicsBySession(world, rows) : new Map<string, string>();
  const named = filters.files ?? [];
  const files = fileHints(view, named, rows.length);
  const open = new Uint8Array(rows.reduce((most, row) => Math.max(most, row.id + 1), 0));
  const sources = new Map<number, SourceRow>();
  for (const row of rows) {
    if (!asked(row.project)) continue;
    if (filters.agent !== undefined && row.agent !== filters.agent) continue;
    if (!isSaidBy(row.by, filters)) continue;
    if (filters.since !== undefined && row.last !== '' && row.last < filters.since) continue;
    if (filters.until !== undefined && row.first !== '' && row.first > endOfDay(filters.until)) continue;
    if (filters.onlyFiles && !files.has(row.id)) continue;
    if (filters.topics && !isAbout(row, filters.topics, topicsOf)) continue;
    open[row.id] = 1;
    sources.set(row.id, row);
  }
  const role = filters.role === undefined ? undefined : ROLE[filters.role];
  const kept = await keptLines(world, view, filters, sources);
  const late = linesOutside(view, filters, sources);
  // A view's columns are looked up once: this runs for every line.
  const { role: roles, exchange, source } = view;
  const accept = (line: number) =>
    roles[line]! < ROLE.document &&
    (role === undefined || roles[line] === role) &&
    (kept === undefined || kept.has(line)) &&
    !late.has(line) &&
    open[source[exchange[line]!]!] === 1;
  const isPlain = kept === undefined && late.size === 0;
  const plain: PlainScope = {};
  if (sources.size < rows.length) plain.sources = open;
  if (role !== undefined) plain.role = role;
  const inScope = (hints: Map<number, number>) =>
    new Map([...hints].filter(([source]) => open[source] === 1));
  const hints = {
    files: inScope(files),
    branch: inScope(branchHints(rows, terms)),
    words: [...new Set(named.flatMap((path) => termsOf(path.slice(path.lastIndexOf('/') + 1))))],
  };
  return { accept, plain: isPlain ? plain : undefined, hints, sources };
}

/** A project is all of its folders; ids that are asked together are those folders alone. */
async function projectsAsked(
  world: World,
  { project, projects }: SearchFilters,
): Promise<(project: string) => boolean> {
  const folders =
    project === undefined ? undefined : new Set<string>(await findProjectFolders(world, project));
  const together = projects === undefined ? undefined : new Set(projects);
  return (id) => folders?.has(id) !== false && together?.has(id) !== false;
}

/** Files alone leave nothing out, and hint at sessions only. */
function isOpen({ files: _, kinds: __, ...filters }: SearchFilters): boolean {
  return Object.values(filters).every((filter) => filter === undefined || filter === false);
}

/** Reads no more of the sources than the hits ask for: there may be tens of thousands. */
function everything(view: IndexView): Scope {
  const { role } = view;
  const sources: SourceRows = {
    get: (id) => rowOf(view, id),
    values: () => rowsOf(view).values(),
  };
  const hints = { files: new Map(), branch: new Map(), words: [] };
  return { accept: (line) => role[line]! < ROLE.document, plain: {}, hints, sources };
}

/** Documents that may be found. Filters that only sessions can meet leave none. */
export async function documentScope(
  world: World,
  view: IndexView,
  filters: SearchFilters,
): Promise<Map<number, SourceRow>> {
  const { agent, role, onlyFiles, topics, keepitMin, keepitMax } = filters;
  const ofSessions = [agent, role, onlyFiles, topics, keepitMin, keepitMax];
  const kinds = new Set<string>(filters.kinds);
  if (ofSessions.some((filter) => filter !== undefined && filter !== false)) return new Map();
  const asked = await projectsAsked(world, filters);
  const rows = rowsOf(view).filter((row) => kinds.has(row.kind) && asked(row.project));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether a time is in the requested range; what has no time is in no range. */
export function isInTime(ts: string, { since, until }: SearchFilters): boolean {
  if (since === undefined && until === undefined) return true;
  if (ts === '') return false;
  // A day alone, as concepts have it, is all of that day.
  return (since === undefined || endOfDay(ts) >= since) && (until === undefined || ts <= endOfDay(until));
}

/** By a column that each state of an index has of its own. */
const rowsById = new WeakMap<Uint8Array, Map<number, SourceRow | undefined>>();
const rowsOfViews = new WeakMap<Uint8Array, SourceRow[]>();

function rowOf(view: IndexView, id: number): SourceRow | undefined {
  const known = rowsById.get(view.role) ?? new Map<number, SourceRow | undefined>();
  rowsById.set(view.role, known);
  if (!known.has(id)) known.set(id, view.sources([id])[0]);
  return known.get(id);
}

/** A view does not change: its sources are read once, however many questions it gets. */
function rowsOf(view: IndexView): SourceRow[] {
  const rows = rowsOfViews.get(view.role) ?? view.sources();
  rowsOfViews.set(view.role, rows);
  return rows;
}

/** Lines with a keepit of the wanted weight; undefined when none is asked for. */
async function keptLines(
  world: World,
  view: IndexView,
  { keepitMin, keepitMax }: SearchFilters,
  sources: Map<number, SourceRow>,
): Promise<Set<number> | undefined> {
  if (keepitMin === undefined && keepitMax === undefined) return undefined;
  const lines = new Set<number>();
  const markers = new Map<string, Map<string, EffectiveMarker[]>>();
  for (const row of sources.values()) {
    if (!markers.has(row.project)) {
      const opened = await ifReadable(world.archive.open(row.project));
      const sessions = opened ? sessionsOf(opened.manifest) : [];
      markers.set(row.project, new Map(sessions.map((it) => [it.sessionId, it.keepitMarkers])));
    }
    const wanted = (markers.get(row.project)?.get(row.name) ?? []).filter(
      (marker) => marker.weight >= (keepitMin ?? 0) && marker.weight <= (keepitMax ?? 1),
    );
    if (wanted.length === 0) continue;
    const places = new Set(wanted.map((marker) => marker.src));
    for (const [first, count] of view.runs(row.id)) {
      const all = Array.from({ length: count }, (_, index) => first + index);
      for (const [index, place] of view.places(all).entries())
        if (places.has(place.src)) lines.add(first + index);
    }
  }
  return lines;
}

/** Lines outside the requested time, of sources that are partly inside. */
function linesOutside(
  view: IndexView,
  { since, until }: SearchFilters,
  sources: Map<number, SourceRow>,
): Set<number> {
  const outside = new Set<number>();
  if (since === undefined && until === undefined) return outside;
  const isIn = (ts: string) =>
    (since === undefined || ts >= since) && (until === undefined || ts <= endOfDay(until));
  for (const row of sources.values()) {
    if (row.first !== '' && isIn(row.first) && isIn(row.last)) continue;
    for (const [first, count] of view.runs(row.id)) {
      const all = Array.from({ length: count }, (_, index) => first + index);
      for (const [index, { ts }] of view.places(all).entries()) if (!isIn(ts)) outside.add(first + index);
    }
  }
  return outside;
}

/** How much the named files speak for each source, from 0 to 1: a file that few changed says more. */
function fileHints(view: IndexView, files: string[], sources: number): Map<number, number> {
  const score = new Map<number, number>();
  let most = 0;
  for (const file of files) {
    const found = view.sourcesWithFile(file);
    if (found.length === 0) continue;
    const rarity = Math.log(1 + (sources - found.length + 0.5) / (found.length + 0.5));
    most += rarity;
    for (const { source } of found) score.set(source, (score.get(source) ?? 0) + rarity);
  }
  for (const [source, sum] of score) score.set(source, sum / most);
  return score;
}

/** The share of a branch's own words that the query names. */
function branchHints(rows: SourceRow[], terms: string[]): Map<number, number> {
  const asked = new Set(terms);
  const score = new Map<number, number>();
  for (const row of rows) {
    const words = new Set(termsOf(row.branch).filter((term) => !/[/\-_]/.test(term)));
    const shared = [...words].filter((word) => asked.has(word)).length;
    if (shared > 1) score.set(row.id, shared / words.size);
  }
  return score;
}

/** The names of each session's concepts, as its project's manifest has them. */
async function topicsBySession(world: World, rows: SourceRow[]): Promise<Map<string, string>> {
  const topics = new Map<string, string>();
  for (const project of new Set(rows.map((row) => row.project))) {
    const opened = await ifReadable(world.archive.open(project));
    for (const { sessionId, metadata } of Object.values(opened?.manifest.sessions ?? {}))
      topics.set(`${project}/${sessionId}`, (metadata.primaryTopics ?? []).join(' '));
  }
  return topics;
}

function isAbout(row: SourceRow, topics: string[], topicsOf: Map<string, string>): boolean {
  const words = new Set(
    termsOf(`${row.title} ${row.branch} ${topicsOf.get(`${row.project}/${row.name}`) ?? ''}`),
  );
  return topics.some((topic) => termsOf(topic).every((term) => words.has(term)));
}

/** Whether words are whose they shall be; '' or nothing is this user, several names are those of a concept. */
export function isSaidBy(author: string | undefined, { by }: SearchFilters): boolean {
  if (by === undefined) return true;
  return author === undefined || author === ''
    ? by === 'me'
    : author === by || author.split(', ').includes(by);
}

/** A day means all of it. */
export function endOfDay(time: string): string {
  return time.length <= 10 ? `${time}T23:59:59Z` : time;
}
