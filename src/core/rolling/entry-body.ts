import type { ExchangeRecord } from '../model/exchange.ts';
import type { SessionStatement, StatedKind } from '../model/statement.ts';
import { decides, isAsked } from '../text/decides.ts';
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
export const ENTRY_TOKENS = { anAsk: 80, least: 160, most: 1000 };
/** Share of it that is kept for asks without a statement, and tokens for changed files. */
const FOR_ASKS = 0.04;
const FOR_FILES = 40;
const FILES_NAMED = 8;

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

type Line = { at: number; order: number; text: string };

/** The maximum tokens of a session with this many requests. */
export function tokensFor(asks: number): number {
  return Math.min(ENTRY_TOKENS.most, Math.max(ENTRY_TOKENS.least, asks * ENTRY_TOKENS.anAsk));
}

/** The lines of an entry in their order: the sentences of statements that say most; then asks; then changed files. */
export function entryBody(source: EntrySource, room: number, count: CountTokens): string[] {
  const { exchanges, statements, way = '' } = source;
  const lines: Line[] = [];
  let left = room;
  const take = (line: Line, most: number): number => {
    const cost = count(`${line.text}\n`);
    if (cost > Math.min(left, most)) return 0;
    lines.push(line);
    left -= cost;
    return cost;
  };
  const reserved = room * FOR_ASKS;
  const named = new Set<number>();
  let said = 0;
  let chosen = chosenParts(statements, left - reserved, count);
  const isShort = chosen.size < statements.length && way !== '';
  if (isShort) {
    left -= count(`- more: 10 statements, ${way}\n`);
    chosen = chosenParts(statements, left - reserved, count);
  }
  for (const [order, parts] of chosen) {
    const statement = statements[order]!;
    const text = statementLine(statement, parts);
    if (take({ at: lineOfStatement(statement), order, text }, left) === 0) continue;
    said++;
    for (const { line } of statement.quotes) named.add(line);
  }
  const isNamed = ([first, last]: [number, number]) => {
    for (let line = first; line <= last; line++) if (named.has(line)) return true;
    return false;
  };
  // What the user stopped or took back was mostly asked again in other words.
  const bare = exchanges.filter(
    ({ asked, outcome, l1_range }) => asked !== '' && outcome !== 'rejected' && !isNamed(l1_range),
  );
  // The latest first: what was asked last is what goes on.
  for (const { asked, outcome, l1_range } of bare.toReversed())
    take({ at: l1_range[0], order: -1, text: `- asked (${outcome}): ${asked}` }, left - FOR_FILES);
  const files = [...new Set(exchanges.flatMap((it) => it.files))];
  if (files.length > 0) take({ at: Number.POSITIVE_INFINITY, order: 0, text: changedLine(files) }, left);
  const rest = statements.length - said;
  const more: Line[] = [];
  if (rest > 0 && way !== '') {
    const text = `- more: ${rest} ${rest === 1 ? 'statement' : 'statements'}, ${way}`;
    if (isShort || count(`${text}\n`) <= left) more.push({ at: 0, order: 0, text });
  }
  return [...lines.sort((a, b) => a.at - b.at || a.order - b.order), ...more].map(({ text }) => text);
}

/** The line of its first words; two messages in a row may be one ask. */
export function lineOfStatement({ quotes, exchange }: SessionStatement): number {
  return quotes[0]?.line ?? exchange;
}

function changedLine(files: string[]): string {
  const more = files.length - FILES_NAMED;
  return `- changed: ${files.slice(0, FILES_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A statement on one line: what it is, whose words, and what came of them. */
function statementLine(statement: SessionStatement, parts: StatementParts): string {
  const whole = statementParts(statement);
  const isSaid = whole.words.length > 0;
  const label = labelOf(
    statement,
    isSaid ? { words: whole.words.join(' '), reference: whole.reference } : {},
  );
  const { words, reference, subject, outcome, plain } = parts;
  if (!isSaid) return `- ${label}: ${plain.join(' ')}`;
  const said = [
    `"${words.join(' ')}"`,
    ...(reference ? [`[${reference}]`] : []),
    ...(subject ? [`(${subject})`] : []),
    ...(outcome.length > 0 ? [`→ ${outcome.join(' ')}`] : []),
  ];
  return `- ${label}: ${said.join(' ')}`;
}

/** A question or a report decides nothing, what only the agent says is its report, and what was pasted is nobody's opinion. */
function labelOf(
  { kind: stated, foundBy, tier }: SessionStatement,
  { words = '', reference = '' }: { words?: string | undefined; reference?: string | undefined },
): EntryLabel {
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
