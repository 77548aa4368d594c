import { type L1Line, saidText } from '../../../core/model/l1.ts';
import type { KeepitMarker } from '../../../core/model/session.ts';
import type { Clock } from '../../../ports/clock.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import type { Style } from '../terminal/style.ts';
import { textWidth } from '../terminal/text-width.ts';
import { hanging, wrapText } from '../terminal/wrap-text.ts';

/** What the lines are written for: whose clock, which colors, how much room. */
export type ReadingFrame = {
  clock: Clock;
  style: Style;
  width: number | undefined;
  /** Whose conversation it is, where it is not this user's. */
  by?: string | undefined;
};

/** A conversation for reading: who, when, and the words. What holds none is left out. */
export function conversation(lines: L1Line[], { clock, style, width, by }: ReadingFrame): string[] {
  return lines.flatMap((line) => {
    const words = line.role === 'system' ? '' : cleanText(saidText(line)).trimEnd();
    if (words === '') return [];
    const who =
      line.role === 'user'
        ? style.good(speaker(line, by === undefined ? 'you' : cleanLine(by)))
        : style.accent(speaker(line, line.role));
    const time = clock.local(line.ts);
    const when = style.dim(`${time}${line.queued ? ', typed while the agent worked' : ''}`);
    return [`${style.strong(who)}  ${when}`, ...wrapProse(words, width), ''];
  });
}

/** Code is left as it is: broken between words it would be other code. */
function wrapProse(text: string, width: number | undefined): string[] {
  let inCode = false;
  return text.split('\n').flatMap((line) => {
    const fence = /^\s*(```|~~~)/.test(line);
    if (fence) inCode = !inCode;
    return fence || inCode || /^\s*\|/.test(line) ? [line] : wrapText(line, width);
  });
}

/** Lines of the refined transcript with their numbers; further lines of a text are indented below. */
export function l1Lines(lines: L1Line[], reading: ReadingFrame, from = 1, to = lines.length): string[] {
  const queued = new Map(lines.filter((line) => line.queued).map((line) => [line.src, line.text ?? '']));
  const digits = String(to).length;
  return lines.slice(from - 1, to).flatMap((line, index) => {
    const sent = line.sent === undefined ? undefined : (queued.get(line.sent) ?? '');
    return l1Text(line, reading, { number: `${String(from + index).padStart(digits)}  `, sent });
  });
}

/** One line of the refined transcript. `sent` are the words of the queued message that it represents. */
export function l1Text(
  line: L1Line,
  reading: ReadingFrame,
  { number = '', sent }: { number?: string; sent?: string | undefined } = {},
): string[] {
  const { clock, style, width, by } = reading;
  const time = clock.local(line.ts);
  const name = speaker(line, line.role === 'user' && by !== undefined ? cleanLine(by) : line.role);
  const words = wordsOf(line, sent);
  const head = `${style.dim(`${number}${time}`)}  ${paintOf(line, style)(name)}`;
  const headWidth = textWidth(`${number}${time}  ${name}  `);
  const result = line.result === undefined ? [] : cleanText(`-> ${line.result}`).trimEnd().split('\n');
  const short = !words.includes('\n') && (width === undefined || headWidth + textWidth(words) <= width);
  const room = width === undefined ? undefined : Math.max(20, width - INDENT.length);
  const below = [
    ...(short ? [] : wrapText(words, room)),
    ...result.flatMap((it) => wrapText(it, room)).map(style.bad),
  ];
  return [short ? `${head}  ${words}`.trimEnd() : head, ...below.map((it) => INDENT + it)];
}

const INDENT = '    ';

function wordsOf(line: L1Line, sent: string | undefined): string {
  if (line.role === 'tool' && line.text === undefined) {
    const parts = [line.target, line.lines, line.diff].filter((part) => part !== undefined);
    return parts.map(cleanLine).join('  ');
  }
  if (line.sent !== undefined) return cleanText(`(sent now) ${sent ?? ''}`).trimEnd();
  return cleanText(saidText(line)).trimEnd();
}

function paintOf(line: L1Line, style: Style): (text: string) => string {
  if (line.role === 'tool') return style.warn;
  return line.role === 'user' ? style.good : style.accent;
}

export function keepitLines(
  markers: KeepitMarker[],
  { style, width, by }: Omit<ReadingFrame, 'clock'>,
): string[] {
  return markers.flatMap((marker) => {
    const first = `${style.strong(marker.weight.toFixed(2))}  ${style.dim(marker.origin.padEnd(9))}  `;
    const why = by === undefined ? 'first shown by a tool' : `by ${cleanLine(by)}`;
    const held = marker.held ? ` (unconfirmed: ${why})` : '';
    return hanging(first, KEEPIT_INDENT, cleanLine(marker.content) + held, width);
  });
}

/** After the weight and its author. */
const KEEPIT_INDENT = 17;

function speaker(line: L1Line, fallback: string): string {
  return line.name === undefined ? fallback : cleanLine(line.name);
}
