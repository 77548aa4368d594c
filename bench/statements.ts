// Statements of labeled sessions: how many of the true items they contain, and how many untrue ones they state.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { L1Line } from '../src/core/model/l1.ts';
import type { SessionStatement } from '../src/core/model/statement.ts';
import { FITTED } from '../src/core/statements/choose/fitted-weights.ts';
import type { Judged } from '../src/core/statements/choose/select.ts';
import { chosenOf, judgedIn } from '../src/core/statements/statements-of.ts';
import type { FittedWeights } from '../src/core/statements/weights.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';
import { type Example, fitted } from './statements-fit.ts';
import {
  affirms,
  type GoldRow,
  holds,
  isNotTrue,
  isTrue,
  readGold,
  sessionFiles,
} from './statements-gold.ts';
import { addKept, type KeptLabel, keptIn, keptSessions } from './statements-kept.ts';
import { printReaders } from './statements-readers.ts';

export type Labeled = {
  session: string;
  project: string;
  truths: GoldRow[];
  wrongs: GoldRow[];
  lines: L1Line[];
  read: ReturnType<typeof judgedIn>;
  examples: Example[];
};
export type Chosen = Labeled & { statements: SessionStatement[] };

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folder of labels and folders of their sessions (one per project). Usage: npm run bench -- statements GOLD DIR ... [--labels=FILE [--judge]] [--fit] [--print]',
    );
  const labels = args.find((arg) => arg.startsWith('--labels='))?.slice('--labels='.length);
  const isJudge = args.includes('--judge');
  if (labels && !isJudge) addKept(labels);
  const sessions = labeledSessions(gold, folders);
  const others = keptExamples(sessions, folders);
  // Labels for judging are not used for fitting.
  if (labels && isJudge) addKept(labels);
  const all = [...sessions.flatMap(({ examples }) => examples), ...others];
  if (args.includes('--fit')) writeWeights(fitted(all));
  const weights = args.includes('--fit') ? fitted(all) : FITTED;
  const unseen = chosenUnseen(sessions, folders, others);
  const seen = choose(sessions, weights);
  if (args.includes('--print')) printStatements(unseen);
  console.log('Weights fitted without the project, and (in sample) the shipped weights\n');
  for (const [name, takes] of [
    ['shown', ({ tier }: SessionStatement) => tier === 'shown'],
    ['with candidates', () => true],
  ] as const) {
    table(
      [name, 'a session', 'true', 'important', 'not true', 'in sample:', 'true', 'important', 'not true'],
      [...folders, 'all'].flatMap((folder) => {
        const of = (rows: Chosen[]) => rows.filter(({ project }) => folder === 'all' || project === folder);
        if (of(unseen).length === 0) return [];
        return [[nameOf(folder), ...figures(of(unseen), takes), '', ...figures(of(seen), takes).slice(1)]];
      }),
    );
    console.log('');
  }
  byKey('found by', unseen, ({ foundBy }) => foundBy);
  byKey('kind', unseen, ({ kind }) => kind);
  byKey('confidence', unseen, ({ confidence }) => String(confidence));
  heldByKind(unseen);
  printReaders(folders, weightsWithout(sessions, others));
}

/** The statements of each session, chosen with weights fitted without its project. */
export function chosenUnseen(
  sessions: Labeled[],
  folders: string[],
  others: Example[] = keptExamples(sessions, folders),
): Chosen[] {
  const weightsOf = weightsWithout(sessions, others);
  return folders.flatMap((folder) => {
    const own = sessions.filter(({ project }) => project === folder);
    return own.length === 0 ? [] : choose(own, weightsOf(folder));
  });
}

/** The weights fitted without each project, computed once. */
function weightsWithout(sessions: Labeled[], others: Example[]): (folder: string) => FittedWeights {
  const all = [...sessions.flatMap(({ examples }) => examples), ...others];
  const found = new Map<string, FittedWeights>();
  return (folder) => {
    const weights = found.get(folder) ?? fitted(all.filter(({ project }) => project !== folder));
    found.set(folder, weights);
    return weights;
  };
}

export function labeledSessions(gold: string, folders: string[]): Labeled[] {
  const rows = readGold(gold);
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  return [...files].map(([session, { path, project }]) => {
    const own = rows.filter((row) => row.session === session);
    const [truths, wrongs] = [own.filter(isTrue), own.filter(isNotTrue)];
    const lines = linesOf(path);
    const read = judgedIn(lines);
    return {
      session,
      project,
      truths,
      wrongs,
      lines,
      read,
      examples: read.judged.map((one) =>
        example(one, own, { project, kept: keptIn(path, labelKey(one)), isGold: true }),
      ),
    };
  });
}

/** Readers' judgments of statements in sessions without other labels. */
function keptExamples(sessions: Labeled[], folders: string[]): Example[] {
  const known = new Set(sessions.map(({ session }) => session));
  return [...keptSessions(folders)].flatMap(([path, project]) => {
    if ([...known].some((session) => path.includes(session))) return [];
    return judgedIn(linesOf(path)).judged.flatMap((one) => {
      const kept = keptIn(path, labelKey(one));
      return kept === undefined ? [] : [example(one, [], { project, kept, isGold: false })];
    });
  });
}

function labelKey({ candidate }: Judged) {
  return { foundBy: candidate.foundBy, quote: candidate.words.quotes[0] };
}

function example(
  { text, features, candidate }: Judged,
  rows: GoldRow[],
  { project, kept, isGold }: { project: string; kept: KeptLabel | undefined; isGold: boolean },
): Example {
  const held = rows.filter((row) => isTrue(row) && holds(text, row));
  const isWrong = rows.some((row) => isNotTrue(row) && affirms(text, row));
  const { score } = candidate;
  return {
    project,
    features,
    score,
    holds: held.length > 0,
    important: held.some(isImportant),
    wrong: isWrong,
    isGold,
    ...(kept === undefined ? {} : kept),
  };
}

export function choose(sessions: Labeled[], weights: FittedWeights): Chosen[] {
  return sessions.map((one) => ({
    ...one,
    statements: chosenOf(one.read.judged, one.read.segments, weights),
  }));
}

function writeWeights(weights: FittedWeights): void {
  const lines = (of: Record<string, number>) =>
    Object.entries(of).map(([name, value]) => `    ${/^\w+$/.test(name) ? name : `'${name}'`}: ${value},`);
  const text = [
    "import type { FittedWeights } from './weights.ts';",
    '',
    '/** `npm run bench -- statements GOLD DIR ... --fit` wrote this table. */',
    'export const FITTED: FittedWeights = {',
    '  holds: {',
    ...lines(weights.holds),
    '  },',
    '  wrong: {',
    ...lines(weights.wrong),
    '  },',
    '  kept: {',
    ...lines(weights.kept),
    '  },',
    '};',
    '',
  ];
  writeFileSync(
    join(import.meta.dirname, '../src/core/statements/choose/fitted-weights.ts'),
    text.join('\n'),
  );
}

function printStatements(sessions: Chosen[]): void {
  for (const { session, statements, truths, wrongs } of sessions) {
    console.log(session);
    for (const { tier, kind, foundBy, confidence, text } of statements) {
      const mark = wrongs.some((row) => affirms(text, row))
        ? 'x'
        : truths.some((row) => holds(text, row))
          ? '+'
          : ' ';
      console.log(`  ${mark} ${tier === 'shown' ? 'S' : 'c'} ${confidence} ${kind} (${foundBy}) ${text}`);
    }
  }
}

/** Statements per session, and the shares of true and untrue items in them. */
function figures(sessions: Chosen[], takes: (statement: SessionStatement) => boolean): string[] {
  const count = { statements: 0, held: 0, important: 0, wrong: 0 };
  for (const { statements, truths, wrongs } of sessions) {
    const texts = statements.filter(takes).map(({ text }) => text);
    count.statements += texts.length;
    const held = truths.filter((row) => texts.some((text) => holds(text, row)));
    count.held += held.length;
    count.important += held.filter(isImportant).length;
    count.wrong += wrongs.filter((row) => texts.some((text) => affirms(text, row))).length;
  }
  const truths = sessions.flatMap((session) => session.truths);
  const wrongs = sessions.flatMap((session) => session.wrongs);
  return [
    (count.statements / sessions.length).toFixed(1),
    percent(count.held, truths.length),
    percent(count.important, truths.filter(isImportant).length),
    `${percent(count.wrong, wrongs.length)} (${count.wrong})`,
  ];
}

function byKey(name: string, sessions: Chosen[], keyOf: (statement: SessionStatement) => string): void {
  const counts = new Map<string, { all: number; held: number; wrong: number }>();
  for (const { statements, truths, wrongs } of sessions) {
    for (const statement of statements) {
      const key = `${statement.tier} ${keyOf(statement)}`;
      const count = counts.get(key) ?? { all: 0, held: 0, wrong: 0 };
      counts.set(key, count);
      count.all++;
      if (truths.some((row) => holds(statement.text, row))) count.held++;
      if (wrongs.some((row) => affirms(statement.text, row))) count.wrong++;
    }
  }
  table(
    [name, 'statements', 'contain a true item', 'state an untrue one'],
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, { all, held, wrong }]) => [key, String(all), percent(held, all), String(wrong)]),
  );
  console.log('');
}

function heldByKind(sessions: Chosen[]): void {
  const counts = new Map<string, { all: number; held: number; named: number }>();
  for (const { statements, truths } of sessions) {
    for (const row of truths) {
      const count = counts.get(row.kind) ?? { all: 0, held: 0, named: 0 };
      counts.set(row.kind, count);
      const held = statements.filter(({ text }) => holds(text, row));
      count.all++;
      if (held.length > 0) count.held++;
      if (held.some(({ kind }) => kind === row.kind)) count.named++;
    }
  }
  table(
    ['labeled kind', 'items', 'held', 'by the same kind'],
    [...counts].map(([kind, { all, held, named }]) => [
      kind,
      String(all),
      percent(held, all),
      percent(named, all),
    ]),
  );
}

export function isImportant({ importance }: GoldRow): boolean {
  return importance === 3;
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

export function nameOf(folder: string): string {
  return folder.split('/').filter(Boolean).slice(-2).join('/');
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
