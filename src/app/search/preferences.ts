import { lineText } from '../../core/search/documents/session.ts';
import { holdsPhrase, type Query } from '../../core/search/query.ts';
import { isQuestion } from '../../core/search/query-intent.ts';
import type { IndexView } from '../../ports/search-index.ts';
import type { World } from '../world.ts';
import type { SourceRows } from './filters.ts';
import type { HitReader } from './hits.ts';
import { linesWithWords } from './phrase-lines.ts';
import type { Found } from './rank-lines.ts';
import { UNHELPFUL, unhelpfulAmong } from './unhelpful-sources.ts';

/** Of two equally good hits, the one of the current repository comes first. */
const HERE = 1.15;
/** Lines that are read to see whether they hold the query word for word. */
const MOST_READ = 30;

/** The folders of the repository that one is in; none where it is not known. */
export async function foldersHere(world: World): Promise<string[]> {
  const { projectHere } = await import('../find/locate-project.ts');
  const { projectsOf } = await import('../repository/repositories.ts');
  const project = await projectHere(world);
  return project === undefined ? [] : projectsOf(world, project);
}

export type PreferredBy = {
  query: Query;
  rows: SourceRows;
  reader: HitReader;
  /** Folders of the repository that one is in. */
  here: readonly string[];
  turns: boolean;
};

/** What else than its words speaks for a line: it has the query word for word, is of this repository, and helped before. */
export async function preferred(
  world: World,
  view: IndexView,
  found: Found[],
  { query, rows, reader, here, turns }: PreferredBy,
): Promise<Found[]> {
  const exchanges = found.map(({ line }) => view.exchange[line]!);
  const lowered = await unhelpfulAmong(world, view, exchanges, (source) => rows.get(source));
  const near = new Set(here);
  const isHere = (exchange: number) =>
    near.size > 0 && near.has(rows.get(view.source[exchange]!)?.project ?? '');
  const weighed = found.map(({ line, score }, at) => ({
    line,
    score: score * (lowered[at] ? UNHELPFUL : 1) * (isHere(exchanges[at]!) ? HERE : 1),
  }));
  if (!turns) return weighed;
  const helped = new Set(found.filter((_, at) => !lowered[at]).map(({ line }) => line));
  return phraseFirst(view, weighed, query, { reader, isAsked: (line) => helped.has(line) });
}

/** Turns with the words of the query side by side come before all others. */
async function phraseFirst(
  view: IndexView,
  found: Found[],
  { text, terms, phrases }: Query,
  { reader, isAsked }: { reader: HitReader; isAsked: (line: number) => boolean },
): Promise<Found[]> {
  if (terms.length < 2 || phrases.length > 0 || isQuestion(text)) return found;
  const phrase = text.toLowerCase().replace(/\s+/g, ' ').trim();
  const held = linesWithWords(view, phrase);
  if (!held) return found;
  const top = found.reduce((most, { score }) => Math.max(most, score), 0);
  const asked = found.filter(({ line }) => held.has(line) && isAsked(line)).sort((a, b) => b.score - a.score);
  const whole = new Set<number>();
  for (const { line } of asked.slice(0, MOST_READ)) {
    const read = await reader.line(line);
    if (read && holdsPhrase(lineText(read), phrase)) whole.add(line);
  }
  return found.map((one) => (whole.has(one.line) ? { ...one, score: one.score + top } : one));
}
