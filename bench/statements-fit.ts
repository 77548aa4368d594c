// Fits weights of statement features by logistic regression: Newton's method with ridge regularization, in a fixed order.
import type { FittedWeights } from '../src/core/statements/weights.ts';

/** A candidate of a labeled session. */
export type Example = {
  project: string;
  features: Set<string>;
  score: number;
  holds: boolean;
  important: boolean;
  wrong: boolean;
  /** Whether a reader would keep it, if a reader judged it. */
  kept?: number;
  isStrict?: boolean;
  /** Whether its session has labels of true items; other sessions only have readers' judgments. */
  isGold: boolean;
};

type Sample = { features: number[]; prior: number; target: number; weight: number };

/** Features of fewer candidates than this are not fitted. */
const FEWEST = 25;
/** Smaller differences do not change the order. */
const LEAST = 0.05;
const RIDGE = 40;
const WRONG_RIDGE = 60;
const KEPT_RIDGE = 5;
const FEWEST_KEPT = 8;
const STEPS = 12;
const FREE = 0.01;

/** Features that describe how a reader judges the words; more would be too many for the labels. */
const READ = /^(?:w|said):/;
const OUTCOME =
  /^(?:by:|settled$|lasting$|edits:|commits:|checks:|u:first$|u:longMessage$|u:says:|u:choice$|u:limit$|struck$|over250$|o:limit$|o:fix$|o:concedes$|o:about3$|o:over140$|o:final$|o:answers$)/;
/** Features of the user's words, chosen from the reasons that strict readers gave, not by fit. */
const SAID =
  /^(?:by:.*|said:.*|w:(?:decides|points|pointsAtAll|noNames|names2|outcomeNames3|short|asksFirst|unsure|tests|reviewed|faulty|noVoice|outcomeNow|outcomeStatus|about2|about4|failedNext|alone|bound2|question|outcomeHalf|noCalls|outcomeModal|atHand|help)|u:says:.*|over250|u:number|u:reference|u:first|lasting|u:because|settled|process|commits:u|survives:u)$/;
/** How much more a strict reader's label counts. */
const STRICT = 3;

function only(examples: Example[], takes: (name: string, example: Example) => boolean): Example[] {
  return examples.map((one) => ({
    ...one,
    features: new Set([...one.features].filter((name) => takes(name, one))),
  }));
}

function isRead(name: string, { features }: Example): boolean {
  const isSaid = ['by:words', 'by:refusal', 'by:pick'].some((by) => features.has(by));
  return isSaid ? SAID.test(name) : READ.test(name) || OUTCOME.test(name);
}

/** A project counts by the square root of its size; a candidate with an important item counts twice. */
export function fitted(examples: Example[]): FittedWeights {
  const gold = only(
    examples.filter(({ isGold }) => isGold),
    (name) => !READ.test(name),
  );
  const labeled = only(
    examples.filter(({ kept }) => kept !== undefined),
    isRead,
  );
  return {
    holds: weightsFor(gold, ({ holds }) => (holds ? 1 : 0), { ridge: RIDGE, fewest: FEWEST }),
    wrong: weightsFor(gold, ({ wrong }) => (wrong ? 1 : 0), { ridge: WRONG_RIDGE, fewest: FEWEST }),
    kept: weightsFor(labeled, ({ kept = 0 }) => kept, {
      ridge: KEPT_RIDGE,
      fewest: FEWEST_KEPT,
      weightOf: ({ isStrict }) => (isStrict ? STRICT : 1),
    }),
  };
}

function weightsFor(
  examples: Example[],
  target: (example: Example) => number,
  {
    ridge,
    fewest,
    weightOf = () => 1,
  }: { ridge: number; fewest: number; weightOf?: (example: Example) => number },
): Record<string, number> {
  const counts = new Map<string, number>();
  const sizes = new Map<string, number>();
  for (const { features, project } of examples) {
    sizes.set(project, (sizes.get(project) ?? 0) + 1);
    for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts]
    .filter(([, count]) => count >= fewest)
    .map(([name]) => name)
    .sort();
  const places = new Map(names.map((name, at) => [name, at]));
  const mean = examples.length / sizes.size;
  const samples = examples.map(
    (example): Sample => ({
      features: [...example.features].flatMap((name) => places.get(name) ?? []),
      prior: Math.min(6, Math.max(-4, example.score)) / 2,
      target: target(example),
      weight: Math.sqrt(mean / sizes.get(example.project)!) * (example.important ? 2 : 1) * weightOf(example),
    }),
  );
  const found = solved(samples, names.length, ridge);
  const named = [...names, 'prior', ''].map((name, at): [string, number] => [
    name,
    Math.round(found[at]! * 100) / 100,
  ]);
  return Object.fromEntries(named.filter(([, value]) => Math.abs(value) >= LEAST));
}

/** The weights of `size` features, then those of the prior and the constant. */
function solved(samples: Sample[], size: number, ridge: number): number[] {
  const n = size + 2;
  let weights = new Array<number>(n).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const slope = new Array<number>(n).fill(0);
    const curve = Array.from({ length: n }, () => new Float64Array(n));
    for (const { features, prior, target, weight } of samples) {
      const own: [number, number][] = [
        ...features.map((at): [number, number] => [at, 1]),
        [size, prior],
        [size + 1, 1],
      ];
      const chance = 1 / (1 + Math.exp(-own.reduce((sum, [at, value]) => sum + weights[at]! * value, 0)));
      const bend = weight * chance * (1 - chance);
      for (const [at, value] of own) {
        slope[at]! += weight * (chance - target) * value;
        const row = curve[at]!;
        for (const [other, more] of own) row[other]! += bend * value * more;
      }
    }
    for (let at = 0; at < n; at++) {
      const held = at === n - 1 ? FREE : ridge;
      slope[at]! += held * weights[at]!;
      curve[at]![at]! += held;
    }
    const change = solve(curve, slope);
    weights = weights.map((value, at) => value - change[at]!);
    if (Math.max(...change.map(Math.abs)) < 1e-7) break;
  }
  return weights;
}

/** Cholesky decomposition: the matrix is symmetric and positive definite. */
function solve(matrix: Float64Array[], right: number[]): number[] {
  const n = right.length;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!;
      for (let k = 0; k < j; k++) sum -= matrix[i]![k]! * matrix[j]![k]!;
      matrix[i]![j] = i === j ? Math.sqrt(sum) : sum / matrix[j]![j]!;
    }
  }
  const y = [...right];
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) y[i]! -= matrix[i]![k]! * y[k]!;
    y[i]! /= matrix[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) y[i]! -= matrix[k]![i]! * y[k]!;
    y[i]! /= matrix[i]![i]!;
  }
  return y;
}
