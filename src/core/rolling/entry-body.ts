import type { ExchangeRecord } from '../model/exchange.ts';
import type { SessionStatement, StatedKind } from '../model/statement.ts';
import { decides, isAsked } from '../text/decides.ts';
import { identifiers } from '../text/plain-text.ts';
import type { CountTokens } from './limits.ts';
import { chosenParts, type StatementParts, statementParts } from './statement-parts.ts';

/** An exchange as an entry lists it; `asked` is the ask as a title, empty if it says nothing. */
export type EntryExchange = Pick<ExchangeRecord, 'l1_range' | 'outcome' | 'files' | 'ts' | 'src'> & {
  asked: string;
};

/** What an entry of memory.md is written from. */
export type EntrySource = {
  exchanges: EntryExchange[];
  statements: SessionStatement[];
  /** Where the rest is, if not all has room. */
  way?: string;
};

/** Tokens of an entry, its heading included: by the number of its asks, between these two. */
export const ENTRY_TOKENS = { anAsk: 100, least: 200, most: 500 };
/** Grows whenever the same session would get another entry: those that nobody edited are written again. */
export const ENTRY_ENGINE = 2;
const FILES_NAMED = 8;
/** Fewer tokens hold no further sentence. */
const LEAST_LEFT = 10;
const MOST_ROUNDS = 4;

const LABELS = [
  'rule',
  'preference',
  'decision',
  'constraint',
  'solution',
  'lesson',
  'environment',
  'open',
  'asked',
  'said',
  'sent',
  'committed',
  'noted',
  'reported',
  'changed',
  'more',
] as const;
export type EntryLabel = (typeof LABELS)[number];

/** A line below a heading as Keepsake writes it; the last two are of earlier versions. */
const OWN_LINE = new RegExp(`^- (${LABELS.join('|')}|user|assistant)(?: \\(([a-z]+)\\))?: (.*)$`);

/** What a line of an entry says; undefined where Keepsake did not write it. */
export function readEntryLine(
  line: string,
): { label: EntryLabel | 'user' | 'assistant'; outcome: string; text: string } | undefined {
  const [, label, outcome = '', text = ''] = OWN_LINE.exec(line.trimEnd()) ?? [];
  return label === undefined ? undefined : { label: label as EntryLabel, outcome, text };
}

/** The maximum tokens of a session with this many requests. */
export function tokensFor(asks: number): number {
  return Math.min(ENTRY_TOKENS.most, Math.max(ENTRY_TOKENS.least, asks * ENTRY_TOKENS.anAsk));
}

/** The lines of an entry: the ask that began it, the sentences of statements that say most, by what they are; asks; files. */
export function entryBody(source: EntrySource, room: number, count: CountTokens): string[] {
  const { exchanges, statements, way = '' } = source;
  const cost = (lines: string[]) => count(lines.map((line) => `${line}\n`).join(''));
  // What the user stopped or took back was mostly asked again in other words.
  const asks = exchanges.filter(({ asked, outcome }) => asked !== '' && outcome !== 'rejected');
  const files = [...new Set(exchanges.flatMap((it) => it.files))];
  const changed = files.length > 0 ? [changedLine(files)] : [];
  const all = new Map(statements.map((it, at) => [at, statementParts(it)]));
  const bare = asksWithout(asks, statements);
  const whole = [
    ...opening(exchanges, bare),
    ...statementLines(statements, all),
    ...later(exchanges, bare),
    ...changed,
  ];
  if (cost(whole) <= room) return whole;

  const more = (left: number, unsaid: number) => (way === '' ? [] : moreLine(left, unsaid, way));
  const first = asks[0] === exchanges[0] ? asks.slice(0, 1).map(askLine) : [];
  let left = room - cost(more(statements.length, asks.length));
  const chosen = withinRoom(statements, left - cost(first), { count, cost });
  const said = statementLines(statements, chosen);
  left -= cost(said);
  const open = asksWithout(
    asks,
    [...chosen.keys()].map((at) => statements[at]!),
  );
  const taken = new Set<EntryExchange>();
  // The first says what the session is about; then the latest: what was asked last is what continues.
  for (const ask of [...open.filter((it) => it === exchanges[0]), ...open.toReversed()]) {
    const price = cost([askLine(ask)]);
    if (taken.has(ask) || price > left) continue;
    taken.add(ask);
    left -= price;
  }
  const listed = open.filter((it) => taken.has(it));
  const named = cost(changed) <= left ? changed : [];
  const rest = more(statements.length - chosen.size, open.length - listed.length);
  return [...opening(exchanges, listed), ...said, ...later(exchanges, listed), ...named, ...rest];
}

/** The sentences of statements that have room as lines; what a line costs beside its pieces is only known once it is written. */
function withinRoom(
  statements: SessionStatement[],
  room: number,
  { count, cost }: { count: CountTokens; cost: (lines: string[]) => number },
): Map<number, StatementParts> {
  let best = new Map<number, StatementParts>();
  let [asked, used] = [room, 0];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const chosen = chosenParts(statements, asked, count);
    const price = cost(statementLines(statements, chosen));
    if (price <= room && price > used) [best, used] = [chosen, price];
    if (Math.abs(room - price) < LEAST_LEFT && price <= room) break;
    asked += room - price;
  }
  return best;
}

function opening(exchanges: EntryExchange[], listed: EntryExchange[]): string[] {
  return listed.filter((it) => it === exchanges[0]).map(askLine);
}

function later(exchanges: EntryExchange[], listed: EntryExchange[]): string[] {
  return listed.filter((it) => it !== exchanges[0]).map(askLine);
}

function askLine({ asked, outcome }: EntryExchange): string {
  return `- asked (${outcome}): ${asked}`;
}

/** Asks of which no statement says what came of them. */
function asksWithout(asks: EntryExchange[], statements: SessionStatement[]): EntryExchange[] {
  const named = new Set(statements.flatMap(({ quotes }) => quotes.map(({ line }) => line)));
  return asks.filter(({ l1_range: [first, last] }) => {
    for (let line = first; line <= last; line++) if (named.has(line)) return false;
    return true;
  });
}

function moreLine(statements: number, asks: number, way: string): string[] {
  const counted = [
    ...(statements > 0 ? [`${statements} ${statements === 1 ? 'statement' : 'statements'}`] : []),
    ...(asks > 0 ? [`${asks} ${asks === 1 ? 'request' : 'requests'}`] : []),
  ];
  return counted.length === 0 ? [] : [`- more: ${[...counted, way].join(', ')}`];
}

/** What is decided, what holds from then on, what was learned, what is open; each as it was said. */
const ORDER: EntryLabel[][] = [
  ['decision', 'said', 'asked', 'sent'],
  ['rule', 'preference', 'constraint', 'environment'],
  ['lesson', 'solution', 'committed', 'noted', 'reported'],
  ['open'],
];

/** Statements a line each; the agent's report follows the request that led to it. */
function statementLines(statements: SessionStatement[], chosen: Map<number, StatementParts>): string[] {
  type Line = { at: number; place: number; text: string; statement: SessionStatement; label: EntryLabel };
  const lines = [...chosen].map(([place, parts]): Line => {
    const statement = statements[place]!;
    const label = labelOf(statement);
    const text = statementText(statement, parts);
    return { at: lineOfStatement(statement), place, text, statement, label };
  });
  lines.sort((a, b) => a.at - b.at || a.place - b.place);
  const own: Line[] = [];
  for (const line of lines.sort((a, b) => Number(a.label === 'reported') - Number(b.label === 'reported'))) {
    const { label, statement, text } = line;
    const before =
      label === 'reported' &&
      own.find(
        (it) =>
          it.statement.exchange === statement.exchange &&
          (it.label === 'reported' || statementParts(it.statement).words.length > 0),
      );
    if (before) before.text += ` · ${text}`;
    else own.push(line);
  }
  const order = ({ label }: Line) => ORDER.findIndex((labels) => labels.includes(label));
  return own
    .sort((a, b) => order(a) - order(b) || a.at - b.at || a.place - b.place)
    .map(({ label, text }) => `- ${label}: ${text}`);
}

/** The line of its first words; two messages in a row may be one ask. */
export function lineOfStatement({ quotes, exchange }: SessionStatement): number {
  return quotes[0]?.line ?? exchange;
}

function changedLine(files: string[]): string {
  const more = files.length - FILES_NAMED;
  return `- changed: ${files.slice(0, FILES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whose words it is, and what came of them. */
function statementText(statement: SessionStatement, parts: StatementParts): string {
  const { words, reference, subject, outcome, plain } = parts;
  if (statementParts(statement).words.length === 0) return plain.join(' ');
  // Where nothing else has a name, the file says what it is about.
  const isNamed = identifiers([...words, reference, ...outcome].join(' ')).size > 0;
  const said = [
    `"${words.join(' ')}"`,
    ...(reference ? [`[${reference}]`] : []),
    ...(subject && !isNamed ? [`(${subject})`] : []),
    ...(outcome.length > 0 ? [`→ ${outcome.join(' ')}`] : []),
  ];
  return said.join(' ');
}

/** A question or a report decides nothing, what only the agent says is its report, and what was pasted is nobody's opinion. */
function labelOf(statement: SessionStatement): EntryLabel {
  const { kind: stated, foundBy, tier } = statement;
  const { words: pieces, reference } = statementParts(statement);
  const words = pieces.join(' ');
  // What may be of one task is no rule until it is confirmed or said again.
  const kind: StatedKind = stated === 'rule' && tier === 'candidate' ? 'decision' : stated;
  if (foundBy === 'commit') return 'committed';
  if (foundBy === 'note') return 'noted';
  if (foundBy === 'claim') return kind === 'open' || kind === 'lesson' ? kind : 'reported';
  if (foundBy === 'pasted') return 'sent';
  if (kind !== 'decision' || foundBy === 'answer' || foundBy === 'memory-file') return kind;
  if (words === '') return foundBy === 'plan' ? 'decision' : 'said';
  if (isAsked(words)) return 'asked';
  return decides(words, reference) ? 'decision' : 'said';
}
