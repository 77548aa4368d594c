import { stat } from 'node:fs/promises';
import type { FoundTranscript } from '../../ports/transcripts.ts';
import type { AgentFinder, FindAsk } from './agent-finder.ts';
import { filesBelow } from './walk-files.ts';

/** pi: `sessions/--path--/<time>_<id>.jsonl`; openclaw: `agents/<agent>/sessions/<id>.jsonl`, newer ones a database. */
const PLACE =
  /^(?:(?:sessions\/[^/]+|agents\/[^/]+\/sessions)\/[^/]+\.jsonl|agents\/[^/]+\/agent\/openclaw-agent\.sqlite)$/;
const DATABASE = /openclaw-agent\.sqlite$/;

export const piFiles: AgentFinder = {
  find: async (ask) => {
    if (DATABASE.test(ask.folder)) return inDatabase(ask.folder, ask);
    const files = (await filesBelow(ask, PLACE, 3)).map(({ below: _, ...file }) => file);
    const rows: FoundTranscript[] = [];
    for (const { path } of files) if (DATABASE.test(path)) rows.push(...(await inDatabase(path, ask)));
    // A session that was brought over into the database is read from there.
    const known = new Set(rows.map((row) => row.known?.session));
    const lines = files.filter(({ path }) => !DATABASE.test(path) && !known.has(nameOf(path)));
    return [...lines, ...rows];
  },
};

async function inDatabase(path: string, { staging, unreadable }: FindAsk): Promise<FoundTranscript[]> {
  if (!(await stat(path).catch(() => undefined))?.isFile()) return [];
  try {
    const { findInOpenclaw } = await import('./openclaw-database.ts');
    return findInOpenclaw(path, staging, unreadable);
  } catch {
    // Damaged, or laid out in a way that is not known.
    unreadable.push(path);
    return [];
  }
}

function nameOf(path: string): string {
  return /([^\\/]+)\.jsonl$/.exec(path)?.[1] ?? '';
}
