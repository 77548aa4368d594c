import type { FactSource } from '../../model/fact.ts';
import { citeExchange, type FactExchange } from './context.ts';
import { negates, type Wish, wishOf } from './polarity.ts';

type Spoken = { entry: FactExchange; text: string; src: number; wish: Wish };

/** The user's statements, indexed by word: a search for the opposite of something need not read the others. */
export class Negations {
  readonly #spoken: Spoken[] = [];
  readonly #wanting = new Map<string, number[]>();
  readonly #shunning = new Map<string, number[]>();

  constructor(exchanges: FactExchange[]) {
    for (const entry of exchanges) {
      for (const { text, src } of entry.record.said) {
        const wish = wishOf(text);
        const place = this.#spoken.push({ entry, text, src, wish }) - 1;
        note(this.#wanting, wish.wants, place);
        note(this.#shunning, wish.shuns, place);
      }
    }
  }

  /** Words after a time that ask for the opposite. */
  of(wish: Wish, since: string): FactSource[] {
    const places = new Set<number>();
    const collect = (terms: Set<string>, index: Map<string, number[]>) => {
      for (const term of terms) {
        const known = index.get(term) ?? [];
        for (let at = known.length - 1; at >= 0; at--) {
          const place = known[at]!;
          if (this.#spoken[place]!.entry.record.ts <= since) break;
          places.add(place);
        }
      }
    };
    collect(wish.wants, this.#shunning);
    collect(wish.shuns, this.#wanting);
    return [...places]
      .sort((a, b) => a - b)
      .map((place) => this.#spoken[place]!)
      .filter((spoken) => negates(wish, spoken.wish))
      .map(({ entry, src, text }) => citeExchange(entry, src, text));
  }
}

function note(index: Map<string, number[]>, terms: Set<string>, place: number): void {
  for (const term of terms) {
    const known = index.get(term);
    if (known) known.push(place);
    else index.set(term, [place]);
  }
}
