import type { SearchHit } from '../../../app/search/hits.ts';
import { rangesOf } from '../../../core/search/snippet.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { fitText } from '../terminal/text-width.ts';
import { wrapText } from '../terminal/wrap-text.ts';

export type HitNames = {
  projects: Map<string, string>;
  sessions: Map<string, string>;
};

/** What hits of one search are read with. */
type HitReading = { names: HitNames; matches: (term: string) => boolean; clock: Clock };

const SNIPPET_LINES = 3;
const INDENT = '   ';
const LISTED_VERSIONS = 2;

/** Words of others have their name. */
function whoseOf({ role, by }: SearchHit, style: Console['style']): string {
  if (by !== undefined) return style.warn(cleanLine(role === 'user' || role === '' ? by : `${by}, ${role}`));
  return role === 'user' ? style.good('you') : role;
}

/** One hit for people: where and when, the words, the exchange. */
export function hitBlock(
  hit: SearchHit & { versions?: string[] },
  number: number,
  { names, matches, clock }: HitReading,
  { style, width }: Pick<Console, 'style' | 'width'>,
): string[] {
  const head = [
    String(number).padStart(2),
    style.strong(cleanLine(names.projects.get(hit.project) ?? hit.project)),
    style.accent(hit.kind === 'turn' ? (names.sessions.get(hit.sessionId) ?? hit.sessionId) : hit.kind),
    // A day alone, as concepts have it, or nothing.
    hit.ts.length <= 10 ? hit.ts : clock.local(hit.ts),
    whoseOf(hit, style),
    style.dim(hit.score.toFixed(2)),
  ].filter((part) => part !== '');
  const room = width === undefined ? undefined : Math.max(20, width - INDENT.length - 1);
  const words =
    hit.passage === undefined
      ? wrap(cleanLine(hit.snippet), room)
      : hit.passage.split('\n').flatMap((line) => wrapText(cleanLine(line), room));
  const foot = fitted(
    footOf(hit)
      .filter((part) => part !== '')
      .join('  '),
    width,
  );
  return [
    head.join('  '),
    ...words.map((line) => INDENT + mark(line, matches, style.warn)),
    ...verdictOf(hit, room).map((line) => INDENT + style.warn(line)),
    INDENT + style.dim(foot),
  ];
}

/** What later words say of it. */
function verdictOf({ verdict }: SearchHit, room: number | undefined): string[] {
  return verdict === undefined ? [] : wrapText(cleanLine(verdict), room);
}

/** What leads to it: its exchange, or its file and name. */
function footOf({
  kind,
  exchange,
  title,
  place,
  versions = [],
}: SearchHit & { versions?: string[] }): string[] {
  if (kind === 'turn') return [exchange.id, inVersions(versions), cleanLine(title)];
  return [cleanLine(place.file), cleanLine(title), kind === 'exchange' ? '' : exchange.id];
}

function inVersions(versions: string[]): string {
  if (versions.length === 0) return '';
  const more = versions.length - LISTED_VERSIONS;
  return `in ${versions.slice(-LISTED_VERSIONS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** On one line of the terminal. */
function fitted(text: string, width: number | undefined): string {
  return width === undefined ? text : fitText(text, Math.max(20, width - INDENT.length));
}

function mark(line: string, matches: (term: string) => boolean, paint: (text: string) => string): string {
  let marked = '';
  let last = 0;
  for (const [start, end] of rangesOf(line, matches)) {
    marked += line.slice(last, start) + paint(line.slice(start, end));
    last = end;
  }
  return marked + line.slice(last);
}

/** At most three lines, broken between words. */
function wrap(text: string, width: number | undefined): string[] {
  const lines = wrapText(text, width);
  if (lines.length <= SNIPPET_LINES) return lines;
  return [...lines.slice(0, SNIPPET_LINES - 1), `${lines[SNIPPET_LINES - 1]}…`];
}
