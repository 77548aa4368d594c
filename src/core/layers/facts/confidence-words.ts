/** Shares that people say, the coarser first. */
const SHARES: [right: number, of: number][] = [
  [1, 2],
  [2, 3],
  [1, 3],
  [3, 4],
  [1, 4],
  [4, 5],
  [2, 5],
  [1, 5],
  [9, 10],
  [1, 10],
  [19, 20],
];
const CLOSE = 0.03;

/** A confidence as a share of such statements: `3 of 4`. */
export function confidenceWords(confidence: number): string {
  const off = ([right, of]: (typeof SHARES)[number]) => Math.abs(right / of - confidence);
  const best = SHARES.find((share) => off(share) <= CLOSE) ?? SHARES.toSorted((a, b) => off(a) - off(b))[0]!;
  return `${best[0]} of ${best[1]}`;
}
