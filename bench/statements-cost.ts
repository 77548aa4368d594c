// CPU time of statements compared to exchange records of the same lines; and a hash of the statements, to check that a faster build gives the same ones.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { exchangeRecords } from '../src/core/layers/exchanges/records.ts';
import type { L1Line } from '../src/core/model/l1.ts';
import { statementsOf } from '../src/core/statements/statements-of.ts';
import { isMain, table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';

export async function run(folders: string[]): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !existsSync(folder)))
    throw new Error('Missing folders of sessions. Usage: npm run bench -- statements-cost DIR ...');
  const sessions = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map(linesOf)
      .filter((lines) => lines.length > 0),
  );
  const hash = createHash('sha256');
  // The first round compiles the regular expressions, some hundred in each.
  const first = {
    exchanges: cpuOf(sessions, (lines) => exchangeRecords('bench', lines)),
    statements: cpuOf(sessions, (lines) => hash.update(JSON.stringify(statementsOf(lines)))),
  };
  const exchanges = cpuOf(sessions, (lines) => exchangeRecords('bench', lines));
  const statements = cpuOf(sessions, (lines) => statementsOf(lines));
  table(
    [
      'sessions',
      'statements ms',
      'exchanges ms',
      'ratio',
      'ratio of the first round',
      'hash of the statements',
    ],
    [
      [
        String(sessions.length),
        statements.toFixed(0),
        exchanges.toFixed(0),
        (statements / exchanges).toFixed(2),
        (first.statements / first.exchanges).toFixed(2),
        hash.digest('hex').slice(0, 16),
      ],
    ],
  );
}

function cpuOf(sessions: L1Line[][], work: (lines: L1Line[]) => void): number {
  const before = process.cpuUsage();
  for (const lines of sessions) work(lines);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
