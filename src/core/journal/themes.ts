import { anyToken, termsOf } from '../text/terms.ts';
import { subjectOf } from './alike.ts';
import type { JournalItem } from './items.ts';

/** What work was about: a concept, with its words. */
export type Theme = { name: string; keywords: string[]; exchanges: string[]; sessions: string[] };

export const OTHER = 'Other';
/** A word that more of all items share than this says nothing about one. */
const COMMON = 0.25;
const LEAST_ITEMS = 3;

/** Puts each item under a theme: that of its exchange, else the one whose words it shares. */
export function setThemes(items: JournalItem[], themes: Theme[]): void {
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
}

type Words = { theme: Theme; terms: Set<string>; sessions: Set<string> };

function nearest(item: JournalItem, words: Words[]): string | undefined {
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

/** Items under headings that are worth one, the largest first. What is left is put together by a word that it shares. */
export function grouped(items: JournalItem[]): [theme: string, items: JournalItem[]][] {
  const groups = new Map<string, JournalItem[]>();
  const put = (name: string, item: JournalItem) => groups.set(name, [...(groups.get(name) ?? []), item]);
  const counts = new Map<string, number>();
  for (const { theme = OTHER } of items) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  const left: JournalItem[] = [];
  for (const item of items) {
    const theme = item.theme ?? OTHER;
    if (theme !== OTHER && counts.get(theme)! >= LEAST_ITEMS) put(theme, item);
    else left.push(item);
  }
  for (const item of byWord(left, items.length, put)) put(OTHER, item);
  return [...groups].sort(
    ([a, x], [b, y]) => Number(a === OTHER) - Number(b === OTHER) || y.length - x.length || (a < b ? -1 : 1),
  );
}

/** The most shared word forms a group, then the next; returns items that share none. */
function byWord(
  items: JournalItem[],
  all: number,
  put: (name: string, item: JournalItem) => void,
): JournalItem[] {
  let left = items;
  const nameless = new Set<string>();
  for (;;) {
    const counts = new Map<string, number>();
    for (const { subject } of left)
      for (const term of subject)
        if (isThemeWord(term) && !nameless.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    const most = Math.max(LEAST_ITEMS, all * COMMON);
    const [best] = [...counts]
      .filter(([, count]) => count >= LEAST_ITEMS && count <= most)
      .sort((a, b) => b[1] - a[1] || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1));
    if (!best) return left;
    const [term] = best;
    const inside = left.filter(({ subject }) => subject.has(term));
    const name = surfaceOf(term, inside);
    if (name === undefined) {
      nameless.add(term);
      continue;
    }
    for (const item of inside) put(name, item);
    left = left.filter(({ subject }) => !subject.has(term));
  }
}

/** Words of every project: a heading of them says nothing. */
const GENERAL = new Set(
  'use used file files test tests code change changes function add added fix fixed run error errors work make new need call called issue return check update updated way keep remove removed line lines instead time case current now set name first show case project value string type user handle let put want think look good thing fine prompt approach cause root problem simple simplest correct right clean cleanest best real still fail failed session commit branch message since because instead otherwise also already always never only just both each same other another without within between before after during again should would could there their these those which while when where then than much many more most some such very really actually already doesn don isn wasn option path main lets taken back written down asked agreed feat chore docs perf refactor style build preserve explicit improve support deprecated focused add implementation result server data'
    .split(' ')
    .flatMap((word) => termsOf(word)),
);

function isThemeWord(term: string): boolean {
  return /^\p{L}{4,}/u.test(term) && !GENERAL.has(term);
}

/** The word as it mostly appears in the texts; undefined if it is only a part of others. */
function surfaceOf(term: string, items: JournalItem[]): string | undefined {
  const forms = new Map<string, number>();
  for (const { text } of items)
    for (const [word] of text.matchAll(anyToken()))
      if (termsOf(word)[0] === term && !/[/.]/.test(word))
        forms.set(word.toLowerCase(), (forms.get(word.toLowerCase()) ?? 0) + 1);
  const [best] = [...forms].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const word = best?.[0];
  return word === undefined ? undefined : word.charAt(0).toUpperCase() + word.slice(1);
}
