import { contentWords } from '../text/plain-text.ts';

/** The words that say what a text is about, without the punctuation behind them. */
export function aboutWords(text: string): Set<string> {
  const words = [...contentWords(text)].map((word) => word.replace(/[./-]+$/, ''));
  return new Set(words.filter((word) => word.length > 2));
}
