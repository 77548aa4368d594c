import { bodyHash } from './body-hash.ts';
import { type JournalPage, LABELS, PAGE_SECTIONS, type Point } from './page.ts';
import { codeSpan } from './plain-line.ts';

/** Placeholder if there are no points. */
export const NO_POINTS = 'Nothing of weight was said or done.';

/** A page as people and agents read it. */
export function pageText(page: JournalPage): string {
  const related = [
    ...page.files.map((file) => `- ${code(file)}`),
    ...page.commands.map((command) => `- ${code(command)} (command, worked)`),
  ];
  const points = page.points.length > 0 ? page.points.map(pointText) : [`- **Note:** ${NO_POINTS}`];
  const parts = [
    `# ${page.title}`,
    `## ${PAGE_SECTIONS.context}\n${page.context}`,
    `## ${PAGE_SECTIONS.points}\n${points.join('\n')}`,
    ...(related.length === 0 ? [] : [`## ${PAGE_SECTIONS.files}\n${related.join('\n')}`]),
  ];
  return withPageMark(parts.join('\n\n'), page);
}

function pointText({ kind, text, by, exchange }: Point): string {
  const source = [by, exchange].filter((it) => it !== undefined).join(', ');
  return `- **${LABELS[kind]}:** ${text}${source === '' ? '' : ` (${source})`}`;
}

function code(text: string): string {
  return codeSpan(text, 200);
}

type Marked = Pick<JournalPage, 'session' | 'first' | 'last'>;

const MARK =
  /^<!-- keepsake:page session=(\S{1,200}) first=(\S{1,40}) last=(\S{1,40}) text=([0-9a-f]{8,64}) -->\s*$/m;

export function readPageMark(text: string): (Marked & { text: string }) | undefined {
  const found = MARK.exec(text);
  if (!found) return undefined;
  const time = (it: string | undefined) => (it === undefined || !/^\d{4}-\d\d-\d\d/.test(it) ? '' : it);
  return { session: found[1]!, first: time(found[2]), last: time(found[3]), text: found[4]! };
}

/** A text with the mark that says to programs which session it is of, and whether someone edited it since. */
export function withPageMark(text: string, { session, first, last }: Marked): string {
  const body = text
    .split('\n')
    .filter((line) => !/^<!-- keepsake:page\b.*-->\s*$/.test(line))
    .join('\n')
    .trimEnd();
  const mark = `session=${session} first=${first || '-'} last=${last || '-'} text=${bodyHash(body)}`;
  return `${body}\n\n<!-- keepsake:page ${mark} -->\n`;
}
