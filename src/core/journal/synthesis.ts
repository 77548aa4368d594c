import { evolve, linkSteps, stillOpen, withoutReverted } from './evolve.ts';
import { inTime, itemsOf, type JournalItem } from './items.ts';
import type { JournalPage, PointKind } from './page.ts';
import type { ProjectNow } from './project-now.ts';
import { setThemes, type Theme } from './themes.ts';

/** A text of `_docs/` in short. */
export type DocNote = { path: string; title: string; about: string };

export type Sources = {
  pages: JournalPage[];
  /** Items of an earlier master whose summaries are gone. */
  carried: JournalItem[];
  themes: Theme[];
  docs: DocNote[];
  now: ProjectNow;
  /** Whether a later sentence asks for the contrary of an earlier one. */
  isAgainst: (earlier: string, later: string) => boolean;
};

/** A file or a command, and how many conversations name it. */
export type Mention = { name: string; conversations: number; last: string };

export type Synthesis = {
  /** Oldest first, with themes and with what each took the place of. */
  items: JournalItem[];
  open: JournalItem[];
  files: Mention[];
  commands: Mention[];
  /** Newest first. */
  pages: JournalPage[];
};

/** All that the summaries contain, each thing once, by theme, with how it changed. Nothing is chosen yet. */
export function synthesize({ pages, carried, themes, now, isAgainst }: Sources): Synthesis {
  const fromPages = withoutReverted(itemsOf(pages, isAgainst), now.commits);
  const all = byDay([...carried, ...fromPages]).map((item, at) => Object.assign(item, { at }));
  evolve(all, isAgainst);
  const items = linkSteps(all);
  setThemes(items, themes);
  const passed = lastTimes(pages, (page) => page.commands);
  const newest = inTime(pages).reverse();
  return {
    items: items.filter(({ kind }) => kind !== 'open'),
    open: stillOpen(items, {
      passed: new Map(passed.map(({ name, last }) => [name, last])),
      recent: newest.map(({ session }) => session),
      commits: now.commits,
    }),
    files: byUse(lastTimes(pages, (page) => page.files)),
    commands: byUse(passed),
    pages: newest,
  };
}

/** What carried over is where its day is; of one day it comes first. */
function byDay(items: JournalItem[]): JournalItem[] {
  const day = ({ sources }: JournalItem) => sources.at(-1)?.ts.slice(0, 10) ?? '';
  return items.sort((a, b) => (day(a) < day(b) ? -1 : day(a) > day(b) ? 1 : 0));
}

function lastTimes(pages: JournalPage[], namesOf: (page: JournalPage) => string[]): Mention[] {
  const found = new Map<string, Mention>();
  for (const page of inTime(pages))
    for (const name of new Set(namesOf(page)))
      found.set(name, { name, conversations: (found.get(name)?.conversations ?? 0) + 1, last: page.last });
  return [...found.values()];
}

function byUse(named: Mention[]): Mention[] {
  return named.sort(
    (a, b) =>
      b.conversations - a.conversations ||
      (a.last < b.last ? 1 : a.last > b.last ? -1 : a.name < b.name ? -1 : 1),
  );
}

/** The five sections. */
export type SectionName = 'status' | 'decisions' | 'learnings' | 'evolution' | 'questions';

export function sectionOf(item: JournalItem): SectionName {
  if (item.after || item.kind === 'change' || item.kind === 'done') return 'evolution';
  return SECTION_OF[item.kind];
}

const SECTION_OF: Record<PointKind, SectionName> = {
  rule: 'decisions',
  decision: 'decisions',
  discovery: 'learnings',
  learning: 'learnings',
  environment: 'learnings',
  note: 'learnings',
  change: 'evolution',
  done: 'evolution',
  status: 'status',
  open: 'questions',
};
