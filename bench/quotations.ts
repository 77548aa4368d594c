// Looks up every quotation of every statement in the original, at its byte offset.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Quote } from '../src/core/model/statement.ts';
import { statementsOf } from '../src/core/statements/statements-of.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';

type Counts = { sessions: number; statements: number; quotations: number; missing: number };

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !existsSync(folder)))
    throw new Error('Missing folders of sessions. Usage: npm run bench -- quotations DIR ...');
  const all: Counts = { sessions: 0, statements: 0, quotations: 0, missing: 0 };
  const rows = folders.map((folder) => {
    const own: Counts = { sessions: 0, statements: 0, quotations: 0, missing: 0 };
    for (const path of sessionsIn(folder)) lookUp(path, own);
    for (const name of Object.keys(all) as (keyof Counts)[]) all[name] += own[name];
    return [folder.split('/').filter(Boolean).slice(-2).join('/'), ...Object.values(own).map(String)];
  });
  table(
    ['folder', 'sessions', 'statements', 'quotations', 'not at their offset'],
    [...rows, ['all', ...Object.values(all).map(String)]],
  );
  if (all.missing > 0) process.exitCode = 1;
}

function sessionsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function lookUp(path: string, counts: Counts): void {
  const statements = statementsOf(linesOf(path));
  const bytes = readFileSync(path);
  const read = new Map<number, string>();
  counts.sessions++;
  counts.statements += statements.length;
  for (const { quotes, about = [], overturned } of statements) {
    for (const quote of [...quotes, ...about, ...overturned.flatMap(({ was, by }) => [...was, ...by])]) {
      counts.quotations++;
      const line = read.get(quote.src) ?? lineAt(bytes, quote.src);
      read.set(quote.src, line);
      if (isIn(line, quote)) continue;
      counts.missing++;
      console.log(`${basename(path)} byte ${quote.src}, ${quote.field}: ${quote.text.slice(0, 160)}`);
    }
  }
}

/** Ignores line breaks in commands and escaped quotation marks in nested code. */
function isIn(line: string, { text }: Quote): boolean {
  const plain = (one: string) =>
    one
      .replace(/\\+[nrt]/g, ' ')
      .replaceAll('\\', '')
      .replace(/\s+/g, ' ');
  return plain(line).includes(plain(text).trim());
}

const STRING = /"(?:[^"\\]|\\.)*"/g;

/** All text in the line of the original, which may be two lines glued together. */
function lineAt(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0x0a, from);
  const line = bytes.subarray(from, end === -1 ? bytes.length : end).toString('utf8');
  return (line.match(STRING) ?? []).flatMap(unescaped).join('\n');
}

function unescaped(text: string): string[] {
  try {
    return [String(JSON.parse(text))];
  } catch {
    return [];
  }
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
