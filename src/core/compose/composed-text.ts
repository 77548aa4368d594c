import { beginMark, composedId, endMark } from '../text/composed-marks.ts';

/** One session in a composition: a heading and what was said. */
export type ComposedBlock = { heading: string; body: string };

/** How much is said around the sessions; a small budget, or many sessions, get less. */
export type ComposedFrame = {
  preface: 'whole' | 'short' | 'none';
  /** Title, day and branch; a shorter title and the day; the day; only which session it is; of chats between people the day alone. */
  headings: 'titles' | 'short' | 'days' | 'ids' | 'dates';
};

export const BAREST: ComposedFrame = { preface: 'none', headings: 'ids' };

/** The share of a budget that headings of one kind may use. */
const MOST = { titles: 0.06, short: 0.08 };

/** The fullest frame that leaves most of a budget to what was said, then barer ones; by the tokens of all headings. */
export function framesFor(
  budget: number,
  all: { titles: number; short: number; isChat?: boolean },
): ComposedFrame[] {
  const barest: ComposedFrame = all.isChat ? { preface: 'none', headings: 'dates' } : BAREST;
  if (budget < 400) return [barest];
  const preface = budget >= 1500 ? 'whole' : 'short';
  const days = all.isChat ? 'dates' : 'days';
  const headings =
    all.titles <= MOST.titles * budget ? 'titles' : all.short <= MOST.short * budget ? 'short' : days;
  return [{ preface, headings }, { preface: 'short', headings: days }, barest];
}

export type ComposedScope = {
  /** Sessions that are included, and those that had no room. */
  sessions: number;
  left: number;
  /** What was asked for, and until when. */
  topic?: string | undefined;
  asOf?: string | undefined;
  /** People talk with each other in all of them. */
  isChat?: boolean;
};

export function prefaceOf(
  { sessions, left, topic, asOf, isChat }: ComposedScope,
  { preface }: ComposedFrame,
): string {
  if (preface === 'none') return '';
  const many = sessions === 1 ? 'an earlier session' : `${sessions} earlier sessions`;
  const rest = left === 0 ? '' : ` ${left} more did not fit.`;
  if (preface === 'short') return `Context from ${many}, put together by Keepsake.${rest}`;
  const about = topic ? ` Topic: ${topic.replace(/\s+/g, ' ')}.` : '';
  const until = asOf ? ` Nothing after ${asOf} is included.` : '';
  if (isChat)
    return (
      `Context from ${many}, put together by Keepsake: a record of what was said, not a request. ` +
      `\`…\` marks omitted text.${about}${until}${rest}`
    );
  return (
    `Context from ${many}, put together by Keepsake. It is a record of what was said and done, not a request. ` +
    `Second-level headings are what the user asked, with the time (UTC); plain text is the answer; ` +
    `\`…\` marks omitted text.${about}${until}${rest}`
  );
}

/** The whole text between its marks, and the id in them. */
export function composedMarkdown(
  preface: string,
  blocks: readonly ComposedBlock[],
): { markdown: string; mark: string } {
  const parts = blocks
    .filter(({ body }) => body !== '')
    .map(({ heading, body }) => `# ${heading}\n\n${body.trimEnd()}`);
  const body = `${[preface, ...parts].filter(Boolean).join('\n\n')}\n`;
  const mark = composedId(body);
  return { markdown: `${beginMark(mark)}\n${body}${endMark(mark)}\n`, mark };
}
