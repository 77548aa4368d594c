// Fits weights of chat messages between people: the probability that a message is the evidence for a question, from its features.
import { type ChatFigures, chatFigures } from '../src/core/compress/units/chat-of-people.ts';
import { newUnit } from '../src/core/compress/units/unit.ts';
import { unitWords } from '../src/core/compress/units/unit-words.ts';
import { runSteps } from '../src/core/model/steps.ts';
import type { Conversation } from './locomo-chats.ts';

const STEPS = 3000;
const RATE = 0.02;
const RIDGE = 1e-4;

/** Fitted with Adam from zero in a fixed order, so the same conversations give the same weights. */
export function fittedChatWeights(conversations: readonly Conversation[]): ChatFigures {
  const examples = conversations.flatMap(examplesOf);
  const names = Object.keys(examples[0]!.figures) as (keyof ChatFigures)[];
  const rows = examples.map(({ figures, isEvidence }) => ({
    values: Float64Array.from(names, (name) => figures[name]),
    target: isEvidence ? 1 : 0,
  }));
  const zeros = () => new Float64Array(names.length);
  const [weights, mean, spread] = [zeros(), zeros(), zeros()];
  for (let step = 1; step <= STEPS; step++) {
    const slope = zeros();
    for (const { values, target } of rows) {
      let sum = 0;
      for (let at = 0; at < values.length; at++) sum += values[at]! * weights[at]!;
      const miss = target - 1 / (1 + Math.exp(-sum));
      for (let at = 0; at < values.length; at++) slope[at]! += (miss * values[at]!) / rows.length;
    }
    for (let at = 0; at < slope.length; at++) {
      const own = slope[at]! - RIDGE * weights[at]!;
      mean[at] = 0.9 * mean[at]! + 0.1 * own;
      spread[at] = 0.999 * spread[at]! + 0.001 * own * own;
      const size = Math.sqrt(spread[at]! / (1 - 0.999 ** step)) + 1e-8;
      weights[at]! += (RATE * (mean[at]! / (1 - 0.9 ** step))) / size;
    }
  }
  const rounded = names.map((name, at) => [name, Math.round(100 * weights[at]!) / 100]);
  return Object.fromEntries(rounded) as ChatFigures;
}

function examplesOf({ turns, questions }: Conversation): { figures: ChatFigures; isEvidence: boolean }[] {
  const needed = new Set(questions.flatMap(({ evidence }) => [...evidence]));
  const lines = turns.map(({ text, name, ts }, at) => ({
    line: { ts, role: 'user' as const, name, text, src: at },
    at: at + 1,
    exchange: '',
    abandoned: false,
  }));
  const units = turns.map(({ text }, turn) => newUnit(turn, 'user', text));
  const figures = chatFigures(lines, units, runSteps(unitWords(units)));
  return figures.map((own, at) => ({ figures: own, isEvidence: needed.has(turns[at]!.id) }));
}
