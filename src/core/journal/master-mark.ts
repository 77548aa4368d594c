import { shortHash } from '../model/ids.ts';
import { bodyHash } from './body-hash.ts';

/** What a master contains for programs. */
export type MasterMark = {
  at: string;
  /** Of the text without the mark: shows whether someone edited it. */
  text: string;
  conversations: number;
  /** One entry a summary, or one a bucket of them where they are many. */
  of: string[];
  bucketed: boolean;
};

/** A summary as it went in. */
export type Ingredient = { name: string; hash: string };

/** Up to this number they are named one by one; above it, by bucket, to save tokens. */
const ONE_BY_ONE = 24;
const BUCKETS = 16;
const MARK =
  /^<!-- keepsake:synthesis 1 at=(\S{1,40}) text=([0-9a-f]{8,64}) conversations=(\d{1,9}) of=(~?)([0-9a-f,]*) -->$/m;

export function masterMark(at: string, body: string, ingredients: Ingredient[]): string {
  const bucketed = ingredients.length > ONE_BY_ONE;
  const of = bucketed ? `~${bucketsOf(ingredients).join(',')}` : ingredients.map(entryOf).sort().join(',');
  return `<!-- keepsake:synthesis 1 at=${at} text=${bodyHash(body)} conversations=${ingredients.length} of=${of} -->`;
}

export function readMasterMark(text: string): MasterMark | undefined {
  const found = MARK.exec(text);
  if (!found) return undefined;
  return {
    at: found[1]!,
    text: found[2]!,
    conversations: Number(found[3]),
    bucketed: found[4] === '~',
    of: found[5] === '' ? [] : found[5]!.split(','),
  };
}

/** Those that did not go into the master as they are now. In buckets, all of a bucket that changed may be new. */
export function newTo(mark: MasterMark | undefined, ingredients: Ingredient[]): Ingredient[] {
  if (!mark) return ingredients;
  if (!mark.bucketed) {
    const known = new Set(mark.of);
    return ingredients.filter((it) => !known.has(entryOf(it)));
  }
  const now = bucketsOf(ingredients);
  return ingredients.filter((it) => now[bucketOf(it)] !== mark.of[bucketOf(it)]);
}

function entryOf({ name, hash }: Ingredient): string {
  return shortHash(`${name}\0${hash}`, 8);
}

function bucketOf({ name }: Ingredient): number {
  return Number.parseInt(shortHash(name, 4), 16) % BUCKETS;
}

function bucketsOf(ingredients: Ingredient[]): string[] {
  const lists = Array.from({ length: BUCKETS }, (): string[] => []);
  for (const it of ingredients) lists[bucketOf(it)]!.push(entryOf(it));
  return lists.map((list) => (list.length === 0 ? '000000' : shortHash(list.sort().join(), 6)));
}
