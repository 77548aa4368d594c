import type { JournalItem } from './items.ts';
import type { PointKind } from './page.ts';
import { type SectionName, type Synthesis, sectionOf } from './synthesis.ts';

/** The guaranteed share of each section; unused room goes to the others. */
const SHARES: [SectionName, number][] = [
  ['decisions', 0.42],
  ['learnings', 0.24],
  ['evolution', 0.2],
  ['questions', 0.14],
];

type Scored = { item: JournalItem; section: SectionName; score: number; cost: number };

/** The items that fit, the worthiest first. `cost` is in tokens. */
export function choose(
  synthesis: Synthesis,
  room: number,
  cost: (item: JournalItem) => number,
): Set<JournalItem> {
  const all = scored(synthesis, cost);
  const taken = new Set<JournalItem>();
  let left = room;
  const take = (list: Scored[], most: number) => {
    let spent = 0;
    for (const { item, cost } of list) {
      if (taken.has(item) || spent + cost > most || cost > left) continue;
      taken.add(item);
      spent += cost;
      left -= cost;
    }
  };
  for (const [section, share] of SHARES)
    take(
      all.filter((it) => it.section === section),
      room * share,
    );
  take(all, left);
  return taken;
}

function scored({ items, open, pages }: Synthesis, cost: (item: JournalItem) => number): Scored[] {
  const age = new Map(pages.map(({ session }, rank) => [session, rank / Math.max(1, pages.length)]));
  return [...items, ...open]
    .filter((item) => item.kind !== 'status' && !isStep(item))
    .map((item) => ({ item, section: sectionOf(item), score: scoreOf(item, age), cost: cost(item) }))
    .sort((a, b) => b.score - a.score || b.item.at - a.item.at);
}

/** An earlier step is shown with what replaced it. */
export function isStep(item: JournalItem): boolean {
  return item.after !== undefined;
}

/** What many conversations mention, what was decided and why, what was written to be read later, what is new. */
function scoreOf(item: JournalItem, age: Map<string, number>): number {
  const sessions = new Set(item.sources.map(({ session }) => session)).size;
  const newest = 1 - Math.min(...item.sources.map(({ session }) => age.get(session) ?? 1));
  const reason = /\b(?:because|since|so that|due to|otherwise|that'?s why)\b/i.test(item.text) ? 0.3 : 0;
  const changed = item.before.length > 0 ? 0.8 : 0;
  const kind = WORTH[item.kind] ?? 0;
  const named = /`[^`]+`/.test(item.text) ? 0.2 : 0;
  return 1 + 0.6 * Math.log2(sessions) + spoken(item) + reason + changed + kind + named + 0.6 * newest;
}

const WORTH: Partial<Record<PointKind, number>> = { rule: 0.9, decision: 0.3, done: -0.3, note: -0.2 };

/** A commit or a note with its reasons, and what was written to a file that is read again. */
const PUBLISHED = /^(?:Written (?:down|to)\b|[^"\s][^"]{8,140} — \S)/;
/** Says how the work continues. */
const PROGRESS =
  /^(?:current state|now i|the implementation is|summary\b|updated? all|both |all (?:tests|checks)|verified|created|i(?:'ve| have| also|'m| understand)\b|let me|to answer|here(?:'s| is| are)|perfect|done|two problems)/i;

/** What the user said counts where something came of it. */
function spoken({ text, sources, kind }: JournalItem): number {
  if (PUBLISHED.test(text)) return 0.5;
  const byUser = sources.some(({ by }) => by === 'user');
  if (byUser) return kind === 'rule' || kind === 'decision' || text.includes(' → ') ? 0.4 : -0.3;
  return PROGRESS.test(text) ? -0.5 : 0;
}
