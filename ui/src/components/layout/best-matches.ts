/** Items whose text holds every word that was typed; those where the words begin a word come first. */
export function bestMatches<T>(items: readonly T[], typed: string, textOf: (item: T) => string): T[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...items];
  const scored: { item: T; score: number; at: number }[] = [];
  for (const [at, item] of items.entries()) {
    const text = textOf(item).toLowerCase();
    let score = 0;
    for (const word of words) {
      const found = text.indexOf(word);
      if (found < 0) {
        score = -1;
        break;
      }
      score += found === 0 ? 3 : /[\s/_.-]/.test(text.charAt(found - 1)) ? 2 : 1;
    }
    if (score >= 0) scored.push({ item, score, at });
  }
  return scored.sort((a, b) => b.score - a.score || a.at - b.at).map(({ item }) => item);
}
