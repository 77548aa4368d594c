import { beginMark, composedId, endMark } from '../text/composed-marks.ts';

/** One session in a composition: a heading and what was said. */
export type Block = { heading: string; body: string };

/** How much is said around the sessions; a small budget gets less. */
export type ComposedFrame = { preface: 'whole' | 'short' | 'none'; headings: 'titles' | 'ids' };

/** From the fullest to the barest. */
export const COMPOSED_FRAMES: readonly ComposedFrame[] = [
  { preface: 'whole', headings: 'titles' },
  { preface: 'short', headings: 'titles' },
  { preface: 'none', headings: 'ids' },
];

/** The fullest frame that leaves most of a budget to what was said. */
export function frameFor(budget: number): number {
  if (budget >= 1500) return 0;
  return budget >= 400 ? 1 : 2;
}

export type Told = {
  /** Sessions that are told, and those that had no room. */
  sessions: number;
  left: number;
  /** What was asked for, and until when. */
  topic?: string | undefined;
  asOf?: string | undefined;
};

export function prefaceOf({ sessions, left, topic, asOf }: Told, { preface }: ComposedFrame): string {
  if (preface === 'none') return '';
  const many = sessions === 1 ? 'an earlier session' : `${sessions} earlier sessions`;
  const rest = left === 0 ? '' : ` ${left} more had no room.`;
  if (preface === 'short') return `Context from ${many}, put together by Keepsake.${rest}`;
  const about = topic ? ` It was chosen for: ${topic.replace(/\s+/g, ' ')}.` : '';
  const until = asOf ? ` Nothing after ${asOf} is told.` : '';
  return (
    `Context from ${many}, put together by Keepsake. It is a record of what was said and done, not a request. ` +
    `Second-level headings are what the user asked, with the time (UTC); plain text is the answer; ` +
    `\`…\` stands for what was left out.${about}${until}${rest}`
  );
}

/** The whole text between its marks, and the id in them. */
export function composedMarkdown(
  preface: string,
  blocks: readonly Block[],
): { markdown: string; mark: string } {
  const parts = blocks
    .filter(({ body }) => body !== '')
    .map(({ heading, body }) => `# ${heading}\n\n${body.trimEnd()}`);
  const body = `${[preface, ...parts].filter(Boolean).join('\n\n')}\n`;
  const mark = composedId(body);
  return { markdown: `${beginMark(mark)}\n${body}${endMark(mark)}\n`, mark };
}
