// Statements of labelled sessions: how much of what should be remembered they hold, and what they state that is not true.
import { existsSync } from 'node:fs';
import type { SessionStatement } from '../src/core/model/statement.ts';
import { statementsOf } from '../src/core/statements/statements-of.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';
import { type GoldRow, holds, isNotTrue, isTrue, readGold, sessionFiles, tells } from './statements-gold.ts';

type Labelled = { project: string; truths: GoldRow[]; wrongs: GoldRow[]; statements: SessionStatement[] };

export async function run([gold, ...folders]: string[]): Promise<void> {
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Give the folder of labels and the folders of their sessions, a folder a project: npm run bench -- statements GOLD DIR ...',
    );
  const sessions = labelledSessions(gold, folders);
  const projects = folders.map((folder) => sessions.filter(({ project }) => project === folder));
  table(
    [
      'project',
      'sessions',
      'a session',
      'true',
      'important',
      'not true',
      'shown',
      'true',
      'important',
      'not true',
    ],
    [...projects.filter((rows) => rows.length > 0), sessions].map((rows, place, all) => [
      place === all.length - 1 ? 'all' : nameOf(rows[0]!.project),
      String(rows.length),
      ...figures(rows, () => true),
      ...figures(rows, ({ tier }) => tier === 'shown'),
    ]),
  );
  byKey('found by', sessions, ({ foundBy }) => foundBy);
  byKey('kind', sessions, ({ kind }) => kind);
  byKey('confidence', sessions, ({ confidence }) => confidence.toFixed(1));
}

function labelledSessions(gold: string, folders: string[]): Labelled[] {
  const rows = readGold(gold);
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  return [...files].map(([session, { path, project }]) => {
    const own = rows.filter((row) => row.session === session);
    return {
      project,
      truths: own.filter(isTrue),
      wrongs: own.filter(isNotTrue),
      statements: statementsOf(linesOf(path)),
    };
  });
}

/** Statements a session, and the shares of the items that they hold or state. */
function figures(sessions: Labelled[], takes: (statement: SessionStatement) => boolean): string[] {
  const count = { statements: 0, held: 0, important: 0, told: 0 };
  for (const { statements, truths, wrongs } of sessions) {
    const texts = statements.filter(takes).map(({ text }) => text);
    count.statements += texts.length;
    const held = truths.filter((row) => texts.some((text) => holds(text, row)));
    count.held += held.length;
    count.important += held.filter(isImportant).length;
    count.told += wrongs.filter((row) => texts.some((text) => tells(text, row))).length;
  }
  const truths = sessions.flatMap((session) => session.truths);
  const wrongs = sessions.flatMap((session) => session.wrongs);
  return [
    (count.statements / sessions.length).toFixed(1),
    percent(count.held, truths.length),
    percent(count.important, truths.filter(isImportant).length),
    percent(count.told, wrongs.length),
  ];
}

function byKey(name: string, sessions: Labelled[], keyOf: (statement: SessionStatement) => string): void {
  const counts = new Map<string, { all: number; held: number; told: number }>();
  for (const { statements, truths, wrongs } of sessions) {
    for (const statement of statements) {
      const count = counts.get(keyOf(statement)) ?? { all: 0, held: 0, told: 0 };
      counts.set(keyOf(statement), count);
      count.all++;
      if (truths.some((row) => holds(statement.text, row))) count.held++;
      if (wrongs.some((row) => tells(statement.text, row))) count.told++;
    }
  }
  console.log('');
  table(
    [name, 'statements', 'hold an item', 'state a wrong one'],
    [...counts]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, { all, held, told }]) => [key, String(all), percent(held, all), percent(told, all)]),
  );
}

function isImportant({ importance }: GoldRow): boolean {
  return importance === 3;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

function nameOf(folder: string): string {
  return folder.split('/').filter(Boolean).slice(-2).join('/');
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
