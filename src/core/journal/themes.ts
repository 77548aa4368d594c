import { subjectOf } from './alike.ts';
import type { Item } from './items.ts';

/** What work was about: a concept, with the words that tell it. */
export type Theme = { name: string; keywords: string[]; exchanges: string[]; sessions: string[] };

export const OTHER = 'Other';
/** Headings that a reader takes in. */
const MOST_THEMES = 14;
const LEAST_ITEMS = 2;

/** Puts each item under a theme: that of its exchange, else the one whose words it shares. Small ones are one. */
export function setThemes(items: Item[], themes: Theme[]): void {
  const ofExchange = new Map(themes.flatMap((theme) => theme.exchanges.map((id) => [id, theme] as const)));
  const words = themes.map((theme) => ({
    theme,
    terms: subjectOf([theme.name, ...theme.keywords].join(' ')),
    sessions: new Set(theme.sessions),
  }));
  for (const item of items) {
    if (item.theme !== undefined) continue;
    const own = item.sources
      .map(({ exchange }) => ofExchange.get(exchange ?? ''))
      .find((it) => it !== undefined);
    item.theme = own?.name ?? nearest(item, words) ?? OTHER;
  }
  const counts = new Map<string, number>();
  for (const { theme } of items) counts.set(theme!, (counts.get(theme!) ?? 0) + 1);
  const large = [...counts]
    .filter(([name, count]) => name !== OTHER && count >= LEAST_ITEMS)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_THEMES);
  const shown = new Set(large.map(([name]) => name));
  for (const item of items) if (!shown.has(item.theme!)) item.theme = OTHER;
}

type Words = { theme: Theme; terms: Set<string>; sessions: Set<string> };

function nearest(item: Item, words: Words[]): string | undefined {
  let best: string | undefined;
  let most = 0.3;
  for (const { theme, terms, sessions } of words) {
    let shared = 0;
    for (const term of item.subject) if (terms.has(term)) shared++;
    if (shared < 2) continue;
    const here = item.sources.some(({ session }) => sessions.has(session)) ? 1.5 : 1;
    const score = (here * shared) / Math.sqrt(terms.size * item.subject.size);
    if (score > most) [best, most] = [theme.name, score];
  }
  return best;
}
