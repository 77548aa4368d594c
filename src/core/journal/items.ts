import { likeness, SAME_SENTENCE, subjectOf } from './alike.ts';
import type { JournalPage, Point, PointKind } from './page.ts';

/** Where an item comes from. */
export type ItemSource = { session: string; ts: string; exchange?: string; by?: 'user' | 'assistant' };

/** A point of one or several conversations. */
export type JournalItem = {
  kind: PointKind;
  text: string;
  subject: Set<string>;
  /** Oldest first. */
  sources: ItemSource[];
  /** Counts up with time: what came later. */
  at: number;
  theme?: string;
  /** What it took the place of, oldest first, and what took its place. */
  before: JournalItem[];
  after?: JournalItem;
  /** Carried over as an earlier step of what says this: it no longer holds, whatever the pages say. */
  stepOf?: string;
};

/** The points of all pages, each once. A later one in other words replaces the one before. */
export function itemsOf(
  pages: JournalPage[],
  isAgainst: (earlier: string, later: string) => boolean,
): JournalItem[] {
  const known = new Likes<JournalItem>();
  const items = new Set<JournalItem>();
  let at = 0;
  for (const page of inTime(pages)) {
    for (const point of page.points) {
      const subject = subjectOf(point.text);
      if (subject.size === 0) continue;
      const source = sourceOf(page, point);
      const same = known
        .near(subject)
        .find(
          (it) =>
            isOneKind(it.kind, point.kind) &&
            likeness(it.subject, subject) >= SAME_SENTENCE &&
            !isAgainst(it.text, point.text),
        );
      at++;
      if (same) {
        same.sources.push(source);
        same.at = at;
        if (point.kind === same.kind || point.by === 'user') same.text = point.text;
        continue;
      }
      const item: JournalItem = {
        kind: point.kind,
        text: point.text,
        subject,
        sources: [source],
        at,
        before: [],
      };
      items.add(item);
      known.add(subject, item);
    }
  }
  return [...items].sort((a, b) => a.at - b.at);
}

/** By the time of their conversations; those that know none come first, in a fixed order. */
export function inTime(pages: JournalPage[]): JournalPage[] {
  const key = ({ last, session }: JournalPage) => `${last}\u0000${session}`;
  return [...pages].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** What was done may be called a change or a status by the next one; a question is never an answer. */
function isOneKind(a: PointKind, b: PointKind): boolean {
  const class_ = (kind: PointKind) =>
    kind === 'open' ? 'open' : kind === 'decision' || kind === 'rule' ? 'decision' : 'told';
  return class_(a) === class_(b);
}

function sourceOf(page: JournalPage, { exchange, by }: Point): ItemSource {
  return {
    session: page.session,
    ts: page.last,
    ...(exchange === undefined ? {} : { exchange }),
    ...(by === undefined ? {} : { by }),
  };
}

/** Finds what shares a rare term, without comparing all with all. */
export class Likes<T> {
  readonly #byTerm = new Map<string, T[]>();

  add(subject: Set<string>, item: T): void {
    for (const term of subject) {
      const list = this.#byTerm.get(term);
      if (list) list.push(item);
      else this.#byTerm.set(term, [item]);
    }
  }

  /** What shares one of the rarest terms, the newest of each. Two that say the same share one of them. */
  near(subject: Set<string>): T[] {
    const lists: T[][] = [];
    for (const term of subject) {
      const list = this.#byTerm.get(term);
      if (list) lists.push(list);
    }
    lists.sort((a, b) => a.length - b.length);
    const found = new Set<T>();
    for (const list of lists.slice(0, RAREST))
      for (let at = list.length - 1; at >= Math.max(0, list.length - NEWEST); at--) found.add(list[at]!);
    return [...found];
  }
}

const RAREST = 5;
const NEWEST = 40;
