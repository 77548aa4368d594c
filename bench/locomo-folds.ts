// Cross-validation on LoCoMo: fits weights on four conversations and measures on the fifth, to show how much the figures depend on tuning.
import { SEARCH_WEIGHTS } from '../src/core/search/weights.ts';
import { isMain, table } from './bench-table.ts';
import { CUTS, percents, type RankedConversation, rankedConversations, recallsOf } from './locomo-view.ts';

const TUNED = [
  'previous',
  'next',
  'second',
  'answer',
  'ofSession',
  'speakerNamed',
  'asksWhen',
  'asksHowMany',
  'shortQuestion',
  'question',
  'speakerAsWord',
  'shapingWord',
  'related',
] as const;
const FACTORS = [0.5, 0.75, 1.33, 2];
/** Starting point of each search: far from the shipped weights, so that they must be found again. */
const START = 0.5;
const weights = SEARCH_WEIGHTS as unknown as Record<(typeof TUNED)[number], number>;

export async function run([file]: string[]): Promise<void> {
  const { conversations, close } = await rankedConversations(file, 'locomo-folds');
  const standing = TUNED.map((name) => weights[name]);
  try {
    const rows = conversations.map((held) => {
      set(standing);
      const asIs = measure([held]);
      const others = conversations.filter((one) => one !== held);
      set(standing.map((value, at) => (TUNED[at] === 'question' ? value : value * START)));
      tune(others);
      return { name: held.name, asIs, found: measure([held]) };
    });
    console.log(
      '\nweights fitted on four conversations, measured on the fifth (each starts from half of the shipped weights)\n',
    );
    table(
      ['conversation', ...CUTS.map((cut) => `R@${cut}`), ...CUTS.map((cut) => `shipped @${cut}`)],
      [
        ...rows.map(({ name, asIs, found }) => [name, ...percents(found), ...percents(asIs)]),
        ['all', ...percents(rows.flatMap((row) => row.found)), ...percents(rows.flatMap((row) => row.asIs))],
      ],
    );
  } finally {
    set(standing);
    await close();
  }
}

function set(values: number[]): void {
  for (const [at, name] of TUNED.entries()) weights[name] = values[at]!;
}

/** Changes one weight after the other while that helps, in two passes. */
function tune(conversations: RankedConversation[]): void {
  let best = goodness(conversations);
  for (let round = 0; round < 2; round++) {
    for (const name of TUNED) {
      const before = weights[name];
      let kept = before;
      for (const factor of FACTORS) {
        weights[name] = before * factor;
        const now = goodness(conversations);
        if (now <= best) continue;
        best = now;
        kept = weights[name];
      }
      weights[name] = kept;
    }
  }
}

/** Sums all cuts: a single one is too coarse for a search. */
function goodness(conversations: RankedConversation[]): number {
  return measure(conversations).reduce((sum, row) => sum + row[0]! + row[1]! + row[2]!, 0);
}

function measure(conversations: RankedConversation[]): number[][] {
  return conversations.flatMap(({ questions, rank }) =>
    questions.map((question) =>
      recallsOf(
        rank(question.text).map(({ id }) => id),
        question,
      ),
    ),
  );
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
