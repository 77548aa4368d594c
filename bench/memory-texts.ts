// How many true items of labeled sessions rolling memory and journal pages contain, and how many untrue ones they state.
import { existsSync } from 'node:fs';
import { draftPage } from '../src/core/journal/draft-page.ts';
import { pageText } from '../src/core/journal/page-text.ts';
import { exchangeRecords } from '../src/core/layers/exchanges/records.ts';
import { askFragment } from '../src/core/layers/titles/ask-fragment.ts';
import { formatEntry } from '../src/core/rolling/entry.ts';
import { sessionEntry } from '../src/core/rolling/session-entry.ts';
import { FITTED } from '../src/core/statements/choose/fitted-weights.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import {
  type Chosen,
  choose,
  chosenUnseen,
  isImportant,
  labeledSessions,
  nameOf,
  percent,
} from './statements.ts';
import { affirms, holds } from './statements-gold.ts';

const ASKED = 90;
type Texts = (session: Chosen) => string[];

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((folder) => !existsSync(folder)))
    throw new Error(
      'Missing folder of labels and folders of their sessions (one per project). Usage: npm run bench -- memory-texts GOLD DIR ... [--print]',
    );
  const count = await loadTokenCounter();
  const sessions = labeledSessions(gold, folders);
  const unseen = chosenUnseen(sessions, folders);
  const seen = choose(sessions, FITTED);
  const memory: Texts = ({ session, lines, statements }) => {
    const exchanges = exchangeRecords(session, lines).map((record) => ({
      ...record,
      asked: askFragment(record.ask, ASKED)?.text ?? '',
    }));
    const last = lines.at(-1)?.ts ?? '';
    const whole = { session: session.slice(0, 8), lines: lines.length, last, exchanges, statements };
    const local = (iso: string) => iso.slice(0, 16).replace('T', ' ');
    const entry = sessionEntry(whole, [1, lines.length], { count, local });
    return entry ? formatEntry(entry).split('\n') : [];
  };
  const page: Texts = ({ session, lines, statements }) => {
    const exchanges = exchangeRecords(session, lines);
    const [first = '', last = ''] = [lines[0]?.ts, lines.at(-1)?.ts];
    const story = { session, title: undefined, branches: [], first, last, exchanges, statements, lines };
    return [pageText(draftPage(story))];
  };
  const texts = { 'rolling memory': memory, 'journal page': page };
  if (args.includes('--print'))
    for (const one of unseen)
      console.log(`${one.session}\n${memory(one).join('\n')}\n\n${page(one).join('\n')}\n`);
  for (const [name, textsOf] of Object.entries(texts)) {
    const rows: string[][] = [];
    for (const folder of [...folders, 'all']) {
      const of = (all: Chosen[]) => all.filter(({ project }) => folder === 'all' || project === folder);
      if (of(unseen).length === 0) continue;
      const inSample = figures(of(seen), textsOf, count).slice(2);
      rows.push([nameOf(folder), ...figures(of(unseen), textsOf, count), '', ...inSample]);
    }
    const columns = ['true', 'important', 'not true'];
    table([name, 'tokens', 'at most', ...columns, 'in sample:', ...columns], rows);
    console.log('');
  }
}

function figures(sessions: Chosen[], textsOf: Texts, count: (text: string) => number): string[] {
  const [sums, all] = [
    { held: 0, important: 0, wrong: 0, tokens: 0, most: 0 },
    { truths: 0, important: 0, wrongs: 0 },
  ];
  for (const session of sessions) {
    const texts = textsOf(session);
    const tokens = count(texts.join('\n'));
    sums.tokens += tokens;
    sums.most = Math.max(sums.most, tokens);
    const held = session.truths.filter((row) => texts.some((text) => holds(text, row)));
    sums.held += held.length;
    sums.important += held.filter(isImportant).length;
    sums.wrong += session.wrongs.filter((row) => texts.some((text) => affirms(text, row))).length;
    all.truths += session.truths.length;
    all.important += session.truths.filter(isImportant).length;
    all.wrongs += session.wrongs.length;
  }
  return [
    (sums.tokens / sessions.length).toFixed(0),
    String(sums.most),
    percent(sums.held, all.truths),
    percent(sums.important, all.important),
    `${percent(sums.wrong, all.wrongs)} (${sums.wrong})`,
  ];
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
