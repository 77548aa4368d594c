import type { Broken } from './laws.ts';

/** Prints what was tried and what broke; returns true if nothing did. */
export function printReport(rows: [string, string | number][], broken: Broken): boolean {
  const all: [string, string | number][] = [
    ...rows,
    ['lost', broken.lost.length],
    ['corrupt', broken.corrupt.length],
    ['purged texts back', broken.back.length],
  ];
  for (const [what, count] of all) console.log(`${what.padEnd(44)}${String(count).padStart(12)}`);
  const found = Object.values(broken).flat();
  for (const text of found.slice(0, 20)) console.log(`  ${text}`);
  return found.length === 0;
}

/** The seed that repeats a run: the given one, or a new one. */
export function seedFrom(asked: string | undefined): number {
  const seed = asked === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
  console.log(`seed ${seed}`);
  return seed;
}
