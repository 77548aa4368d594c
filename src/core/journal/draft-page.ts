import type { ExchangeRecord } from '../model/exchange.ts';
import type { L1Line } from '../model/l1.ts';
import { cutAtWord, sentencesOf } from '../text/sentences.ts';
import { likeness, SAME_SENTENCE, subjectOf } from './alike.ts';
import { commitSubjects } from './commits.ts';
import { cueOf, isSelfContained, isStatement } from './cues.ts';
import { type JournalPage, LONGEST_POINT, type Point, type PointKind } from './page.ts';
import { plainLine } from './plain-line.ts';

/** All that a summary is made from. */
export type Story = {
  session: string;
  title: string | undefined;
  branches: string[];
  first: string;
  last: string;
  exchanges: ExchangeRecord[];
  lines: L1Line[];
};

type Found = Point & { at: number; score: number };

/** Points of one kind that a page has room for. */
const MOST: Record<PointKind, number> = {
  rule: 6,
  decision: 8,
  discovery: 6,
  learning: 5,
  change: 6,
  done: 10,
  status: 1,
  open: 4,
  note: 0,
};
const MOST_FILES = 30;
const MOST_COMMANDS = 8;
const LONGEST_TITLE = 80;
const LONGEST_STATUS = 240;
/** Exchanges from the end in which a status is looked for. */
const LOOK_BACK = 4;
/** A longer message of a user is mostly pasted. */
const PASTED = 1500;
/** Commands that say whether the work is sound. */
const CHECKS = /\b(?:test|tests|lint|build|check|typecheck|tsc|vet|compile|verify|ci)\b/;
/** Asks that say nothing of what a conversation was about. */
const SMALL_TALK =
  /^(?:\/\S+|hi|hello|hey|yes|no|ok(?:ay)?|sure|thanks?|thank you|go on|continue|do it|please|done|commit|push|\[?request interrupted.*|operation stopped.*)[\s.!]*(?:please)?$/i;

/** A page made from what was said and done, without a model. */
export function draftPage(story: Story): JournalPage {
  const exchanges = story.exchanges.filter(({ outcome }) => outcome !== 'abandoned');
  const asks = exchanges.filter(({ ask }) => isMeaningful(ask));
  const found = exchanges.flatMap((exchange) => pointsOf(exchange, story.lines));
  const status = statusOf(exchanges, story.lines);
  const points = [...chosen(found), ...(status ? [status] : []), ...openEnd(exchanges)];
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
  const lastWords = lines.findLastIndex((line) => line.role === 'assistant' && line.text);
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
    if (!line.text || (line.role !== 'user' && line.role !== 'assistant')) return;
    if (line.role === 'user' && (line.text.length > PASTED || /^\s*[<[]/.test(line.text))) return;
    const role = line.role;
    for (const sentence of sentencesOf(line.text)) {
      const cue = cueOf(sentence, role);
      if (!cue) continue;
      put({ kind: cue.kind, text: sentence, by: role, at, score: cue.score + (at === lastWords ? 0.5 : 0) });
    }
  });
  for (const { text, kind: said, score } of exchange.said) {
    if (score < 1 || !isSelfContained(text)) continue;
    const kind = said === 'fact' ? 'discovery' : said === 'decision' ? said : 'rule';
    put({ kind, text, by: 'user', at: 0, score: 2.5 + score });
  }
  for (const { text, by } of exchange.design)
    if (isStatement(text) && isSelfContained(text) && !STARTS_WITH_COMMIT.test(text))
      put({ kind: 'learning', text, by, at: lines.length, score: 1.5 });
  for (const { command, error, why, files } of exchange.fixed) {
    // Without a word on why, it only says that work went on.
    if (why === undefined) continue;
    const reason = errorText(error, 100);
    const failed = `\`${command}\` failed${reason === '' ? '' : `: ${reason}`}.`;
    const changed = files.length === 0 ? '' : ` Fixed in ${files.slice(0, 2).join(', ')}.`;
    const text = `${failed} ${cutAtWord(why, 160)}${changed}`;
    put({ kind: 'learning', text, by: 'assistant', at: lines.length, score: 2 });
  }
  return found;
}

const STARTS_WITH_COMMIT = /^`?[0-9a-f]{7,40}`?\s/;

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

/** The best of each kind, each once, in their order. */
function chosen(found: Found[]): Point[] {
  const taken: (Found & { subject: Set<string> })[] = [];
  const counts = new Map<PointKind, number>();
  for (const point of [...found].sort((a, b) => b.score - a.score || a.at - b.at)) {
    const count = counts.get(point.kind) ?? 0;
    if (count >= MOST[point.kind] || point.text === '') continue;
    const subject = subjectOf(point.text);
    if (taken.some((other) => likeness(subject, other.subject) >= SAME_SENTENCE)) continue;
    counts.set(point.kind, count + 1);
    taken.push({ ...point, subject });
  }
  return taken
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
  const asked = one ? `Asked: ${plainLine(one.ask, 240)}` : 'Nothing of weight was asked.';
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

/** The state in the end: what the agent said last that is no talk about the work at hand. */
function statusOf(exchanges: ExchangeRecord[], lines: L1Line[]): Point | undefined {
  for (const exchange of exchanges.slice(-LOOK_BACK).reverse()) {
    const [from, to] = exchange.l1_range;
    const spoken = lines.slice(from - 1, to).filter((line) => line.role === 'assistant' && line.text);
    for (const line of spoken.reverse()) {
      const sentence = sentencesOf(line.text!).find((it) => isStatement(it) && !it.startsWith('`')) ?? '';
      const text = plainLine(sentence, LONGEST_STATUS);
      if (text !== '') return { kind: 'status', text, by: 'assistant', exchange: exchange.id };
    }
  }
  return undefined;
}

/** Commands that failed and did not pass any more: nobody came back to them. */
function openEnd(exchanges: ExchangeRecord[]): Point[] {
  const failing = new Map<string, Point>();
  for (const { id, failed, commands, fixed } of exchanges) {
    for (const { command, error } of failed) {
      // Others fail for many reasons, and are often meant to.
      if (!CHECKS.test(command) || command.includes('/tmp/')) continue;
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
