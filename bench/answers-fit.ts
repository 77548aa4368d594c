// Fits the weights of answer sentences on labeled questions, and measures them on projects that were left out of the fit.
import { existsSync } from 'node:fs';
import { scopeOf } from '../src/app/search/filters.ts';
import { openView } from '../src/app/search/open-view.ts';
import { filled, readPassages } from '../src/app/search/passages.ts';
import type { World } from '../src/app/world.ts';
import type { PassageExchange } from '../src/core/passages/passage.ts';
import { passageText } from '../src/core/passages/render.ts';
import { type Asked, type ScoredExchange, scoreSentences } from '../src/core/passages/score-sentences.ts';
import { SENTENCE_FEATURES, type SentenceWeights } from '../src/core/passages/sentence-features.ts';
import { SENTENCE_WEIGHTS } from '../src/core/passages/sentence-weights.ts';
import { parseQuery } from '../src/core/search/query.ts';
import { loadTokenCounter } from '../src/core/text/tokens.ts';
import { type AskedQuestion, answers, labeledQuestions } from './answers-gold.ts';
import { isMain, table } from './bench-table.ts';
import { fittedWeights, type SentenceExamples } from './sentence-fit.ts';
import { wordsOf } from './statements-gold.ts';

/** What is measured, with the tokens left for sentences: recalls of 700 and 2,000 tokens also print a title. */
const TASKS = [
  { name: 'first 3', limit: 3, tokens: 1020 },
  { name: 'recall 700', limit: 30, tokens: 660 },
  { name: 'recall 2000', limit: 30, tokens: 1960 },
] as const;
/** Share of the quote's words that a sentence needs to count as the answer; with less it counts as a part. */
const WHOLE = 0.6;
const PART = 0.3;

export type SentenceCase = {
  question: AskedQuestion;
  asked: Asked;
  exchanges: PassageExchange[];
  examples: SentenceExamples;
};

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const archive = args.find((arg) => arg.startsWith('--archive='))?.slice('--archive='.length);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((it) => !existsSync(it)))
    throw new Error(
      'Missing folder of labels and folders of their sessions. Usage: npm run bench -- answers-fit GOLD DIR ... [--archive=DIR]',
    );
  const { world, questions, close } = await labeledQuestions(gold, folders, archive);
  const cases = await sentenceCases(world, questions).finally(close);
  const projects = [...new Set(cases.map(({ question }) => question.folder))];
  const sizes = projects.map((folder) => cases.filter(({ question }) => question.folder === folder).length);
  const all = sentenceWeights(cases);
  const left = new Map(projects.map((folder) => [folder, sentenceWeights(cases, folder)]));
  const count = await loadTokenCounter();
  const rows: string[][] = [];
  const ways: [string, (folder: string) => SentenceWeights][] = [
    ['as shipped', () => SENTENCE_WEIGHTS],
    ['fitted on all', () => all],
    ['without the project', (folder) => left.get(folder)!],
  ];
  for (const [way, weightsOf] of ways) {
    const hits = TASKS.map(() => projects.map(() => 0));
    for (const { question, asked, exchanges } of cases) {
      const scored = scoreSentences(exchanges, asked, weightsOf(question.folder));
      for (const [at, { limit, tokens }] of TASKS.entries()) {
        const text = filled(scored.slice(0, limit), tokens, count).map(passageText).join('\n\n');
        if (answers(text, question.quote)) hits[at]![projects.indexOf(question.folder)]!++;
      }
    }
    for (const [at, { name }] of TASKS.entries()) {
      const sum = hits[at]!.reduce((a, b) => a + b, 0);
      const shares = hits[at]!.map((hit, project) => share(hit, sizes[project]!));
      rows.push([`${name}, ${way}`, ...shares, share(sum, cases.length)]);
    }
  }
  table(['%', ...projects.map((folder) => folder.split('/').slice(-2).join('/').slice(-14)), 'all'], rows);
  console.log(`\n${SENTENCE_FEATURES.map((name) => `  ${name}: ${all[name]},`).join('\n')}`);
}

/** Fitted on all questions but those of one folder. */
export function sentenceWeights(cases: SentenceCase[], without?: string): SentenceWeights {
  const others = cases.filter(({ question }) => question.folder !== without);
  return fittedWeights(others.map(({ examples }) => examples));
}

/** Each question with the sentences that may answer it. */
export async function sentenceCases(world: World, questions: AskedQuestion[]): Promise<SentenceCase[]> {
  const { view, close } = await openView(world, {});
  try {
    const cases: SentenceCase[] = [];
    for (const question of questions) {
      const { text, terms } = parseQuery(question.question);
      const scope = await scopeOf(world, view, { project: question.project }, { terms, grain: 'exchange' });
      const { read, words } = await readPassages(world, view, scope, { terms, limit: 30 });
      const exchanges = read.map(({ exchange }) => exchange);
      const asked = { words, question: text };
      const scored = scoreSentences(exchanges, asked);
      const size = questions.filter(({ folder }) => folder === question.folder).length;
      cases.push({
        question,
        asked,
        exchanges,
        examples: examplesOf(scored, question.quote, 1 / Math.sqrt(size)),
      });
    }
    return cases;
  } finally {
    await close();
  }
}

/** How much of the answer each sentence holds; only sentences of a turn that answers can hold any. */
function examplesOf(scored: ScoredExchange[], quote: string, weight: number): SentenceExamples {
  const needed = wordsOf(quote);
  const sentences = scored.flatMap(({ exchange, sentences: own }) => {
    const turns = exchange.turns.map(({ text }) => answers(text, quote));
    return own.map(({ turn, text, features }) => {
      if (!turns[turn]) return { features, target: 0 };
      const words = wordsOf(text);
      const found = [...needed].filter((word) => words.has(word)).length / needed.size;
      return { features, target: found >= WHOLE ? 1 : found >= PART ? found : 0 };
    });
  });
  return { sentences, weight };
}

function share(count: number, of: number): string {
  return ((100 * count) / of).toFixed(1);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
