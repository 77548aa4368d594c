// Fits weights of sentence features: maximizes the probability of a question's answer sentences.
import { SENTENCE_FEATURES, type SentenceWeights } from '../src/core/passages/sentence-features.ts';

/** The sentences of a question; `target` is how much of the answer each contains. */
export type SentenceExamples = {
  sentences: { features: Float64Array; target: number }[];
  /** Of the question: a project counts by the square root of its number of questions. */
  weight: number;
};

const SIZE = SENTENCE_FEATURES.length;
const STEPS = 80;
const RATE = 0.12;
const RIDGE = 1;
/** Most sentences do not answer: of those far from the best, one in this many is used, with this weight. */
const EVERY = 4;
const NEAR = Math.log(9);
const RANK = SENTENCE_FEATURES.indexOf('rank');

type Flat = { values: Float32Array; targets: Float32Array; worth: Float32Array; weight: number };

/** Fitted with Adam from zero in a fixed order, so the same examples give the same weights. */
export function fittedWeights(examples: SentenceExamples[]): SentenceWeights {
  const data = examples.filter(({ sentences }) => sentences.some(({ target }) => target > 0)).map(flat);
  const weights = new Float64Array(SIZE);
  const [mean, spread] = [new Float64Array(SIZE), new Float64Array(SIZE)];
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Float64Array(SIZE);
    for (const one of data) addSlope(one, weights, slope);
    for (let at = 0; at < SIZE; at++) {
      const own = slope[at]! - RIDGE * weights[at]!;
      mean[at] = 0.9 * mean[at]! + 0.1 * own;
      spread[at] = 0.99 * spread[at]! + 0.01 * own * own;
      const size = Math.sqrt(spread[at]! / (1 - 0.99 ** step)) + 1e-8;
      weights[at]! += (RATE * (mean[at]! / (1 - 0.9 ** step))) / size;
    }
  }
  const rounded = SENTENCE_FEATURES.map((name, at) => [name, Math.round(weights[at]! * 100) / 100]);
  return Object.fromEntries(rounded) as SentenceWeights;
}

function flat({ sentences, weight }: SentenceExamples): Flat {
  const isNear = (features: Float64Array) => features[RANK]! < NEAR;
  const kept = sentences.filter(
    ({ target, features }, at) => target > 0 || isNear(features) || at % EVERY === 0,
  );
  const values = new Float32Array(kept.length * SIZE);
  for (const [at, { features }] of kept.entries()) values.set(features, at * SIZE);
  return {
    values,
    targets: Float32Array.from(kept, ({ target }) => target),
    worth: Float32Array.from(kept, ({ target, features }) => (target > 0 || isNear(features) ? 1 : EVERY)),
    weight,
  };
}

function addSlope(
  { values, targets, worth, weight }: Flat,
  weights: Float64Array,
  slope: Float64Array,
): void {
  const shares = new Float64Array(targets.length);
  let [whole, right] = [0, 0];
  for (let at = 0; at < targets.length; at++) {
    let sum = 0;
    for (let k = 0; k < SIZE; k++) sum += weights[k]! * values[at * SIZE + k]!;
    shares[at] = worth[at]! * Math.exp(sum);
    whole += shares[at]!;
    right += shares[at]! * targets[at]!;
  }
  for (let at = 0; at < targets.length; at++) {
    const pull = weight * ((shares[at]! * targets[at]!) / right - shares[at]! / whole);
    if (Math.abs(pull) < 1e-5) continue;
    for (let k = 0; k < SIZE; k++) slope[k]! += pull * values[at * SIZE + k]!;
  }
}
