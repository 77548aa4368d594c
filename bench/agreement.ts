// Asks labeled questions as first prompts: do earlier sessions agree on one session, is it the right one, and do its passages answer?
import { existsSync } from 'node:fs';
import { ofOneSession } from '../src/app/inject/prompt-passages.ts';
import { projectsOf } from '../src/app/repository/repositories.ts';
import { PassageReader, weighedWords } from '../src/app/search/passages.ts';
import type { World } from '../src/app/world.ts';
import { EVIDENCE } from '../src/core/inject/evidence.ts';
import { isOneSession, type SessionAgreement } from '../src/core/inject/one-session.ts';
import { promptKind } from '../src/core/inject/prompt-kind.ts';
import type { ProjectId } from '../src/core/model/ids.ts';
import { REFINE_ENGINE } from '../src/core/model/refine-engine.ts';
import { fillPassages } from '../src/core/passages/fill.ts';
import { passageText } from '../src/core/passages/render.ts';
import { scoreSentences } from '../src/core/passages/score-sentences.ts';
import { passageWords, rankPassages } from '../src/core/search/rank-passages.ts';
import { scopeOfSources } from '../src/core/search/scope.ts';
import { rarityInSessions } from '../src/core/search/term-rarity.ts';
import { estimateTokens } from '../src/core/text/estimate-tokens.ts';
import { termsOf } from '../src/core/text/terms.ts';
import { type AskedQuestion, answers, labeledQuestions } from './answers-gold.ts';
import { isMain, table } from './bench-table.ts';

const FILL = { budget: 650, count: estimateTokens, heading: 50 };
const STEPS = 40;
const COUNTS = [20, 30, 40, 45, 50, 60];

export type AgreementCase = {
  folder: string;
  agreement: SessionAgreement;
  right: boolean;
  answered: boolean;
};

export async function run(args: string[]): Promise<void> {
  const [gold, ...folders] = args.filter((arg) => !arg.startsWith('--'));
  const archive = args.find((arg) => arg.startsWith('--archive='))?.slice('--archive='.length);
  if (gold === undefined || folders.length === 0 || [gold, ...folders].some((it) => !existsSync(it)))
    throw new Error(
      'Missing folder of labels and folders of their sessions. Usage: npm run bench -- agreement GOLD DIR ... [--archive=DIR]',
    );
  const { world, questions, close } = await labeledQuestions(gold, folders, archive);
  const cases = await agreementCases(world, questions).finally(close);
  const without = new Map(
    [...new Set(cases.map(({ folder }) => folder))].map((folder) => [
      folder,
      fittedAgreement(cases.filter((one) => one.folder !== folder)),
    ]),
  );
  const fit = fittedAgreement(cases);
  const line = (name: string, scoreOf: (one: AgreementCase) => number) => {
    const sorted = [...cases].sort((a, b) => scoreOf(b) - scoreOf(a));
    return [
      name,
      ...COUNTS.map((count) => {
        const first = sorted.slice(0, count);
        return `${first.filter(({ right }) => right).length} / ${first.filter(({ answered }) => answered).length}`;
      }),
    ];
  };
  table(
    ['right session / answered, of the first', ...COUNTS.map(String)],
    [
      line('fitted on all', (one) => agreementScore(one.agreement, fit)),
      line('without the project', (one) => agreementScore(one.agreement, without.get(one.folder)!)),
    ],
  );
  const said = cases.filter(({ agreement }) => isOneSession(agreement));
  console.log(
    `\nas shipped: ${said.length} of ${questions.length} questions get one session, ${said.filter(({ right }) => right).length} the right one, ${said.filter(({ answered }) => answered).length} answered; fitted on all: ${fit.map((it) => it.toFixed(2)).join(', ')}`,
  );
}

/** The questions that the hook would hold against sessions, with how far these agree on one of them. */
export async function agreementCases(world: World, questions: AskedQuestion[]): Promise<AgreementCase[]> {
  const view = await world.index.view();
  try {
    const cases: AgreementCase[] = [];
    for (const asked of questions.filter(({ question }) => /^ask(?:-past)?$/.test(promptKind(question)))) {
      const found = await look(asked);
      if (found) cases.push(found);
    }
    return cases;
  } finally {
    view.close();
  }

  async function look({ question, quote, project, folder, session }: AskedQuestion) {
    const known = { mine: true, except: '', engine: REFINE_ENGINE } as const;
    const ids = view.sourcesIn(await projectsOf(world, project as ProjectId), known);
    const isOwn = new Set(ids);
    if (ids.length < EVIDENCE.oneSession.sessions) return undefined;
    const words = passageWords([...new Set(termsOf(question))]);
    const ranked = rankPassages(
      view,
      words,
      scopeOfSources(view, () => true),
      200,
    );
    const own = ranked.filter(({ exchange }) => isOwn.has(view.source[exchange]!));
    const other = ranked.find(({ exchange }) => !isOwn.has(view.source[exchange]!));
    if (!own[0] || (other && own[0].score < EVIDENCE.askProject * other.score)) return undefined;
    const sources = new Map(view.sources(ids).map((row) => [row.id, row]));
    const reader = new PassageReader(world, view, { sources });
    const read = (await Promise.all(own.slice(0, EVIDENCE.read).map((one) => reader.read(one)))).filter(
      (it) => it !== undefined,
    );
    const rows = new Map(read.map((it) => [it.exchange, it.row]));
    const rarityOf = rarityInSessions(
      view,
      scopeOfSources(view, (id) => isOwn.has(id)),
      ids,
    );
    const scored = scoreSentences([...rows.keys()], { words: weighedWords(words, rarityOf), question });
    const [first] = scored;
    if (!first) return undefined;
    const sessionOf = ({ exchange }: typeof first) => rows.get(exchange)!.id;
    const inSession = own.map(({ exchange, score }) => ({ session: view.source[exchange]!, score }));
    const { agreement } = ofOneSession(scored, sessionOf, inSession);
    const same = scored.filter((one) => sessionOf(one) === sessionOf(first)).slice(0, EVIDENCE.quoted);
    const texts = fillPassages(same, FILL).map(passageText);
    const { name } = rows.get(first.exchange)!;
    const right = session.includes(name) || name.includes(session);
    return { folder, agreement, right, answered: texts.some((text) => answers(text, quote)) };
  }
}

export type AgreementWeights = [base: number, byShare: number, byAhead: number];

function inputs({ share, ahead }: SessionAgreement): AgreementWeights {
  return [1, Math.log(share), Math.min(EVIDENCE.oneSession.mostAhead, ahead)];
}

export function agreementScore(agreement: SessionAgreement, weights: AgreementWeights): number {
  return inputs(agreement).reduce((sum, value, at) => sum + value * weights[at]!, 0);
}

/** Logistic regression by Newton's method, on two outcomes: right session, and answered. */
export function fittedAgreement(cases: AgreementCase[]): AgreementWeights {
  const weights: AgreementWeights = [0, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -weight));
    const bend = [0, 1, 2].map((row) => [0, 1, 2].map((at) => (row === at && row > 0 ? 1 : 0)));
    for (const { agreement, right, answered } of cases) {
      const values = inputs(agreement);
      const chance = 1 / (1 + Math.exp(-agreementScore(agreement, weights)));
      for (const row of [0, 1, 2]) {
        slope[row]! += values[row]! * (Number(right || answered) - chance);
        for (const at of [0, 1, 2]) bend[row]![at]! += values[row]! * values[at]! * chance * (1 - chance);
      }
    }
    const move = solved(bend, slope);
    for (const at of [0, 1, 2]) weights[at]! += move[at]!;
  }
  return weights;
}

/** Solves a small system of linear equations by Gaussian elimination. */
function solved(rows: number[][], right: number[]): number[] {
  const all = rows.map((row, at) => [...row, right[at]!]);
  for (const [pivot, top] of all.entries())
    for (const [at, row] of all.entries()) {
      if (at === pivot) continue;
      const factor = row[pivot]! / top[pivot]!;
      for (const [column, value] of top.entries()) row[column]! -= factor * value;
    }
  return all.map((row, at) => row.at(-1)! / row[at]!);
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
