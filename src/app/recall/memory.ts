import { ShownWords } from '../../core/inject/already-said.ts';
import type { Exchange } from '../../core/layers/exchanges/exchanges.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { isOutdated } from '../../core/model/refine-engine.ts';
import type { SessionRecord } from '../../core/model/session.ts';
import type { Document } from '../../core/search/documents/document.ts';
import { inLine, shortened, wholeLines } from '../../core/search/recall-text.ts';
import type { RecallScope } from '../find/scope.ts';
import { memoryNames } from '../rolling/texts.ts';
import { memoryDocuments } from '../search/document-files.ts';
import type { World } from '../world.ts';
import type { RecallPiece, RecallSources } from './sources.ts';
import { isBy } from './topic.ts';

export type MemoryRequest = {
  budget: number;
  asOf?: string | undefined;
  /** Exchanges that are included as they were said: an entry about nothing else adds nothing. */
  latest: RecallPiece[];
  /** Texts that are included before: lines of entries that say the same again are left out. */
  shown?: readonly string[];
};

/** Shares of the budget: what comes after must find room, too. */
const SHARE = { note: 0.2, memory: 0.25, summary: 0.1 } as const;
const SECTION = { note: 'The project', memory: 'Memory', summary: 'Before that' } as const;
/** Characters of a token, at least. */
const UNITS = 3;
/** Of a share that one piece may take. */
const LARGEST = 0.6;
/** Less of a text than this is useless. */
const LEAST_UNITS = 80;
/** Archives whose summaries are included, and projects whose memory is where all are asked. */
const NEWEST = 2;
/** Lines of an entry that say nothing without the others. */
const ABOUT_OTHERS = /^- (?:(?:more|changed): |asked \([a-z ]+\): [^→]*$)/;

/** What a project's memory says whatever the topic: project.md, the tail of memory.md, the newest archives in short. */
export async function memoryPieces(
  world: World,
  scope: RecallScope,
  sources: RecallSources,
  request: MemoryRequest,
): Promise<RecallPiece[]> {
  const asked = newestFirst(scope.manifests).slice(0, scope.project === undefined ? NEWEST : undefined);
  const pieces: Record<keyof typeof SHARE, RecallPiece[]> = { note: [], memory: [], summary: [] };
  for (const manifest of asked) {
    const project = manifest.projectId;
    const names = await memoryNames(world, project);
    const piece = pieceMaker(world, manifest, scope.labels.get(manifest.projectId), request.asOf);
    const isRepeated = await repeatedIn(sources, project, request.latest);
    const shown = new ShownWords(request.shown ?? []);
    const take = async (kind: keyof typeof SHARE, name: string, choose = (it: Document[]) => it) => {
      if (names.includes(name))
        pieces[kind].push(...choose(await memoryDocuments(world, project, name)).flatMap(piece(kind, name)));
    };
    await take('note', 'project.md');
    // Notes are a person's; the rest may be nobody's words.
    if (sources.stale.has(project)) continue;
    await take('memory', 'memory.md', (entries) =>
      entries
        .filter((it) => !isRepeated(it) && !isOfOutdated(manifest, it))
        .flatMap((it) => withoutShown(it, shown))
        .reverse(),
    );
    for (const name of summaries(names).slice(0, NEWEST))
      await take('summary', name, (parts) => parts.filter(({ title }) => title === 'summary'));
  }
  const within = (kind: keyof typeof SHARE) => cut(pieces[kind], request.budget * SHARE[kind] * UNITS);
  return [...within('note'), ...within('memory'), ...within('summary')];
}

/** An entry without the lines that are shown elsewhere; none where those that are left are about them. */
function withoutShown(entry: Document, shown: ShownWords): Document[] {
  const lines = entry.text.split('\n');
  const left = lines.filter((line) => !shown.repeats(line));
  if (left.length === lines.length) return [entry];
  return left.every((line) => ABOUT_OTHERS.test(line)) ? [] : [{ ...entry, text: left.join('\n') }];
}

/** Its session's copy is gone, so that it can't be read again, or the user took it out. */
function isOfOutdated({ sessions }: Manifest, { sessionId }: Document): boolean {
  if (sessionId === undefined) return false;
  const isOver = (it: SessionRecord) => isOutdated(it) || !it.registered;
  return Object.values(sessions).some((it) => isOver(it) && it.sessionId.startsWith(sessionId));
}

/** Whether the newest exchanges cover all that an entry is about. */
async function repeatedIn(
  sources: RecallSources,
  project: string,
  latest: RecallPiece[],
): Promise<(entry: Document) => boolean> {
  const ids = new Set(latest.map(({ exchange }) => exchange));
  const known = new Map<string, Exchange[]>();
  for (const row of sources.rows) {
    if (row.projectId === project && latest.some(({ sessionId }) => sessionId === row.sessionId))
      known.set(row.sessionId, await sources.exchanges(row));
  }
  return ({ sessionId, range }) => {
    if (sessionId === undefined || range === undefined) return false;
    const own = [...known].find(([id]) => id.startsWith(sessionId))?.[1] ?? [];
    const about = own.filter(({ l1_range: [first, last] }) => first <= range[1] && last >= range[0]);
    return about.length > 0 && about.every(({ id }) => ids.has(id));
  };
}

type Maker = (kind: keyof typeof SHARE, name: string) => (document: Document) => RecallPiece[];

function pieceMaker(
  world: World,
  manifest: Manifest,
  label: string | undefined,
  asOf: string | undefined,
): Maker {
  const owner = label === undefined ? [] : [label];
  return (kind, name) =>
    ({ title, text, ts, sessionId = '' }) => {
      // When a note was written is not known.
      if (text.trim() === '' || (asOf !== undefined && (ts === '' || !isBy(ts, asOf)))) return [];
      const of = kind === 'memory' && sessionId !== '' ? [`session ${inLine(sessionId)}`] : [];
      const when = ts === '' ? [] : [world.clock.local(ts)];
      const what = kind === 'note' && `${title}.md` !== name ? [inLine(title)] : [];
      const source = [...owner, name, ...what, ...of, ...when].join(', ');
      const project = manifest.projectId;
      // A line of an entry is an item; what people and summaries write is prose.
      const byLine = kind === 'memory' ? { byLine: true as const } : {};
      return [{ kind, section: SECTION[kind], source, text, project, sessionId, ts, ...byLine }];
    };
}

/** As many as their share holds; those that are long, and the last one, shortened. */
function cut(pieces: RecallPiece[], units: number): RecallPiece[] {
  const taken: RecallPiece[] = [];
  let left = units;
  for (const piece of pieces) {
    if (left < LEAST_UNITS) break;
    const most = Math.floor(Math.min(left, units * LARGEST));
    const lines = piece.byLine ? wholeLines(piece.text, most) : '';
    // What has no room behind others has it in other pieces; a single long line has it nowhere.
    if (piece.byLine && lines.length < LEAST_UNITS && taken.length > 0) break;
    const text = lines.length < LEAST_UNITS ? shortened(piece.text, most) : lines;
    taken.push({ ...piece, text });
    left -= text.length + piece.source.length;
  }
  return taken;
}

function newestFirst(manifests: Manifest[]): Manifest[] {
  const last = ({ sessions }: Manifest) =>
    Object.values(sessions).reduce(
      (most, { lastTimestamp }) => (lastTimestamp > most ? lastTimestamp : most),
      '',
    );
  const times = new Map(manifests.map((it) => [it, last(it)]));
  return [...manifests].sort((a, b) => (times.get(a)! < times.get(b)! ? 1 : -1));
}

/** The newest first: an archive's name is its time. */
function summaries(names: string[]): string[] {
  return names
    .filter((name) => name.endsWith('.summary.json'))
    .sort()
    .reverse();
}
