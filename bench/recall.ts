// How much of a question's evidence is in the text of recall, by budget.
import { recall } from '../src/app/recall/recall.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { isMain, table } from './bench-table.ts';
import { importConversations } from './locomo-chats.ts';
import { plainFts } from './plain-search.ts';

const BUDGETS = [500, 1000, 2000];

export async function run([file]: string[]): Promise<void> {
  const { world, conversations } = await importConversations(file, 'recall');
  try {
    const count = await loadTokenCounter();
    const shares = new Map<string, number[]>();
    const note = (way: string, place: number, share: number) => {
      const sums = shares.get(way) ?? BUDGETS.map(() => 0);
      sums[place]! += share;
      shares.set(way, sums);
    };
    let questions = 0;
    let over = 0;
    let tokens = 0;
    for (const { name, turns, questions: asked } of conversations) {
      const find = plainFts(
        turns.map(({ text }) => text),
        { stopWords: 'out' },
      );
      const costs = turns.map(({ text }) => count(text));
      tokens += costs.reduce((sum, cost) => sum + cost, 0);
      const texts = new Map(turns.map(({ id, text }) => [id, plain(text)]));
      for (const { text: topic, evidence } of asked) {
        questions++;
        const needed = [...evidence].map((id) => texts.get(id)!);
        const share = (held: (text: string) => boolean) => needed.filter(held).length / needed.length;
        const best = find(topic, turns.length);
        for (const [place, budget] of BUDGETS.entries()) {
          const got = await recall(world, { topic, budget, project: name });
          if (got.tokens > budget) over++;
          const recalled = plain(got.text);
          note(
            'keepsake recall',
            place,
            share((text) => recalled.includes(text)),
          );
          const taken = new Set(fitting(best, costs, budget).map((number) => plain(turns[number]!.text)));
          note(
            'FTS5 hits, no headings',
            place,
            share((text) => taken.has(text)),
          );
          const last = fitting([...turns.keys()].reverse(), costs, budget);
          const latest = new Set(last.map((number) => plain(turns[number]!.text)));
          note(
            'the latest turns',
            place,
            share((text) => latest.has(text)),
          );
        }
      }
    }
    console.log(
      `${questions} questions, conversations of ${Math.round(tokens / conversations.length)} tokens on average; evidence turns whole in the text, %; over budget: ${over}\n`,
    );
    table(
      ['way', ...BUDGETS.map((budget) => `${budget} tokens`)],
      [...shares].map(([way, sums]) => [way, ...sums.map((sum) => ((100 * sum) / questions).toFixed(1))]),
    );
  } finally {
    await world.remove();
  }
}

/** Adds turns in order while there is room. */
function fitting(order: number[], costs: number[], budget: number): number[] {
  let left = budget;
  return order.filter((number) => {
    if (costs[number]! > left) return false;
    left -= costs[number]!;
    return true;
  });
}

/** Ignores quote marks at line starts and white space. */
function plain(text: string): string {
  return text
    .replace(/^\s*>\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
