import { subjectOf } from './alike.ts';
import type { ItemSource, JournalItem } from './items.ts';
import { LONGEST_POINT, type PointKind } from './page.ts';
import { plainLine } from './plain-line.ts';
import { sectionBlocks, sectionsOf } from './sections.ts';

const SOURCES =
  /\s\(((?:\d{4}-\d\d-\d\d )?[^\s();]{2,130}(?:; (?:\d{4}-\d\d-\d\d )?[^\s();]{2,130})*(?:; \d+ more)?)\)$/;
const KINDS = new Map<string, PointKind>([
  ['key decisions', 'decision'],
  ['learnings & discoveries', 'learning'],
  ['evolution & changes', 'change'],
  ['active questions', 'open'],
]);
/** One step of `First: A (…); then: B (…); now: C (…)`. */
const STEP =
  /(?:^|; )(?:First|then|now): (.+?) \(((?:\d{4}-\d\d-\d\d )?[^\s();]{2,130})\)(?=; (?:then|now): |$| \[)/g;
const LABELED = /^\*\*(\w+):\*\* /;

/** Items of an earlier master from summaries that no longer exist: they carry over. `isHere` knows the others. */
export function carriedItems(master: string, isHere: (session: string) => boolean): JournalItem[] {
  const items: JournalItem[] = [];
  let kind: PointKind | undefined;
  for (const section of sectionsOf(master)) {
    if (section.level <= 2) kind = KINDS.get(section.name.toLowerCase());
    for (const block of sectionBlocks(section.lines)) {
      if (block.startsWith('- First: ')) {
        items.push(...stepsIn(block.slice(2), isHere));
        continue;
      }
      const found = SOURCES.exec(block);
      if (!found || !block.startsWith('- ')) continue;
      const sources = sourcesOf(found[1]!);
      if (sources.length === 0 || sources.some(({ session }) => isHere(session))) continue;
      const body = block.slice(2, found.index).replace(/ \[[^[\]]*\]$/, '');
      const label = LABELED.exec(body);
      const text = plainLine(label ? body.slice(label[0].length) : body, LONGEST_POINT);
      const itemKind = (label && labelKind(label[1]!)) ?? kind;
      if (itemKind === undefined || text === '') continue;
      const theme =
        section.level === 3 || (section.level === 2 && kind === undefined) ? { theme: section.name } : {};
      items.push({ kind: itemKind, text, subject: subjectOf(text), sources, at: 0, before: [], ...theme });
    }
  }
  return items;
}

/** Steps whose summaries are gone; each knows in whose place the last one is. */
function stepsIn(line: string, isHere: (session: string) => boolean): JournalItem[] {
  const steps = [...line.matchAll(STEP)].map(([, text, source]) => ({
    text: plainLine(text!, LONGEST_POINT),
    sources: sourcesOf(source!),
  }));
  const last = steps.pop();
  if (!last) return [];
  return steps
    .filter(({ text, sources }) => text !== '' && !sources.some(({ session }) => isHere(session)))
    .map(({ text, sources }) => ({
      kind: 'decision',
      text,
      subject: subjectOf(text),
      sources,
      at: 0,
      before: [],
      stepOf: last.text,
    }));
}

function sourcesOf(text: string): ItemSource[] {
  return text
    .split('; ')
    .filter((it) => !/^\d+ more$/.test(it))
    .map((it) => {
      const [, ts = '', session = ''] = /^(?:(\d{4}-\d\d-\d\d) )?(\S+)$/.exec(it) ?? [];
      return { session, ts };
    })
    .filter(({ session }) => session !== '');
}

function labelKind(label: string): PointKind | undefined {
  const known = new Map<string, PointKind>([
    ['Rule', 'rule'],
    ['Decision', 'decision'],
    ['Discovery', 'discovery'],
    ['Learning', 'learning'],
    ['Environment', 'environment'],
    ['Change', 'change'],
    ['Done', 'done'],
    ['Open', 'open'],
    ['Note', 'note'],
  ]);
  return known.get(label);
}
