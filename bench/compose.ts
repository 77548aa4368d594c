// Composes 10, 100 and 1,000 sessions: time and use of the budget; and how much LoCoMo evidence a composition keeps.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '../src/app/compose/compose.ts';
import { ingestFiles } from '../src/app/intake/ingest-files.ts';
import { newReport } from '../src/app/sync-report.ts';
import { COMPRESS_WEIGHTS } from '../src/core/compress/weights.ts';
import { sentencesOf } from '../src/core/text/sentences.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { transcript } from '../test/made/conversation.ts';
import { makeWorld } from '../test/made/world.ts';
import { isMain, table } from './bench-table.ts';
import { fittedChatWeights } from './chat-fit.ts';
import { type Conversation, importConversations, type Question } from './locomo-chats.ts';

const SIZES = [10, 100, 1000];
const BUDGETS = [8000, 50_000];
const SHARES = [5, 10, 20, 50];
const QUESTIONS = 40;
const WORDS =
  'basket price cents rounding invoice index cache token queue retry worker schema login page button test branch merge release deploy error trace header cookie session user table column migration backup'.split(
    ' ',
  );

export async function run(args: string[]): Promise<void> {
  const [file] = args.filter((arg) => !arg.startsWith('--'));
  const options = {
    topics: !args.includes('--no-topics'),
    prints: args.includes('--print'),
    fits: args.includes('--fit'),
  };
  if (!args.includes('--no-times')) await sizes();
  if (file === undefined) console.log('\nTo see how much evidence compositions keep, pass a LoCoMo file.');
  else await evidence(file, options);
}

async function sizes(): Promise<void> {
  const rows: string[][] = [];
  for (const size of SIZES) {
    const world = makeWorld();
    try {
      const folder = join(world.projects, '-srv-shop');
      mkdirSync(folder, { recursive: true });
      for (let session = 0; session < size; session++) {
        const id = `session-${String(session).padStart(5, '0')}`;
        writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, talk(session)));
      }
      // Without layers: compositions do not use them.
      await ingestFiles(world, await world.transcripts.find(folder, []), newReport(), {});
      for (const budget of BUDGETS) {
        const ask = { budget, latest: size, project: '-srv-shop' };
        const times: number[] = [];
        let composed = { tokens: 0, sessions: 0 };
        for (const [name, preview] of [
          ['first', false],
          ['again', true],
        ] as const) {
          const start = performance.now();
          const done = await compose(world, `${name}-${budget}`, ask, { preview });
          times.push(performance.now() - start);
          const sessions = done.components.filter(({ versionId }) => versionId !== 'none').length;
          if (name === 'first') composed = { tokens: done.totalTokens, sessions };
        }
        rows.push([
          String(size),
          String(budget),
          String(composed.sessions),
          `${((100 * composed.tokens) / budget).toFixed(1)}%`,
          `${(times[0]! / 1000).toFixed(2)} s`,
          `${(times[1]! / 1000).toFixed(2)} s`,
        ]);
      }
    } finally {
      await world.remove();
    }
  }
  table(['sessions', 'budget', 'included', 'of the budget used', 'made and stored', 'with versions'], rows);
}

/** 40 exchanges of about 60 tokens. */
function talk(session: number) {
  const word = (at: number) => WORDS[(session * 13 + at * 7 + ((session * at) % 11)) % WORDS.length];
  return Array.from({ length: 40 }, (_, at) => ({
    you: `Question ${session}.${at}: why does the ${word(at)} of ${word(at + 3)} ${at} break the ${word(at + 1)}?`,
    agent: `The ${word(at + 2)} in src/${word(at)}-${session}-${at}.ts reads ${word(at + 4)} before ${word(at + 5)}. I moved it behind line ${at * 31 + session}. Now the ${word(at + 6)} holds, and ${at + 3} tests of ${word(at + 7)} pass.`,
    at: new Date(Date.UTC(2026, 0, 1) + session * 3_600_000 + at * 30_000).toISOString(),
  }));
}

/** For each way, the share of evidence at each budget. */
type Kept = { questions: number; ways: Map<string, number[]> };

/** Compares at equal budgets: chosen for a topic (some questions), chosen without one (all), first turns, last turns. */
async function evidence(
  file: string,
  options: { topics: boolean; prints: boolean; fits: boolean },
): Promise<void> {
  const { world, conversations } = await importConversations(file, 'compose');
  try {
    const count = await loadTokenCounter();
    const all: Kept = { questions: 0, ways: new Map() };
    const topics: Kept = { questions: 0, ways: new Map() };
    for (const conversation of conversations) {
      const own: Kept = { questions: 0, ways: new Map() };
      if (options.fits) {
        const others = conversations.filter((it) => it !== conversation);
        Object.assign(COMPRESS_WEIGHTS.chat, fittedChatWeights(others));
      }
      const { name, turns, questions } = conversation;
      const texts = new Map(turns.map(({ id, text }) => [id, sentencesOf(text).map(plain)]));
      const costs = turns.map(({ text }) => count(text));
      const total = costs.reduce((sum, cost) => sum + cost, 0);
      const shareIn = (answer: string, { evidence: needed }: Question) => {
        const wanted = [...needed].flatMap((id) => texts.get(id)!);
        return wanted.filter((words) => answer.includes(words)).length / wanted.length;
      };
      const asked = options.topics ? someOf(conversation) : [];
      for (const kept of [all, own]) kept.questions += questions.length;
      topics.questions += asked.length;
      for (const [place, share] of SHARES.entries()) {
        const budget = Math.round(total / share);
        const ask = { budget, latest: 1000, project: name };
        const digest = await compose(world, 'x', ask, { preview: true });
        if (options.prints) console.log(`=== ${name} 1/${share}\n${digest.markdown}`);
        const even = await compose(world, 'x', { ...ask, strategy: 'proportional' }, { preview: true });
        const ways: [string, string][] = [
          ['without a topic', plain(digest.markdown)],
          ['without a topic, proportional', plain(even.markdown)],
          ['the first turns', endOf(turns, costs, budget, false)],
          ['the last turns', endOf(turns, costs, budget, true)],
        ];
        for (const [way, text] of ways)
          for (const question of questions)
            for (const kept of [all, own]) note(kept, way, place, shareIn(text, question));
        for (const question of asked) {
          const topical = await compose(world, 'x', { ...ask, topic: question.text }, { preview: true });
          note(topics, 'with the question as topic', place, shareIn(plain(topical.markdown), question));
        }
      }
      print(name, own);
    }
    print(options.fits ? 'all, each with weights of the others' : 'all', all);
    if (options.fits) console.log(`\nFitted on all: ${JSON.stringify(fittedChatWeights(conversations))}`);
    if (options.topics) print('all, with topics', topics);
  } finally {
    await world.remove();
  }
}

function note({ ways }: Kept, way: string, place: number, share: number): void {
  const sums = ways.get(way) ?? SHARES.map(() => 0);
  sums[place]! += share;
  ways.set(way, sums);
}

function print(name: string, { questions, ways }: Kept): void {
  console.log(`\n${name}: ${questions} questions; sentences of evidence turns in the text, %\n`);
  table(
    ['way', ...SHARES.map((share) => `1/${share}`)],
    [...ways].map(([way, sums]) => [way, ...sums.map((it) => ((100 * it) / questions).toFixed(1))]),
  );
}

/** Takes questions at even intervals: each needs one composition per budget. */
function someOf({ questions }: Conversation) {
  const step = Math.max(1, questions.length / QUESTIONS);
  return questions.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function endOf(turns: Conversation['turns'], costs: number[], budget: number, last: boolean): string {
  const order = [...turns.keys()];
  if (last) order.reverse();
  let left = budget;
  const taken: string[] = [];
  for (const at of order) {
    left -= costs[at]!;
    if (left < 0) break;
    taken.push(plain(turns[at]!.text));
  }
  return taken.join('\n');
}

/** Ignores white space and heading marks. */
function plain(text: string): string {
  return text
    .replace(/[#>*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
