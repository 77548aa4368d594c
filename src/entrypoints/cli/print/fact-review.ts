import { reviewQueue, undoFact } from '../../../app/layers/fact-review.ts';
import type { FactRow } from '../../../app/layers/facts.ts';
import { type Settlement, settleFact } from '../../../app/layers/facts-edit.ts';
import type { Cli } from '../cli.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import { kindWords, sureness } from './fact-details.ts';

type Options = { project?: string; limit?: number };

const PAGE = 50;
const KEYS = '[k]eep  [c]orrect  [f]orget  [s]kip  [u]ndo  [q]uit';
const DONE = { confirm: 'kept', keep: 'kept', correct: 'corrected', forget: 'forgotten' };
const MOST_SHOWN = 3;

/** One fact after the other, decided by a key. Without a terminal the queue is listed. */
export async function reviewFacts(cli: Cli, { project, limit = PAGE }: Options): Promise<void> {
  const { console } = cli;
  const world = await cli.world({ layersOf: project });
  const all = await reviewQueue(world, project);
  const queue = all.slice(0, limit);
  if (console.json) return console.printJson({ items: queue, next: null, total: all.length });
  if (queue.length === 0) return console.print('Nothing to decide.');
  if (!console.interactive) {
    for (const row of queue) console.print(`${row.id}  ${headOf(row)}  ${cleanLine(row.content)}`);
    return console.print('', `${plural(all.length, 'fact')}; on a terminal you decide each with one key.`);
  }
  const decided: string[] = [];
  for (let at = 0; at < queue.length; ) {
    const row = queue[at]!;
    show(cli, row, `${at + 1} of ${queue.length}`);
    const key = await console.key(KEYS, 'kcfsuq');
    if (key === 'q') break;
    if (key === 'u') {
      const last = decided.pop();
      if (last === undefined) console.print('Nothing was decided yet.');
      else {
        await undoFact(world, last, project);
        console.print(`Undid the last decision on ${last}.`);
        at = Math.max(
          0,
          queue.findIndex(({ id }) => id === last),
        );
      }
      continue;
    }
    at++;
    const settlement = key === 's' ? undefined : await settlementFor(cli, key, row);
    if (!settlement) continue;
    await settleFact(world, row.id, settlement, { project: row.projectId });
    decided.push(row.id);
    console.print(console.style.dim(DONE[settlement.action]));
  }
  console.print(
    '',
    `${plural(decided.length, 'fact')} decided. To undo a decision: \`keepsake facts undo ID\`.`,
  );
}

type Decision = Extract<Settlement, { action: keyof typeof DONE }>;

async function settlementFor({ console }: Cli, key: string, row: FactRow): Promise<Decision | undefined> {
  if (key === 'f') return { action: 'forget' };
  if (key === 'k') return { action: row.review ? 'keep' : 'confirm' };
  const content = (await console.ask('New wording? (empty: no change)')).trim();
  return content === '' ? undefined : { action: 'correct', content };
}

function headOf(row: FactRow): string {
  const state = row.review ? `contradicted ${row.contradictions} times` : `confidence ${sureness(row)}`;
  return `${kindWords(row)}, ${cleanLine(row.projectName)}, ${state}`;
}

function show({ console }: Cli, row: FactRow, place: string): void {
  const { style } = console;
  console.print('', style.dim(`${place}  ${headOf(row)}`), style.strong(cleanLine(row.content)));
  for (const { excerpt, ts } of row.sources.slice(0, MOST_SHOWN))
    console.print(style.dim(`  ${ts.slice(0, 10)}  ${cleanLine(excerpt)}`));
  for (const { excerpt, ts } of row.against.slice(0, MOST_SHOWN))
    console.print(style.warn(`  against, ${ts.slice(0, 10)}  ${cleanLine(excerpt)}`));
}
