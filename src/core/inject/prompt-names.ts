import { termsOf } from '../text/terms.ts';
import { EVIDENCE } from './evidence.ts';
import { isName } from './prompt-kind.ts';

/** Names in a prompt: those that few exchanges have, and how many there are with those that memory never saw. */
export type PromptNames = { rare: string[]; all: number };

/** What is looked at of the index: the session of each exchange, the exchange of each line, the lines of a term. */
type NamedIn = {
  readonly source: Uint32Array;
  readonly exchange: Uint32Array;
  postings(term: string): { lines: Uint32Array };
};

/** `known`: terms of the prompt. `isOpen`: sessions of the project that may be quoted, by their numbers. */
export function promptNames(
  view: NamedIn,
  prompt: string,
  known: readonly string[],
  isOpen: (source: number) => boolean,
): PromptNames {
  const all = [...new Set(termsOf(prompt.slice(0, EVIDENCE.longestPrompt)))].filter(isName);
  // Most prompts have none: then no exchange needs to be looked at.
  if (all.length === 0) return { rare: [], all: 0 };
  const own = ownExchanges(view.source, isOpen);
  let size = 0;
  for (let exchange = 0; exchange < own.length; exchange++) size += own[exchange]!;
  const most = Math.max(3, EVIDENCE.rareName * size);
  const exchangesOf = (term: string) => {
    const found = new Set<number>();
    for (const line of view.postings(term).lines) {
      const exchange = view.exchange[line]!;
      if (own[exchange] === 1) found.add(exchange);
    }
    return found.size;
  };
  const held = new Map(all.map((name) => [name, exchangesOf(name)]));
  const rare = all.filter((name) => known.includes(name) && held.get(name)! > 0 && held.get(name)! <= most);
  return { rare, all: rare.length + all.filter((name) => held.get(name) === 0).length };
}

/** 1 where an exchange is of an open session. */
function ownExchanges(source: Uint32Array, isOpen: (source: number) => boolean): Uint8Array {
  const open: number[] = [];
  const own = new Uint8Array(source.length);
  for (let exchange = 0; exchange < own.length; exchange++) {
    const id = source[exchange]!;
    own[exchange] = open[id] ??= isOpen(id) ? 1 : 0;
  }
  return own;
}

/** Work without a rare name: words that weigh something, and as many of them as what is quoted must have. */
export function hasEnoughWords(rarity: ReadonlyMap<string, number>, { rare, all }: PromptNames): boolean {
  if (rare.length < EVIDENCE.namesShown * all) return false;
  let sum = 0;
  for (const one of rarity.values()) if (one >= EVIDENCE.word) sum += one;
  return sum >= EVIDENCE.someWords;
}
