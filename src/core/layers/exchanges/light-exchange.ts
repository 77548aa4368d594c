import type { ExchangeRecord } from '../../model/exchange.ts';
import { NAMING_DETAILS } from '../concepts/found-phrases.ts';

const NONE: never[] = [];

/**
 * An exchange without what neither concepts nor facts look at, and with words that it shares with others held once: all
 * exchanges of a project are in memory at the same time.
 */
export class LightExchanges {
  readonly #words = new Map<string, string>();

  readonly of = (record: ExchangeRecord): ExchangeRecord => ({
    ...record,
    // Only where something was fixed, all of them are looked at: they may say why.
    details: record.fixed.length > 0 ? record.details : beginning(record.details),
    files: this.#held(record.files),
    keywords: this.#held(record.keywords),
    commands: this.#held(record.commands),
    said: listed(record.said),
    failed: listed(record.failed),
    fixed: listed(record.fixed),
    design: listed(record.design),
  });

  #held(words: string[]): string[] {
    if (words.length === 0) return NONE;
    return words.map((word) => {
      const known = this.#words.get(word);
      if (known !== undefined) return known;
      this.#words.set(word, word);
      return word;
    });
  }
}

/** A copy: a mere slice would hold on to the whole text. */
function beginning(text: string): string {
  return text.length <= NAMING_DETAILS ? text : Buffer.from(text.slice(0, NAMING_DETAILS)).toString();
}

function listed<T>(list: T[]): T[] {
  return list.length === 0 ? NONE : list;
}
