import { sessionTitle } from '../../core/model/session-title.ts';
import type { PackedPiece } from '../../core/search/pack.ts';
import { oneLine } from '../../core/search/recall-text.ts';
import { millisOf } from '../../core/text/utc.ts';
import type { BlamedCommit } from '../../ports/git.ts';
import type { SessionRow } from '../find/sessions.ts';
import { type HitsAtHand, MOST_AT_HAND } from './hits-at-hand.ts';

/** A commit is made while its session runs, or soon after. */
const SOON_MS = 30 * 60 * 1000;
const ABBREVIATED = 10;

/** Why a file is as it is: the commits that its lines are from, what was decided about it, and the sessions that changed it. */
export async function aboutFile(of: HitsAtHand, asked: string): Promise<PackedPiece[]> {
  const [, named = asked, line] = /^(.*?):(\d+)(?::\d+)?$/.exec(asked) ?? [];
  const path = named.replace(/^\.\//, '');
  const isIt = (other: string) => other === path || other.endsWith(`/${path}`) || path.endsWith(`/${other}`);
  const isNamed = namesFile(path, isIt);
  const stated = of.sources.stated
    .filter(
      ({ statement, changed }) =>
        isNamed(statement.text) || (statement.author === 'user' && changed.some(isIt)),
    )
    .filter(({ statement }) => statement.tier === 'shown' || statement.foundBy === 'commit')
    .map(({ sessionId, statement }) => ({ sessionId, ts: statement.ts, text: statement.text }));
  const rows = of.rows.filter((row) => row.metadata.filesTouched.some(isIt));
  const sessions = rows.map((row) => ({
    sessionId: row.sessionId as string,
    ts: row.lastTimestamp,
    text: sessionTitle(row) || 'no title',
  }));
  return [
    ...(await blamed(of, { path, line: line === undefined ? undefined : Number(line) }, rows)),
    ...of.newest('Decisions, commits and lessons', stated),
    ...of.newest('Sessions that changed it', sessions),
  ];
}

/** Whether a text names the file: `price.ts` is not `old-price.ts`, and `cart/price.ts` is another one where the folder differs. */
function namesFile(path: string, isIt: (other: string) => boolean): (text: string) => boolean {
  const base = path
    .split('/')
    .at(-1)!
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = new RegExp(`(?<![\\w.-])[\\w@./-]*?(?<![\\w-])${base}(?![\\w-])`, 'g');
  return (text) => (text.match(named) ?? []).some((it) => isIt(it.replace(/^\.?\//, '')));
}

/** Commits of its lines, each with the session that made it, as far as one is known. */
async function blamed(
  of: HitsAtHand,
  { path, line }: { path: string; line: number | undefined },
  rows: readonly SessionRow[],
): Promise<PackedPiece[]> {
  const { world, scope } = of;
  const roots = new Set([world.places.cwd, ...scope.manifests.map(({ originalPath }) => originalPath)]);
  const files = path.startsWith('/') ? [path] : [...roots].filter(Boolean).map((root) => `${root}/${path}`);
  let commits: BlamedCommit[] = [];
  for (const file of files) {
    if ((await world.machine.accessTo(file)) === 'missing') continue;
    commits = await world.git.blame(file, line);
    if (commits.length > 0) break;
  }
  const section = line === undefined ? 'Commits that its lines are from' : `Commit of line ${line}`;
  return commits.slice(0, MOST_AT_HAND).map((commit) => {
    const { id, ts, subject, lines, first } = commit;
    const session = sessionOf(of, commit, rows);
    const place = [
      `commit ${id.slice(0, ABBREVIATED)}`,
      world.clock.local(ts),
      session === undefined ? 'no session of this archive' : of.session(session),
    ].join(', ');
    const many = lines === 1 ? `line ${first}` : `${lines} lines from line ${first} on`;
    return {
      section,
      source: session === undefined ? place : of.source(place, session),
      text: line === undefined ? `${oneLine(subject)}\n${many}` : oneLine(subject),
    };
  });
}

/** The one whose commit has this subject; else the only one that changed the file at that time. */
function sessionOf(
  { sources }: HitsAtHand,
  { subject, ts }: BlamedCommit,
  rows: readonly SessionRow[],
): string | undefined {
  const said = sources.stated.find(
    ({ statement }) => statement.foundBy === 'commit' && subject !== '' && statement.text.includes(subject),
  );
  if (said) return said.sessionId;
  const at = millisOf(ts) ?? 0;
  const during = rows.filter(
    ({ firstTimestamp, lastTimestamp }) =>
      (millisOf(firstTimestamp) ?? 0) <= at && at <= (millisOf(lastTimestamp) ?? 0) + SOON_MS,
  );
  return during.length === 1 ? during[0]!.sessionId : undefined;
}
