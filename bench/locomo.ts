// Search on LoCoMo: the share of evidence turns among the first 5, 10 and 20 hits.
import { searchMany } from '../src/app/search/search.ts';
import type { TestWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { type Conversation, importConversations, type Question } from './locomo-chats.ts';
import { plainBm25, plainFts } from './plain-search.ts';

const CUTS = [5, 10, 20];
const KINDS = ['all', 'several turns', 'time', 'common sense', 'one turn'];
/** Ranked ids of turns, for each question of a conversation. */
type Answers = string[][];

export async function run([file]: string[]): Promise<void> {
  const { world, conversations } = await importConversations(file, 'locomo');
  try {
    const plain = (make: (texts: string[]) => (query: string, limit: number) => number[]): Answers[] =>
      conversations.map(({ turns, questions }) => {
        const find = make(turns.map(({ text }) => text));
        return questions.map(({ text }) => find(text, CUTS.at(-1)!).map((number) => turns[number]!.id));
      });
    const ways: [string, Answers[]][] = [
      ['FTS5 porter, all words OR-ed', plain((texts) => plainFts(texts, { stopWords: 'in' }))],
      ['FTS5 porter, stop-words out', plain((texts) => plainFts(texts, { stopWords: 'out' }))],
      ['own BM25, k1 .9, b .4', plain((texts) => plainBm25(texts, { k1: 0.9, b: 0.4 }))],
      ['keepsake search', await ours(world, conversations)],
    ];
    const questions = conversations.reduce((sum, one) => sum + one.questions.length, 0);
    console.log(`${conversations.length} conversations, ${questions} questions; evidence turns found, %\n`);
    const head = CUTS.map((cut) => `R@${cut}`);
    table(
      ['way', ...head],
      ways.map(([name, answers]) => [name, ...recalls(conversations, answers)]),
    );
    const found = ways.at(-1)![1];
    console.log('\nkeepsake search by kind of question\n');
    const kinds = KINDS.map((name, kind) => [
      name,
      ...recalls(conversations, found, (question) => kind === 0 || question.category === kind),
    ]);
    table(['kind', ...head], kinds);
    console.log('\nkeepsake search by conversation\n');
    const each = conversations.map((one, place) => [one.name, ...recalls([one], [found[place]!])]);
    table(['conversation', ...head], each);
  } finally {
    await world.remove();
  }
}

async function ours(world: TestWorld, conversations: Conversation[]): Promise<Answers[]> {
  const all: Answers[] = [];
  for (const { name, questions } of conversations) {
    const answers: Answers = [];
    const requests = questions.map(({ text }) => ({
      query: text,
      limit: CUTS.at(-1)!,
      filters: { project: name },
    }));
    await searchMany(world, fed(requests), (_, { hits }) => {
      answers.push(hits.map(({ messageId }) => messageId));
    });
    all.push(answers);
  }
  return all;
}

async function* fed<T>(items: T[]): AsyncIterable<T> {
  yield* items;
}

/** The average share of a question's evidence that was found. */
function recalls(
  conversations: Conversation[],
  answers: Answers[],
  counts: (question: Question) => boolean = () => true,
): string[] {
  return CUTS.map((cut) => {
    let sum = 0;
    let questions = 0;
    for (const [place, conversation] of conversations.entries()) {
      for (const [number, question] of conversation.questions.entries()) {
        if (!counts(question)) continue;
        const found = answers[place]![number]!.slice(0, cut).filter((id) => question.evidence.has(id));
        sum += found.length / question.evidence.size;
        questions++;
      }
    }
    return ((100 * sum) / questions).toFixed(1);
  });
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
