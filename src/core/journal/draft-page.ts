import type { ExchangeRecord } from '../model/exchange.ts';
import type { L1Line } from '../model/l1.ts';
import type { SessionStatement } from '../model/statement.ts';
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { coverage, likeness, SAME_SENTENCE, subjectOf } from './alike.ts';
import { commitSubjects } from './commits.ts';
import { type JournalPage, LONGEST_POINT, type Point, type PointKind } from './page.ts';
import { plainLine } from './plain-line.ts';
import { type PlacedPoint, statementPoints, takenBackPoints } from './statement-points.ts';

/** All that a summary is made from. */
export type Story = {
  session: string;
  title: string | undefined;
  branches: string[];
  first: string;
  last: string;
  exchanges: ExchangeRecord[];
  /** Bytes of messages that the user rejected or that were withdrawn in a later session. */
  gone?: ReadonlySet<number>;
  /** What is true at its end, as far as nobody took it back since. */
  statements: SessionStatement[];
  lines: L1Line[];
};

type Found = PlacedPoint & { score: number };

/** Points of one kind that a page has room for besides statements. */
const MOST: Partial<Record<PointKind, number>> = { learning: 3, done: 8 };
const MOST_FILES = 30;
const MOST_COMMANDS = 8;
const LONGEST_TITLE = 80;
const LONGEST_STATUS = 160;
/** The share of a point in a statement from which the point adds nothing. */
const COVERED = 0.8;
/** Commands that say whether the work is sound. */
const CHECKS = /\b(?:test|tests|lint|build|check|typecheck|tsc|vet|compile|verify|ci)\b/;
/** Asks that say nothing about what a conversation was about. */
const SMALL_TALK =
  /^(?:\/\S+|hi|hello|hey|yes|no|ok(?:ay)?|sure|thanks?|thank you|go on|continue|do it|please|done|commit|push|\[?request interrupted.*|operation stopped.*)[\s.!]*(?:please)?$/i;

/** A page made from what was said and done, without a model. */
export function draftPage(story: Story): JournalPage {
  const exchanges = story.exchanges.filter(({ outcome }) => outcome !== 'rejected');
  const asks = exchanges.filter(({ ask, src }) => isMeaningful(ask) && !story.gone?.has(src));
  const stated = statementPoints(story.statements, story.exchanges);
  const found = exchanges.flatMap((exchange) => pointsOf(exchange, story.lines));
  const status = statusOf(asks);
  const points = [
    ...inOrder([...stated, ...chosen(found, stated), ...takenBackPoints(story.statements, story.exchanges)]),
    ...(status ? [status] : []),
    ...openEnd(exchanges),
  ];
  return {
    session: story.session,
    title: titleOf(story, asks),
    context: contextOf(story, asks, exchanges),
    points,
    files: mostOften(exchanges.map(({ files }) => files.filter(isInside))).slice(0, MOST_FILES),
    commands: mostOften(exchanges.map(({ commands }) => commands)).slice(0, MOST_COMMANDS),
    first: story.first,
    last: story.last,
  };
}

function pointsOf(exchange: ExchangeRecord, all: L1Line[]): Found[] {
  const [from, to] = exchange.l1_range;
  const lines = all.slice(from - 1, to);
  const found: Found[] = [];
  const put = ({ text, at, ...point }: Omit<Found, 'exchange'>) =>
    found.push({
      ...point,
      text: plainLine(opened(text), LONGEST_POINT),
      exchange: exchange.id,
      at: from + at,
    });
  lines.forEach((line, at) => {
    for (const subject of commitSubjects(line))
      if (subjectOf(subject).size >= 3) put({ kind: 'done', text: subject, by: 'assistant', at, score: 2 });
  });
  for (const { command, error, why, files } of exchange.fixed) {
    // Without a reason, it only says that work continued.
    if (why === undefined) continue;
    const reason = errorText(error, 100);
    const failed = `\`${command}\` failed${reason === '' ? '' : `: ${reason}`}.`;
    const changed = files.length === 0 ? '' : ` Fixed in ${files.slice(0, 2).join(', ')}.`;
    const text = `${failed} ${cutAtWord(why, 160)}${changed}`;
    put({ kind: 'learning', text, by: 'assistant', at: lines.length, score: 2 });
  }
  return found;
}

/** An error as it is known, without the numbers of lines; what is mostly numbers says nothing without them. */
function errorText(error: string, longest: number): string {
  const text = error.replace(/(?<=\.\w{1,5})(?::#)+/g, '');
  return text.includes('#') ? '' : cutAtWord(text, longest);
}

/** A sentence without what only joined it to the one before. */
function opened(text: string): string {
  const plain = text.replace(
    /^(?:(?:but|and|so|also|oh|ok(?:ay)?|hmm+|well|cool|great|nice|right|all good|looks good|stop for a second)\b[\s,.!–-]+)+/i,
    '',
  );
  return /^\p{Ll}[\p{L}'’]*[\s,]/u.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
}

/** Files of other places, such as an agent's own plans, belong to no project. */
function isInside(file: string): boolean {
  return !/^(?:[/~\\]|[A-Za-z]:|\.\.)/.test(file);
}

/** The best of each kind, none that a statement says already. */
function chosen(found: Found[], stated: PlacedPoint[]): PlacedPoint[] {
  const known = stated.map(({ text }) => subjectOf(text));
  const counts = new Map<PointKind, number>();
  const taken: Found[] = [];
  for (const point of [...found].sort((a, b) => b.score - a.score || a.at - b.at)) {
    const count = counts.get(point.kind) ?? 0;
    if (count >= (MOST[point.kind] ?? 0) || point.text === '') continue;
    const subject = subjectOf(point.text);
    if (
      known.some((other) => likeness(subject, other) >= SAME_SENTENCE || coverage(subject, other) >= COVERED)
    )
      continue;
    counts.set(point.kind, count + 1);
    known.push(subject);
    taken.push(point);
  }
  return taken;
}

function inOrder(points: PlacedPoint[]): Point[] {
  return points
    .sort((a, b) => a.at - b.at)
    .map(({ kind, text, by, exchange }) => pointWith(kind, text, by, exchange));
}

function pointWith(kind: PointKind, text: string, by: Point['by'], exchange: string | undefined): Point {
  return { kind, text, ...(by === undefined ? {} : { by }), ...(exchange === undefined ? {} : { exchange }) };
}

function titleOf({ title, session }: Story, asks: ExchangeRecord[]): string {
  const named = plainLine(title ?? '', LONGEST_TITLE);
  if (named !== '' && isMeaningful(named)) return named;
  const [first] = asks;
  const asked = first ? plainLine(sentencesOf(first.ask)[0] ?? first.ask, LONGEST_TITLE) : '';
  return asked === '' ? `Conversation ${session.slice(0, 8)}` : asked.replace(/[.。]$/, '');
}

function contextOf({ branches, first, last }: Story, asks: ExchangeRecord[], all: ExchangeRecord[]): string {
  const [one] = asks;
  const asked = one ? `Asked: ${plainLine(one.ask, 240)}` : 'No substantial request.';
  const days =
    first.slice(0, 10) === last.slice(0, 10)
      ? first.slice(0, 10)
      : `${first.slice(0, 10)} to ${last.slice(0, 10)}`;
  const branch =
    branches.length === 0
      ? ''
      : `, on ${branches
          .slice(0, 3)
          .map((it) => `\`${plainLine(it, 80)}\``)
          .join(', ')}`;
  const when = days === '' ? '' : `${days}: `;
  const more = `${when}${all.length} ${all.length === 1 ? 'ask' : 'asks'}${branch}.`;
  return `${/[.!?…。]$/.test(asked) ? asked : `${asked}.`}\n${more}`;
}

/** The state in the end: what was asked last, and how that ended. The agent's own word on it proves nothing. */
function statusOf(asks: ExchangeRecord[]): Point | undefined {
  const last = asks.at(-1);
  if (!last) return undefined;
  const text = `Last asked: "${plainLine(last.ask, LONGEST_STATUS)}" (${last.outcome})`;
  return { kind: 'status', text, by: 'user', exchange: last.id };
}

/** Commands that failed and did not pass any more: nobody came back to them. */
function openEnd(exchanges: ExchangeRecord[]): Point[] {
  const failing = new Map<string, Point>();
  for (const { id, failed, commands, fixed, outcome } of exchanges) {
    for (const { command, error } of failed) {
      // Others fail for many reasons, and are often meant to.
      if (!CHECKS.test(command) || command.includes('/tmp/') || outcome === 'done') continue;
      const reason = errorText(error, 160);
      const text = `\`${command}\` still failed in the end${reason === '' ? '.' : `: ${reason}`}`;
      failing.set(command, {
        kind: 'open',
        text: plainLine(text, LONGEST_POINT),
        by: 'assistant',
        exchange: id,
      });
    }
    for (const command of [...commands, ...fixed.map((it) => it.command)]) failing.delete(command);
  }
  const recent = new Set(exchanges.slice(-2).map(({ id }) => id));
  return [...failing.values()].filter(({ exchange }) => recent.has(exchange ?? '')).slice(-2);
}

function isMeaningful(text: string): boolean {
  return !SMALL_TALK.test(text.trim()) && subjectOf(text).size >= 2;
}

/** Those that are in most lists first; of equal ones the latest. */
function mostOften(lists: string[][]): string[] {
  const seen = new Map<string, { count: number; at: number }>();
  lists.forEach((list, at) => {
    for (const it of new Set(list)) seen.set(it, { count: (seen.get(it)?.count ?? 0) + 1, at });
  });
  return [...seen].sort(([, a], [, b]) => b.count - a.count || b.at - a.at).map(([it]) => it);
}
