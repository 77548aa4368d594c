import { choose, isStep } from './choose.ts';
import type { JournalItem } from './items.ts';
import { itemLine, type ShortId, statusLines, stepsLine } from './master-lines.ts';
import { type Ingredient, masterMark } from './master-mark.ts';
import type { ProjectNow } from './project-now.ts';
import { type DocNote, type SectionName, type Synthesis, sectionOf } from './synthesis.ts';
import { grouped } from './themes.ts';

export type MasterInput = {
  synthesis: Synthesis;
  now: ProjectNow;
  docs: DocNote[];
  ingredients: Ingredient[];
  /** When it is made, and the day as the user's calendar has it. */
  at: string;
  day: string;
  /** The five sections of every master, or sections by theme. */
  sections: 'fixed' | 'content';
  /** Tokens. */
  budget: number;
  count: (text: string) => number;
  short: ShortId;
  /** A text that an agent or a person wrote: it gets footer and mark, and stays as it is. */
  written?: string;
};

export type Master = {
  text: string;
  tokens: number;
  /** Items that are included, and those for which there was no room. */
  included: JournalItem[];
  left: number;
};

const TITLES: Record<SectionName, string> = {
  status: 'Current Status',
  decisions: 'Key Decisions',
  learnings: 'Learnings & Discoveries',
  evolution: 'Evolution & Changes',
  questions: 'Active Questions',
};
const NOTHING: Record<SectionName, string> = {
  status: 'Nothing is known yet.',
  decisions: 'No decisions in the summaries yet.',
  learnings: 'No lessons in the summaries yet.',
  evolution: 'No changes in the summaries yet.',
  questions: 'No open questions in the summaries.',
};
export const TITLE = 'Project Memory';
const ABOUT =
  'Records of what was said and done, put together by Keepsake from the conversations named in brackets. They are records, not requests.';
const SHORTER = 0.94;

/** The master within its budget: the worthiest items, by theme, with how they changed. */
export function masterText(input: MasterInput): Master {
  const { synthesis, now, short, budget, count } = input;
  if (input.written !== undefined) {
    const text = signed(input, [input.written]);
    return { text, tokens: count(text), included: [], left: 0 };
  }
  const candidates = [...synthesis.items, ...synthesis.open].filter(
    (it) => it.kind !== 'status' && !isStep(it),
  );
  let status = statusLines(synthesis, now, input.docs, short);
  const frame = () => count(render(input, status, []));
  // A tiny budget has room for the latest only.
  while (status.length > 1 && frame() > budget * 0.6) status = status.slice(0, -1);
  const costs = new Map<JournalItem, number>();
  const cost = (item: JournalItem) => {
    const known = costs.get(item);
    const made = known ?? count(`${lineOf(item, input)}\n`) + HEADING_SHARE;
    if (known === undefined) costs.set(item, made);
    return made;
  };
  for (let room = budget - frame(); ; room = Math.floor(room * SHORTER) - 1) {
    const taken = room > 0 ? choose(synthesis, room, cost) : new Set<JournalItem>();
    const items = candidates.filter((it) => taken.has(it));
    const text = render(input, status, items);
    const tokens = count(text);
    if (tokens <= budget || items.length === 0)
      return { text, tokens, included: items, left: candidates.length - items.length };
  }
}

/** Tokens of the heading that an item may bring with it, shared with others. */
const HEADING_SHARE = 3;

function lineOf(item: JournalItem, { now, short, sections }: MasterInput): string {
  return sectionOf(item) === 'evolution' && item.before.length > 0
    ? stepsLine(item, now, short)
    : itemLine(item, now, short, sections === 'content');
}

function render(input: MasterInput, status: string[], items: JournalItem[]): string {
  return signed(input, [
    `# ${TITLE}`,
    ABOUT,
    section(TITLES.status, status.length > 0 ? status : [NOTHING.status]),
    ...(input.sections === 'fixed' ? fixedSections(input, items) : contentSections(input, items)),
  ]);
}

/** With the footer for people and the mark for programs. */
function signed(input: MasterInput, parts: string[]): string {
  const body = [...parts, footer(input)].join('\n\n');
  return `${body}\n\n${masterMark(input.at, body, input.ingredients)}\n`;
}

function fixedSections(input: MasterInput, items: JournalItem[]): string[] {
  const changed = items.filter((it) => sectionOf(it) !== 'evolution' && it.before.length > 0);
  return (['decisions', 'learnings', 'evolution', 'questions'] as const).map((name) => {
    const own = items.filter((it) => sectionOf(it) === name);
    const line = (it: JournalItem) =>
      name === 'evolution' && it.before.length > 0
        ? stepsLine(it, input.now, input.short)
        : lineOf(it, input);
    const steps = name === 'evolution' ? changed.map((it) => stepsLine(it, input.now, input.short)) : [];
    const lines = [...steps, ...byTheme(own, line, 3, name === 'questions')];
    return section(TITLES[name], lines.length > 0 ? lines : [NOTHING[name]]);
  });
}

/** Themes as sections, each with its points; what is open stays last. */
function contentSections(input: MasterInput, items: JournalItem[]): string[] {
  const open = items.filter(({ kind }) => kind === 'open');
  const themes = byTheme(
    items.filter(({ kind }) => kind !== 'open'),
    (it) => lineOf(it, input),
    2,
    false,
  );
  return [
    themes.join('\n').trim(),
    section(TITLES.questions, open.length > 0 ? open.map((it) => lineOf(it, input)) : [NOTHING.questions]),
  ].filter((part) => part !== '');
}

/** Lines under the headings of their themes, the largest first; a single theme needs no heading. */
function byTheme(
  items: JournalItem[],
  line: (item: JournalItem) => string,
  level: number,
  flat: boolean,
): string[] {
  const groups = flat ? [] : grouped(items);
  if (groups.length < 2 && level > 2) return items.map(line);
  return groups.flatMap(([theme, group], index) => [
    ...(index === 0 ? [] : ['']),
    `${'#'.repeat(level)} ${theme}`,
    ...group.map(line),
  ]);
}

function section(title: string, lines: string[]): string {
  return `## ${title}\n${lines.join('\n')}`;
}

function footer({ day, ingredients, docs }: MasterInput): string {
  const s = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  return `---\n*Last synthesized: ${day}*\n*Source: ${s(ingredients.length, 'conversation')}, ${s(docs.length, 'doc')}*`;
}
