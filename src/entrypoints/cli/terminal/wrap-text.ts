import { fitText, textWidth } from './text-width.ts';

/** Lines broken between words so that none is wider; what is indented stays so. Without a width nothing changes. */
export function wrapText(text: string, width: number | undefined): string[] {
  return text.split('\n').flatMap((line) => (width === undefined ? [line] : wrapLine(line, width)));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const own = /^ */.exec(line)?.[0] ?? '';
  const indent = own.length > width / 2 ? '' : own;
  const lines: string[] = [];
  let current = '';
  for (const word of line.trim().split(/ +/)) {
    for (const piece of pieces(word, width - indent.length)) {
      const longer = current === '' ? indent + piece : `${current} ${piece}`;
      if (current !== '' && textWidth(longer) > width) {
        lines.push(current);
        current = indent + piece;
      } else current = longer;
    }
  }
  return [...lines, current];
}

/** A word longer than a line is broken: nothing of it may be lost. */
function pieces(word: string, width: number): string[] {
  const found: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    // One column more, for the sign of a cut that is not needed here.
    const piece = fitText(rest, width + 1).slice(0, -1) || rest.slice(0, 1);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...found, rest];
}

/** Text behind a first word or sign, its further lines below its own beginning. */
export function hanging(first: string, indent: number, text: string, width: number | undefined): string[] {
  const room = width === undefined ? undefined : Math.max(20, width - indent);
  const lines = wrapText(text, room);
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(indent)) + line);
}
