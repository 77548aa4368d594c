// Digests of labeled sessions: how many of the true items they contain, and how many untrue ones they state.
import { existsSync } from 'node:fs';
import { statedWords } from '../src/app/compress/stated-words.ts';
import { loadTokenCounter, type TokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import { digest } from './digest.ts';
import { readSession } from './session-turns.ts';
import {
  affirms,
  type GoldRow,
  holds,
  isNotTrue,
  isTrue,
  low,
  readGold,
  sessionFiles,
  wordsOf,
} from './statements-gold.ts';

const RATIO = 30;
type Labeled = {
  project: string;
  truths: GoldRow[];
  wrongs: GoldRow[];
  text: string;
  tokens: number;
};

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folder of labels and folders of their sessions (one per project). Usage: npm run bench -- digest-truth GOLD DIR ... [--print] [--ratio=30]',
    );
  const count = await loadTokenCounter();
  const ratio = Number(args.find((arg) => arg.startsWith('--ratio='))?.slice(8) ?? RATIO);
  const rows = readGold(gold);
  const files = sessionFiles(folders, new Set(rows.map(({ session }) => session)));
  const sessions = [...files].map(([session, { path, project }]): Labeled => {
    const own = rows.filter((row) => row.session === session);
    const text = digestOf(path, ratio, count);
    if (args.includes('--print')) console.log(`=== ${session}\n${text}`);
    return {
      project,
      truths: own.filter(isTrue),
      wrongs: own.filter(isNotTrue),
      text,
      tokens: count(text),
    };
  });
  if (args.includes('--wrong'))
    for (const { wrongs, text } of sessions)
      for (const row of wrongs)
        if (affirms(text, row)) console.log(`${row.session} ${JSON.stringify(row.keys)}`);
  table(
    [`1/${ratio}`, 'sessions', 'tokens', 'true', 'important', 'not true stated', 'refuted, verdict lost'],
    [...folders, 'all'].flatMap((folder) => {
      const own = sessions.filter(({ project }) => folder === 'all' || project === folder);
      return own.length === 0 ? [] : [[folder.split('/').slice(-2).join('/'), ...figures(own)]];
    }),
  );
}

function digestOf(path: string, ratio: number, count: TokenCounter): string {
  const { turns, lines, tokens } = readSession(path, count);
  return digest({ turns, stated: statedWords(lines), tokens }, ratio, false, count).markdown;
}

function figures(sessions: Labeled[]): string[] {
  const pairs = (rows: 'truths' | 'wrongs') =>
    sessions.flatMap((session) => session[rows].map((row) => ({ row, text: session.text })));
  const [truths, wrongs] = [pairs('truths'), pairs('wrongs')];
  const important = truths.filter(({ row }) => row.importance === 3);
  const judged = wrongs.filter(({ row }) => wordsOf(row.verdict ?? '').size > 0);
  const share = (list: typeof truths, is: (text: string, row: GoldRow) => boolean) => {
    const found = list.filter(({ row, text }) => is(text, row)).length;
    return `${((100 * found) / Math.max(1, list.length)).toFixed(1)} (${found} of ${list.length})`;
  };
  return [
    String(sessions.length),
    (sessions.reduce((sum, { tokens }) => sum + tokens, 0) / sessions.length).toFixed(0),
    share(truths, holds),
    share(important, holds),
    share(wrongs, affirms),
    share(judged, isKeptAlone),
  ];
}

/** True if 300 characters contain three quarters of the refuted quote's words, and no 600 characters contain half of its verdict's. */
function isKeptAlone(text: string, { quote = '', verdict = '' }: GoldRow): boolean {
  return has(text, quote, { share: 0.75, size: 300 }) && !has(text, verdict, { share: 0.5, size: 600 });
}

function has(text: string, words: string, { share, size }: { share: number; size: number }): boolean {
  const [wanted, plain] = [wordsOf(words), low(text)];
  if (wanted.size === 0) return false;
  for (let at = 0; at === 0 || at < plain.length - size + size / 4; at += size / 4) {
    const near = wordsOf(plain.slice(at, at + size));
    if ([...wanted].filter((word) => near.has(word)).length >= share * wanted.size) return true;
  }
  return false;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
