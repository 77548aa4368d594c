import type { ExchangeRecord } from '../../model/exchange.ts';
import { isOwnWords, type L1Line } from '../../model/l1.ts';
import { cutAtWord, sentencesOf } from '../../text/sentences.ts';
import { type KeywordText, keywordsOf } from '../keywords.ts';
import { exchangeLine, subjectsIn } from '../titles/exchange-line.ts';
import { designNotes } from './design-notes.ts';
import { endingIn } from './ending.ts';
import { type Exchange, type ExchangeContext, exchangesOf, rewindsIn } from './exchanges.ts';
import { type Course, outcomeOf } from './outcome.ts';
import { apart, type Rewind } from './rewinds.ts';
import { statementsIn } from './statements.ts';
import { type SummaryUnit, summarize } from './summarize.ts';
import { breakthroughsOf, failuresOf, type Runs, runsIn, workedOf } from './tool-runs.ts';

const SUMMARY = 160;
/** An exchange in one line: its request and its outcome, both complete. */
const LINE = 220;
const DETAILS = 600;
const ASK = 240;
const KEYWORDS = 16;
/** Subjects that an exchange keeps, the latest. */
const COMMITS = 6;
/** Sentences of one exchange that a summary is chosen from; a very long answer says most of it early and late. */
const MOST_UNITS = 50;
/** Characters of a message that are looked at. */
const LOOKED_AT = 20_000;
const COMMIT = /\bgit commit\b[\s\S]*?(?:-[a-z]*m|--message)[ =]*(?:"\$\(cat <<'?EOF'?\s*\n)?["']?([^"'\n]+)/;
const NOTHING_RUN: Runs = { runs: [], edits: [], messages: [] };

/** What was run before a stretch of a session, what is said around it, and the exchange whose outcome the next one decides. */
export type Carried = ExchangeContext & { before: Runs; last?: Unsettled };

type Unsettled = { record: ExchangeRecord; course: Course; rewound: boolean };

export function nothingBefore(rewinds: Rewind[]): Carried {
  return { queued: new Map(), rewinds: apart(rewinds), before: NOTHING_RUN };
}

/**
 * The exchanges of a session (L2). `lines` begin at the L1 line `firstLine`, which is the first of an exchange. Each record
 * depends on its own lines and on the exchange before it; its outcome on the exchange after it, too, and on being rewound.
 * A long session is processed stretch by stretch: `carried` goes from one to the next, and settles the last outcome before it.
 */
export function exchangeRecords(
  sessionId: string,
  lines: L1Line[],
  firstLine = 1,
  carried = nothingBefore(rewindsIn(lines)),
): ExchangeRecord[] {
  return exchangesOf(sessionId, lines, carried, firstLine).map((found) => {
    const [from, to] = found.l1_range;
    const own = lines.slice(from - firstLine, to - firstLine + 1);
    // What nobody is known to have typed asks for nothing.
    const exchange = own[0]?.unproven ? { ...found, ask: '' } : found;
    const runs = runsIn(own, from);
    const course = { ask: exchange.ask, ending: endingIn(own, runs) };
    const record = recordOf(exchange, own, carried.before, runs);
    record.outcome = outcomeOf(course, undefined, exchange.abandoned);
    const { last } = carried;
    if (last) last.record.outcome = outcomeOf(last.course, course, last.rewound);
    carried.before = runs;
    carried.last = { record, course, rewound: exchange.abandoned };
    return record;
  });
}

/**
 * The last two exchanges, or the only one, after the session grew. `lines` begin with the first of them; this many of them were
 * known. Undefined if other exchanges refer to something earlier: then all have to be rebuilt.
 */
export function extendRecords(
  sessionId: string,
  ends: ExchangeRecord[],
  lines: L1Line[],
  known: number,
): ExchangeRecord[] | undefined {
  const [first] = ends;
  if (!first || lines[0]?.src !== first.src) return undefined;
  let rewoundTo = Number.POSITIVE_INFINITY;
  const queued = new Set<number>();
  for (const [place, line] of lines.entries()) {
    if (line.queued) queued.add(line.src);
    // The words of the first were known when it was made.
    if (line.sent !== undefined && place > 0 && !queued.has(line.sent)) return undefined;
    if (place >= known) rewoundTo = Math.min(rewoundTo, line.replaces ?? rewoundTo);
  }
  if (rewoundTo < first.src) return undefined;
  const made = exchangeRecords(sessionId, lines, first.l1_range[0]);
  // The first of two is done with: it was made with the one before it in view.
  if (ends.length === 2)
    made[0] =
      rewoundTo === first.src
        ? { ...first, outcome: 'rejected', said: [] }
        : { ...first, outcome: made[0]!.outcome };
  return made;
}

function recordOf(exchange: Exchange, lines: L1Line[], before: Runs, runs: Runs): ExchangeRecord {
  const spoken = lines.filter((line) => line.role === 'assistant' && (line.text ?? '').trim() !== '');
  const coding = lines.some((line) => line.role === 'tool');
  const final = spoken.at(-1)?.text?.slice(0, LOOKED_AT) ?? '';
  const units = unitsOf(exchange.ask, lines, spoken, final);
  const summary = summarize(units.short, SUMMARY);
  const title = exchangeLine(exchange.ask, { lines, closing: final }, LINE);
  const commits = [...new Set(subjectsIn(lines))].slice(-COMMITS);
  return {
    id: exchange.id,
    ts: exchange.ts,
    summary: summary === '' ? cutAtWord(exchange.ask, SUMMARY) : summary,
    details: summarize(units.long, DETAILS),
    files: exchange.files,
    keywords: keywordsOf(keywordTexts(exchange, lines, final), coding ? 'coding' : 'conversation', KEYWORDS),
    l1_range: exchange.l1_range,
    outcome: 'open',
    commands: workedOf(runs),
    ask: cutAtWord(exchange.ask, ASK),
    ...(title === '' ? {} : { title }),
    ...(commits.length === 0 ? {} : { commits }),
    tools: exchange.tools,
    errors: exchange.errors,
    src: exchange.src,
    said: exchange.abandoned ? [] : userStatements(lines),
    failed: failuresOf(runs),
    fixed: breakthroughsOf(before, runs),
    design: exchange.files.length === 0 ? [] : designIn(lines, spoken.at(-1)),
  };
}

/** Only what the user typed: no tool's words, no subagent's, nothing that was injected ever comes as a user's line. */
function userStatements(lines: L1Line[]): ExchangeRecord['said'] {
  return lines.flatMap((line) => (isOwnWords(line) && line.text ? statementsIn(line.text, line.src) : []));
}

function designIn(lines: L1Line[], final: L1Line | undefined): ExchangeRecord['design'] {
  const users = lines
    .filter(isOwnWords)
    .flatMap(({ text, src }) => (text && text.length <= 1200 ? [{ text, by: 'user' as const, src }] : []));
  const last = final?.text
    ? [{ text: final.text.slice(0, LOOKED_AT), by: 'assistant' as const, src: final.src }]
    : [];
  return designNotes([...users, ...last]);
}

/** Sources of a summary: the request, commits, the agent's last words; for details also its earlier words. */
function unitsOf(
  ask: string,
  lines: L1Line[],
  spoken: L1Line[],
  final: string,
): { short: SummaryUnit[]; long: SummaryUnit[] } {
  const asked = unitsFrom(ask.slice(0, LOOKED_AT), final === '' ? 1 : 0.35, 8);
  const committed = lines.flatMap((line) => {
    const subject =
      line.role === 'tool' && line.result === undefined ? commitSubject(line.target ?? '') : undefined;
    return subject === undefined ? [] : [{ text: subject, quality: 2.5 }];
  });
  const closing = unitsFrom(final, 1, MOST_UNITS);
  const onTheWay = spoken
    .slice(0, -1)
    .slice(-20)
    .flatMap((line) => unitsFrom((line.text ?? '').slice(0, 2000), 0.4, 3));
  return {
    short: [...asked, ...committed, ...closing],
    long: [...asked, ...onTheWay, ...committed, ...closing],
  };
}

function unitsFrom(text: string, quality: number, most: number): SummaryUnit[] {
  const sentences = sentencesOf(text);
  const chosen =
    sentences.length <= most
      ? sentences
      : [...sentences.slice(0, Math.ceil(most / 2)), ...sentences.slice(-Math.floor(most / 2))];
  return chosen.map((sentence) => ({ text: sentence, quality }));
}

/** The first line of a commit's message. */
export function commitSubject(command: string): string | undefined {
  const subject = COMMIT.exec(command)?.[1]?.trim();
  return subject === undefined || subject.length < 8 || /^\$|^-/.test(subject) ? undefined : subject;
}

function keywordTexts(exchange: Exchange, lines: L1Line[], final: string): KeywordText[] {
  const texts: KeywordText[] = [
    { text: exchange.ask.slice(0, 2000), weight: 2 },
    { text: final.slice(0, 4000), weight: 1 },
  ];
  for (const file of exchange.files.slice(0, 20)) texts.push({ text: baseName(file), weight: 1.5 });
  for (const line of lines) {
    const subject = line.role === 'tool' ? commitSubject(line.target ?? '') : undefined;
    if (subject !== undefined) texts.push({ text: subject, weight: 2 });
    if (line.role === 'user' && line.text && line.queued && !line.unproven)
      texts.push({ text: line.text.slice(0, 1000), weight: 1 });
  }
  return texts;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
