import { sentencesOf } from '../text/sentences.ts';
import { cueOf } from './cues.ts';
import { type JournalPage, LONGEST_POINT, type Point, type PointKind } from './page.ts';
import { NO_POINTS, readPageMark } from './page-text.ts';
import { plainLine } from './plain-line.ts';
import { type Section, sectionBlocks, sectionsOf } from './sections.ts';

/** Characters of a page that are read: what is longer is no summary. */
export const LONGEST_PAGE = 262_144;
const MOST_POINTS = 200;
const MOST_FILES = 100;

/** Words that people and agents use for a kind of point. */
const KINDS: [PointKind, RegExp][] = [
  ['open', /open|question|todo|to do|block|next|pending|risk|unresolved|follow|remaining|issue/i],
  ['rule', /\brules?\b|preference|convention/i],
  ['decision', /deci|choice|chose|rationale|agree|constraint|requirement/i],
  ['discovery', /discover|finding|found|root cause|insight|diagnos|observ/i],
  ['environment', /environ|set-?up|infrastructure/i],
  ['learning', /learn|lesson|gotcha|solution|fix|pattern|worked|tip|problem|bug|error/i],
  ['change', /change|evol|migrat|refactor|renam|replac|remov|moved/i],
  ['status', /status|state|phase|outcome|result/i],
  ['done', /done|complet|implement|created?|added|progress|feature|built|commit|action|work/i],
  ['note', /note|context|summary|overview|tracking|point|key/i],
];
const LABEL = /^(?:\*\*|__)?([\p{L}][\p{L}\p{N} &/'-]{1,30}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s+(?=\S)/u;
const SOURCE = /\s*\(((?:user|assistant)?(?:, )?(?:ex_[0-9a-f]{6,20})?)\)\s*$/;
const BULLET = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Any Markdown as a page: ours, an agent's, a person's, or worse. Nothing in it is more than words. */
export function readPage(text: string, session: string): JournalPage {
  const whole = text.slice(0, LONGEST_PAGE).replace(/\r\n?/g, '\n');
  const mark = readPageMark(whole);
  const sections = sectionsOf(whole.replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
  const named = (pattern: RegExp) => sections.find(({ name, level }) => level > 1 && pattern.test(name));
  const context = named(/^(?:context|summary|overview|background)\b/i);
  const related = sections.filter(({ name }) => isRelated(name));
  const contentSections = sections.filter(
    (section) => section !== context && !related.includes(section) && section.level !== 1,
  );
  const points = contentSections.flatMap((section) => pointsOf(section));
  const items = related.flatMap(({ lines }) => lines.flatMap(relatedOf));
  const relatedNames = (command: boolean) => [
    ...new Set(items.filter((it) => it.command === command).map(({ name }) => name)),
  ];
  return {
    session,
    title: plainLine(sections.find(({ level }) => level === 1)?.name ?? '', 100),
    context: plainLine(context?.lines.join(' ') ?? '', 600),
    points: points.slice(0, MOST_POINTS),
    files: relatedNames(false).slice(0, MOST_FILES),
    commands: relatedNames(true).slice(0, MOST_FILES),
    first: mark?.first ?? '',
    last: mark?.last ?? '',
  };
}

function isRelated(name: string): boolean {
  return /\b(?:files?|artifacts?|related|commands?)\b/i.test(name);
}

function pointsOf({ name, lines }: Section): Point[] {
  const heading = name === '' ? undefined : kindOf(name);
  return sectionBlocks(lines).flatMap((block) => {
    if (/^\s*(?:`{3,}|~{3,}|---|>|\|)/.test(block)) return [];
    if (!BULLET.test(block)) return proseOf(block, heading);
    const point = bulletOf(block.replace(BULLET, ''), heading);
    return point ? [point] : [];
  });
}

/** A paragraph counts where its heading names a kind of point. */
function proseOf(block: string, kind: PointKind | undefined): Point[] {
  if (kind === undefined || kind === 'note') return [];
  const text = plainLine(sentencesOf(block).slice(0, 2).join(' '), LONGEST_POINT);
  return text === '' ? [] : [{ kind, text }];
}

function bulletOf(bullet: string, heading: PointKind | undefined): Point | undefined {
  const source = SOURCE.exec(bullet)?.[1] ?? '';
  const body = source === '' ? bullet : bullet.replace(SOURCE, '');
  const label = LABEL.exec(body);
  const labeled = label ? kindOf(label[1]!) : undefined;
  const text = plainLine(label && labeled ? body.slice(label[0].length) : body, LONGEST_POINT);
  if (!/\p{L}/u.test(text) || text === NO_POINTS) return undefined;
  const by = /user|assistant/.exec(source)?.[0] as Point['by'];
  const exchange = /ex_[0-9a-f]+/.exec(source)?.[0];
  const kind =
    labeled ?? (heading === 'note' ? undefined : heading) ?? cueOf(text, by ?? 'assistant')?.kind ?? 'note';
  return { kind, text, ...(by === undefined ? {} : { by }), ...(exchange === undefined ? {} : { exchange }) };
}

function kindOf(words: string): PointKind | undefined {
  return KINDS.find(([, pattern]) => pattern.test(words))?.[0];
}

/** A file or a command that a line names. */
function relatedOf(line: string): { name: string; command: boolean }[] {
  if (line.trim() === '') return [];
  const quoted = /`([^`\n]{1,300})`/.exec(line)?.[1];
  const bare = /(?<![\w/])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,7})(?![\w/])/.exec(line)?.[1];
  const name = plainLine(quoted ?? bare ?? '', 200);
  if (name === '') return [];
  return [{ name, command: /\(command\b/.test(line) || /^[\w./-]+\s+\S/.test(name) }];
}
