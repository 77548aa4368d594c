import { commitMessages, withoutTrailers } from '../../text/commit-messages.ts';
import { COMPRESS_WEIGHTS } from '../weights.ts';
import { textBlocks } from './blocks.ts';
import { newUnit, type Unit, type UnitCue } from './unit.ts';

/** What a client adds below a report, for itself. */
const REPORT_ENDS = /^(?:agentId: .*|<usage>[\s\S]*<\/usage>)$/gm;
/** Characters read of a report: later text repeats it in detail. */
const LONGEST_REPORT = 12_000;
/** A line of a commit's body goes on in the next one if the next word would have made it longer than this. */
const WIDTH = 64;
/** Says who wrote a pull request, not what it changes. */
const MADE_BY =
  /^[*_(> ]{0,6}this (?:pr|pull request|commit|change|comment) (?:was|is) (?:ai-)?(?:generated|created|written|made)\b.*$/gim;
const HEADS: ReadonlySet<UnitCue> = new Set<UnitCue>(['heading']);
const OWN_LINE = /^\s*(?:[-*+•|]|\d{1,3}[.)]\s|#{1,6}\s|`{3}|[A-Z][\w -]{0,30}:(?:\s|$))/;

/** The messages that a command committed or published, sentence by sentence. */
export function commitUnits(turn: number, command: string, units: Unit[]): void {
  const subjects = new Set<string>();
  for (const { subject, body: whole } of commitMessages(command)) {
    if (subject === '') continue;
    const body = unwrapped(withoutTrailers(whole.replace(MADE_BY, '')));
    const text = body === '' ? subject : `${subject}\n\n${body}`;
    const quality = COMPRESS_WEIGHTS.kind.commit + COMPRESS_WEIGHTS.subject;
    // A pull request is mostly called as its commit.
    if (!subjects.has(subject))
      units.push(newUnit(turn, 'commit', subject, { start: 0, end: subject.length, quality }));
    subjects.add(subject);
    let lead = -1;
    for (const { start, end, kind } of textBlocks(text, subject.length, text.length)) {
      if (kind === 'code' || kind === 'table') continue;
      const own = plainItem(text.slice(start, end));
      if (kind === 'heading') {
        lead = units.length;
        units.push(newUnit(turn, 'commit', led(own), { start, end, cues: HEADS }));
      } else units.push(newUnit(turn, 'commit', own, { start, end, ties: lead === -1 ? [] : [lead] }));
    }
  }
}

/** "Testing:", so that it is read with what follows. */
function led(heading: string): string {
  return /[.!?:]$/.test(heading) ? heading : `${heading}:`;
}

/** Lines that were wrapped at a width as one: a wrapped line ends no sentence. */
function unwrapped(text: string): string {
  const lines: string[] = [];
  let last = '';
  for (const line of text.split('\n')) {
    const [word = ''] = line.trim().split(/\s/, 1);
    if (word !== '' && last.trim() !== '' && last.length + word.length >= WIDTH && !OWN_LINE.test(line))
      lines.push(`${lines.pop()} ${line.trim()}`);
    else lines.push(line);
    last = line;
  }
  return lines.join('\n');
}

/** Each step of a list of things to do once, however often the list is written. */
export function todoUnits(
  turn: number,
  input: Record<string, unknown>,
  known: Set<string>,
  units: Unit[],
): void {
  const listed = Array.isArray(input.todos) ? input.todos : input.subject === undefined ? [] : [input];
  for (const one of listed) {
    const { content, subject, step } = (one ?? {}) as Record<string, unknown>;
    const text = [content, subject, step].find((field) => typeof field === 'string');
    if (typeof text !== 'string' || text.trim() === '' || known.has(text)) continue;
    known.add(text);
    units.push(newUnit(turn, 'todo', text.replace(/\s+/g, ' ').trim()));
  }
}

/** What a subagent reported, sentence by sentence. */
export function reportUnits(turn: number, output: string, units: Unit[]): void {
  const text = output.slice(0, LONGEST_REPORT).replace(REPORT_ENDS, '');
  for (const { start, end, kind } of textBlocks(text, 0, text.length)) {
    if (kind === 'code' || kind === 'table') continue;
    units.push(newUnit(turn, 'report', plainItem(text.slice(start, end)), { start, end }));
  }
}

/** Without the mark of a list or a heading. */
function plainItem(text: string): string {
  return text.replace(/^\s*(?:[-*+•]|\d{1,3}[.)]|#{1,6})\s+/, '').trim();
}
