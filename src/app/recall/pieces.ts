import { onlyAsks } from '../../core/inject/prompt-kind.ts';
import type { Exchange } from '../../core/layers/exchanges/exchanges.ts';
import type { L1Line } from '../../core/model/l1.ts';
import { shortened } from '../../core/search/recall-text.ts';
import { sentencesOf, wholeSentences } from '../../core/text/sentences.ts';
import type { SessionRow } from '../find/sessions.ts';
import type { RecallPiece, RecallSources } from './sources.ts';
import { isBy } from './topic.ts';

const LATEST_SESSIONS = 6;
const LATEST_EXCHANGES = 12;
/** Sessions that are looked at for those in which something was done. */
const LOOKED_AT = 40;
const ASK_UNITS = 400;
const ANSWER_UNITS = 400;
const FILES_NAMED = 8;

/** Confirmed keepits of weight 1.00, newest first, each text once. */
export function pinnedPieces(sources: RecallSources, asOf: string | undefined): RecallPiece[] {
  const seen = new Set<string>();
  const markers = sources.rows.flatMap((row) => row.keepitMarkers.map((marker) => ({ row, marker })));
  return markers
    .filter(({ marker }) => marker.weight === 1 && !marker.held && marker.content.trim() !== '')
    .filter(({ marker }) => asOf === undefined || isBy(marker.createdAt, asOf))
    .sort((a, b) =>
      a.marker.createdAt < b.marker.createdAt ? 1 : a.marker.createdAt > b.marker.createdAt ? -1 : 0,
    )
    .filter(({ marker }) => !seen.has(marker.content.trim()) && seen.add(marker.content.trim()))
    .map(({ row, marker }) =>
      sources.piece({
        kind: 'pinned',
        project: row.projectId,
        sessionId: row.sessionId,
        ts: marker.createdAt,
        who: marker.origin,
        text: marker.content,
        whole: true,
      }),
    );
}

export type LatestRequest = {
  asOf?: string | undefined;
  /** Exchanges of one session: a long one must not leave the others no room. */
  ofEach?: number;
  /** Sessions that take no room, as `talkSessions` names them. */
  without?: ReadonlySet<string>;
};

/** The newest sessions in which somebody only asked, and that state nothing; none where all are such. */
export async function talkSessions(
  sources: RecallSources,
  states: (row: SessionRow) => boolean,
): Promise<ReadonlySet<string>> {
  const rows = sources.rows.slice(0, LOOKED_AT);
  const talked = await Promise.all(
    rows.map(async (row) => !states(row) && isTalk(row, await sources.exchanges(row))),
  );
  const talk = rows.filter((_, at) => talked[at]).map(sessionKey);
  return new Set(talk.length < rows.length ? talk : []);
}

export const sessionKey = ({ projectId, sessionId }: { projectId: string; sessionId: string }) =>
  `${projectId}/${sessionId}`;

/** The newest exchanges of the newest sessions. */
export async function latestPieces(
  sources: RecallSources,
  { asOf, ofEach = LATEST_EXCHANGES, without }: LatestRequest = {},
): Promise<RecallPiece[]> {
  const pieces: RecallPiece[] = [];
  const rows = sources.rows.filter((row) => asOf === undefined || isBy(row.firstTimestamp, asOf));
  let sessions = 0;
  for (const row of rows) {
    if (sessions === LATEST_SESSIONS) break;
    let left = ofEach;
    if (without?.has(sessionKey(row))) continue;
    for (const exchange of (await sources.exchanges(row)).reverse()) {
      if (pieces.length >= LATEST_EXCHANGES) return pieces;
      if (left === 0) break;
      if (exchange.abandoned) continue;
      if (asOf !== undefined && !isBy(exchange.ts, asOf)) continue;
      const text = isTrivial(exchange) ? '' : await gist(sources, row, exchange, asOf);
      if (text === '') continue;
      const { projectId: project, sessionId } = row;
      left--;
      pieces.push(
        sources.piece({ kind: 'latest', project, sessionId, ts: exchange.ts, exchange: exchange.id, text }),
      );
    }
    // A session without anything to say takes no room.
    if (left < ofEach) sessions++;
  }
  return pieces;
}

const GREETING =
  /^[\s\p{P}]*(?:hi|hello|hey|thanks|thank you|test|ping|ok|yes|continue|exit|bye)\b[\s\p{P}]*$/iu;

/** A greeting without a result. */
function isTrivial({ ask, tools }: Exchange): boolean {
  return tools === 0 && GREETING.test(ask);
}

/** Lines that control a client's window or replace a call, useless to a reader: `::git-stage{cwd="..."}`, `[tool: ...]`. */
const DIRECTIVE = /^(?:::[\w-]+\{.*\}|\[tool: .*\]|Tool use: \*\*[\w-]+\*\*.*)\s*$/gm;

/** Somebody asked, and nothing was done or ordered. */
function isTalk({ metadata }: SessionRow, exchanges: Exchange[]): boolean {
  const isQuiet = ({ ask, tools }: Exchange) =>
    tools === 0 && (ask.trim() === '' || GREETING.test(ask) || onlyAsks(ask));
  return metadata.filesTouched.length === 0 && exchanges.every(isQuiet);
}

/** An answer's first sentences; code and tables say little without their whole. */
function answerInShort(text: string): string {
  const plain = text.replace(DIRECTIVE, '').trim();
  const prose = wholeSentences(sentencesOf(plain).join(' '), ANSWER_UNITS);
  return prose === '' ? shortened(plain, ANSWER_UNITS) : prose;
}

/** An exchange in short: what was asked, what was answered last, which files changed. */
async function gist(
  sources: RecallSources,
  row: SessionRow,
  exchange: Exchange,
  asOf: string | undefined,
): Promise<string> {
  const [first, last] = exchange.l1_range;
  const lines = (await sources.lines(row.projectId, row.sessionId)).slice(first - 1, last);
  // What was refused, withdrawn or rejected since is not shown as the latest.
  const { takenBack } = await sources.verdicts(row);
  const isGone = ({ src, text = '' }: L1Line) =>
    takenBack.some((gone) => gone.src === src && text.includes(gone.was));
  if (lines.some((line) => line.role === 'user' && isGone(line))) return '';
  const answer = lines.findLast(
    (line) =>
      line.role === 'assistant' && line.text && !isGone(line) && (asOf === undefined || isBy(line.ts, asOf)),
  );
  const words: string[] = [];
  if (exchange.ask.trim() !== '') words.push(`user: ${shortened(exchange.ask.trim(), ASK_UNITS)}`);
  if (answer?.text) words.push(`assistant: ${answerInShort(answer.text)}`);
  // Of an exchange that was still going on at that time, the files changed by then are not known.
  const whole = asOf === undefined || lines.every((line) => isBy(line.ts, asOf));
  if (exchange.files.length > 0 && words.length > 0 && whole) {
    const more =
      exchange.files.length > FILES_NAMED ? ` and ${exchange.files.length - FILES_NAMED} more` : '';
    words.push(`changed: ${exchange.files.slice(0, FILES_NAMED).join(', ')}${more}`);
  }
  return words.join('\n');
}
