import type { UnitKind } from '../weights.ts';
import type { Unit } from './unit.ts';
import { isCodeName, type UnitWords } from './unit-words.ts';

/** Kinds of units that are counted apart. */
const COUNTED = [
  'user',
  'agent',
  'closing',
  'commit',
  'file',
  'read',
  'edit',
  'output',
  'code',
  'todo',
  'report',
  'plan',
  'note',
  'header',
] as const;
const LIKE: Partial<Record<UnitKind, (typeof COUNTED)[number]>> = {
  answer: 'user',
  'closing-code': 'code',
  error: 'output',
  command: 'header',
  input: 'header',
  notice: 'header',
};
const OUTPUT = COUNTED.indexOf('output');
const SAID = [COUNTED.indexOf('user'), COUNTED.indexOf('agent'), COUNTED.indexOf('closing')];
/** Hashes, ids and long numbers say nothing. */
const DATA = /^(?=.*\d)[0-9a-f-]{7,}$|^\d{5,}$/;
const LONGEST = 30;

/** ln(1 + count) by kind of unit; then where it is said last and first, in how many exchanges, what it looks like. */
const WORD_WEIGHTS: readonly number[] = [
  0.91, 0.5, 0.39, 0.95, 0.15, 0.16, 0.43, 0.26, 0.26, 0.63, 0.08, 0.51, -0.14, 0.13, 1.21, 0.38, -0.02, 0.08,
  -0.8, -0.03, 0.35, -0.71, 0.4, 0.23, 0.04, 0.66, -2.74,
];

/** What each word is worth: the chance that the agent's own summary names it, by a fitted model. */
export function wordWorth(
  units: readonly Unit[],
  of: UnitWords & { exchangeOf: (turn: number) => number; turns: number },
  weights: readonly number[] = WORD_WEIGHTS,
): Float64Array {
  const worth = new Float64Array(of.words.length);
  wordFigures(units, of).forEach((figures, word) => {
    if (DATA.test(of.words[word]!)) return;
    let sum = 0;
    for (const [at, figure] of figures.entries()) sum += figure * weights[at]!;
    worth[word] = 1 / (1 + Math.exp(-sum));
  });
  return worth;
}

/** What the model looks at, by word. */
function wordFigures(
  units: readonly Unit[],
  { terms, words, exchangeOf, turns }: UnitWords & { exchangeOf: (turn: number) => number; turns: number },
): Float64Array[] {
  const width = COUNTED.length;
  const counts = new Float64Array(words.length * width);
  const [last, first] = [new Float64Array(words.length), new Float64Array(words.length).fill(1)];
  const exchanges = new Int32Array(words.length);
  const seenIn = new Int32Array(words.length).fill(-1);
  units.forEach((unit, at) => {
    const kind = COUNTED.indexOf((LIKE[unit.kind] ?? unit.kind) as (typeof COUNTED)[number]);
    const place = unit.turn / Math.max(1, turns - 1);
    const exchange = exchangeOf(unit.turn);
    for (const word of terms[at]!) {
      counts[word * width + kind]!++;
      if (kind !== OUTPUT) last[word] = Math.max(last[word]!, place);
      first[word] = Math.min(first[word]!, place);
      if (seenIn[word] !== exchange) {
        seenIn[word] = exchange;
        exchanges[word]!++;
      }
    }
  });
  return words.map((word, number) => {
    const own = counts.subarray(number * width, (number + 1) * width);
    const kinds = own.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    const named = isCodeName(word);
    const isSaid = SAID.some((kind) => own[kind]! > 0);
    return Float64Array.from([
      ...Array.from(own, (count) => Math.log1p(count)),
      last[number]!,
      last[number]! ** 4,
      1 - first[number]!,
      Math.log1p(exchanges[number]!),
      named ? 1 : 0,
      named && word.includes('/') ? 1 : 0,
      named && /\.[a-z]{1,4}$/.test(word) ? 1 : 0,
      named && /\d/.test(word) ? 1 : 0,
      kinds >= 3 ? 1 : 0,
      kinds >= 5 ? 1 : 0,
      Math.min(word.length, LONGEST) / LONGEST,
      isSaid ? 1 : 0,
      1,
    ]);
  });
}
