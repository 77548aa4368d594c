// Tests whether a small table of word vectors finds more. Trained here: positive pointwise mutual information of words in one
// turn, reduced to a few numbers by random signs. The weight is fitted on four conversations.
import { termsOf } from '../src/core/text/terms.ts';
import { isMain, table } from './bench-table.ts';
import { CUTS, percents, type RankedConversation, rankedConversations, recallsOf } from './locomo-view.ts';

const DIMENSIONS = 128;
const WINDOW = 8;
const LEAST = 3;
const WEIGHTS = [0, 0.1, 0.25, 0.5, 1];

type Vectors = Map<string, Float64Array>;
type Prepared = {
  conversation: RankedConversation;
  ours: Map<string, number>[];
  alike: Map<string, number>[];
};

export async function run([file]: string[]): Promise<void> {
  const { conversations, close } = await rankedConversations(file, 'vectors');
  try {
    const plain = conversations.flatMap((one) => results(prepared(one, new Map()), 0));
    const rows = [['words alone', '', ...percents(plain)]];
    const ways: [string, (held: RankedConversation) => RankedConversation[]][] = [
      [
        'table from the four others (like a shipped one)',
        (held) => conversations.filter((one) => one !== held),
      ],
      ['table from all five (like one made from the archive itself)', () => conversations],
    ];
    for (const [name, textsFor] of ways) {
      const found: number[][] = [];
      const fixed: number[][] = [];
      const chosen: number[] = [];
      for (const held of conversations) {
        const vectors = train(textsFor(held).flatMap(({ turns }) => turns.map(({ text }) => text)));
        const own = prepared(held, vectors);
        const others = conversations.filter((one) => one !== held).map((one) => prepared(one, vectors));
        const worth = (weight: number) =>
          others.flatMap((one) => results(one, weight)).reduce((sum, row) => sum + row[1]!, 0);
        const weight = WEIGHTS.reduce((best, one) => (worth(one) > worth(best) ? one : best), 0);
        chosen.push(weight);
        found.push(...results(own, weight));
        fixed.push(...results(own, 0.5));
      }
      rows.push(
        [name, chosen.join(' '), ...percents(found)],
        [`${name}, weight .5`, '.5', ...percents(fixed)],
      );
    }
    table(['way', 'fitted weights', ...CUTS.map((cut) => `R@${cut}`)], rows);
  } finally {
    await close();
  }
}

function prepared(conversation: RankedConversation, vectors: Vectors): Prepared {
  const { questions, turns, rank } = conversation;
  const rarity = raritiesOf(turns.map(({ text }) => text));
  const units = turns.map(({ id, text }) => ({ id, vector: meanOf(text, vectors, rarity) }));
  const ours = questions.map(({ text }) => {
    const ranked = rank(text);
    const best = ranked[0]?.score ?? 1;
    return new Map(ranked.map(({ id, score }) => [id, score / best]));
  });
  const alike = questions.map(({ text }) => {
    const asked = meanOf(text, vectors, rarity);
    return new Map(units.map(({ id, vector }) => [id, dot(asked, vector)]));
  });
  return { conversation, ours, alike };
}

function results({ conversation, ours, alike }: Prepared, weight: number): number[][] {
  return conversation.questions.map((question, at) => {
    const score = (id: string) => (ours[at]!.get(id) ?? 0) + weight * (alike[at]!.get(id) ?? 0);
    const ids = weight === 0 ? [...ours[at]!.keys()] : conversation.turns.map(({ id }) => id);
    const ranked = ids.map((id) => ({ id, score: score(id) })).sort((a, b) => b.score - a.score);
    return recallsOf(
      ranked.map(({ id }) => id),
      question,
    );
  });
}

function train(texts: string[]): Vectors {
  const count = new Map<string, number>();
  const lists = texts.map((text) => termsOf(text));
  for (const list of lists) for (const term of list) count.set(term, (count.get(term) ?? 0) + 1);
  const pairs = new Map<string, Map<string, number>>();
  let total = 0;
  for (const list of lists) {
    const kept = list.filter((term) => count.get(term)! >= LEAST);
    for (const [at, term] of kept.entries()) {
      const beside = pairs.get(term) ?? new Map<string, number>();
      pairs.set(term, beside);
      for (const other of kept.slice(Math.max(0, at - WINDOW), at + WINDOW + 1)) {
        if (other === term) continue;
        beside.set(other, (beside.get(other) ?? 0) + 1);
        total++;
      }
    }
  }
  const sums = new Map(
    [...pairs].map(([term, beside]) => [term, [...beside.values()].reduce((a, b) => a + b, 0)]),
  );
  const signs = new Map([...pairs.keys()].map((term, at) => [term, signsOf(at)]));
  const vectors: Vectors = new Map();
  for (const [term, beside] of pairs) {
    const vector = new Float64Array(DIMENSIONS);
    // A word is always similar to itself.
    for (let d = 0; d < DIMENSIONS; d++) vector[d] = 3 * signs.get(term)![d]!;
    for (const [other, times] of beside) {
      const information = Math.log((times * total) / (sums.get(term)! * sums.get(other)!));
      if (information <= 0) continue;
      const own = signs.get(other)!;
      for (let d = 0; d < DIMENSIONS; d++) vector[d]! += information * own[d]!;
    }
    vectors.set(term, normal(vector));
  }
  return vectors;
}

/** Deterministic: the same number gives the same result in every run. */
function signsOf(number: number): Float64Array {
  let seed = (number + 1) * 2654435761;
  return Float64Array.from({ length: DIMENSIONS }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed & 0x10000 ? 1 : -1;
  });
}

function raritiesOf(texts: string[]): (term: string) => number {
  const held = new Map<string, number>();
  for (const text of texts)
    for (const term of new Set(termsOf(text))) held.set(term, (held.get(term) ?? 0) + 1);
  return (term) => Math.log(1 + texts.length / (1 + (held.get(term) ?? 0)));
}

function meanOf(text: string, vectors: Vectors, rarity: (term: string) => number): Float64Array {
  const sum = new Float64Array(DIMENSIONS);
  for (const term of termsOf(text)) {
    const vector = vectors.get(term);
    for (let d = 0; vector && d < DIMENSIONS; d++) sum[d]! += rarity(term) * vector[d]!;
  }
  return normal(sum);
}

function normal(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < DIMENSIONS; d++) sum += a[d]! * b[d]!;
  return sum;
}

if (isMain(import.meta.url)) await run(process.argv.slice(2));
