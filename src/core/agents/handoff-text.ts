import { beginMark, composedId, endMark } from '../text/composed-marks.ts';
import { wholeSentences } from '../text/sentences.ts';

/** What another agent needs to continue a task. */
export type Handoff = {
  title: string;
  sessionId: string;
  /** What the agent that had it is called. */
  from: string;
  /** Whose session it is, if not this user's. */
  by?: string;
  day: string;
  /** What the user asked for, in order. */
  asks: string[];
  /** The last that the agent said. */
  outcome: string;
  decisions: string[];
  open: string[];
  files: string[];
  /** Its first turn has no user who could be asked: it only says what is next. */
  waits?: boolean;
};

/** Of the budget: the first ask, the last one, and what the agent said last. */
const SHARES = { first: 0.25, last: 0.15, outcome: 0.25 };
/** Characters of a token, so that a text is cut before it is counted. */
const CHARACTERS = 4;

/**
 * A task as a text for another agent, within a budget of tokens. It is marked as Keepsake's: no word of it becomes the user's
 * when the other agent's session is read.
 */
export function handoffText(handoff: Handoff, budget: number, count: (text: string) => number): string {
  const { title, from, by, day, sessionId, asks, waits } = handoff;
  const whose = by === undefined ? '' : `, by ${oneLine(by)}`;
  const next = waits
    ? 'Run no command and change no file yet: say in a sentence or two what is next, and wait for the user.'
    : 'Look at the files as they are now, then continue.';
  const lines = [
    `# Task handed over: ${oneLine(title)}`,
    '',
    `From session ${sessionId} of ${oneLine(from)}${day === '' ? '' : `, ${day}`}${whose}. Below is a record of it; the user hands the task over to you. ${next}`,
  ];
  const room = (share: number) => Math.floor(share * budget * CHARACTERS);
  const fits = (more: string[]) => count(marked([...lines, ...more].join('\n'))) <= budget;
  const add = (heading: string, items: readonly string[]) => {
    let isHeaded = false;
    for (const item of items) {
      const more = [...(isHeaded ? [] : ['', `## ${heading}`, '']), item];
      if (item.trim() === '' || !fits(more)) continue;
      lines.push(...more);
      isHeaded = true;
    }
  };
  const [first = '', last = ''] = [asks[0], asks.length > 1 ? asks.at(-1) : ''];
  add('What was asked first', [quoted(wholeSentences(first, room(SHARES.first)))]);
  add('What was asked last', [quoted(wholeSentences(last, room(SHARES.last)))]);
  add('What the agent said last', [quoted(wholeSentences(handoff.outcome, room(SHARES.outcome)))]);
  add('Open', handoff.open.map(item));
  add('Decided', handoff.decisions.map(item));
  add('Files that were changed', handoff.files.map(item));
  return marked(lines.join('\n'));
}

function marked(body: string): string {
  const id = composedId(body);
  return `${beginMark(id)}\n${body}\n${endMark(id)}`;
}

function quoted(text: string): string {
  return text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
}

function item(text: string): string {
  return `- ${oneLine(text)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
