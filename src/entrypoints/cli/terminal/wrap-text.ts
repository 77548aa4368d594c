import { textWidth } from './text-width.ts';

const COMMAND = /^ +keepsake /;
/** To a shell: the next line belongs to this one. */
const GOES_ON = ' \\';

/** Lines broken between words, so that none is wider unless a word is; what is indented stays so. Without a width nothing changes. */
export function wrapText(text: string, width: number | undefined): string[] {
  return text.split('\n').flatMap((line) => (width === undefined ? [line] : wrapLine(line, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line];
  if (COMMAND.test(line)) return wrapCommand(line, width);
  const own = /^ */.exec(line)?.[0] ?? '';
  const indent = own.length > width / 2 ? '' : own;
  const lines: string[] = [];
  let current = '';
  for (const word of wordsOf(line, width - indent.length)) {
    const longer = current === '' ? indent + word : `${current} ${word}`;
    if (current !== '' && columnsOf(longer) > width) {
      lines.push(current);
      current = indent + word;
    } else current = longer;
  }
  return [...lines, current];
}

/** A command on a line of its own stays one command for a shell that it is copied to. */
function wrapCommand(line: string, width: number): string[] {
  const [first = '', ...others] = line.trimStart().match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|\S+/g) ?? [];
  const lines = [(/^ */.exec(line)?.[0] ?? '') + first];
  for (const word of others) {
    const longer = `${lines.at(-1)} ${word}`;
    if (columnsOf(longer) <= width - GOES_ON.length) lines.splice(-1, 1, longer);
    else lines.push(`    ${word}`);
  }
  return lines.map((it, index) => (index < lines.length - 1 ? it + GOES_ON : it));
}

/** What is in backquotes is one word, to be copied whole. So is a path: the terminal breaks it without a new line. */
function wordsOf(line: string, width: number): string[] {
  const words = line.match(/[^\s`]*`[^`]*`[^\s`]*|\S+/g) ?? [];
  return words.flatMap((word) => (columnsOf(word) <= width ? [word] : word.split(/ +/)));
}

/** Colors take no room. */
function columnsOf(text: string): number {
  return textWidth(text.replace(/\u001b\[\d+m/g, ''));
}

/** Text behind a first word or sign, its further lines below its own beginning. */
export function hanging(first: string, indent: number, text: string, width: number | undefined): string[] {
  const room = width === undefined ? undefined : Math.max(20, width - indent);
  const lines = wrapText(text, room);
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(indent)) + line);
}
