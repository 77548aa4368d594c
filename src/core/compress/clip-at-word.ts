/** A text that was cut in the middle of a word goes back to the word before. */
export function clipAtWord(text: string): string {
  if (!text.endsWith('…')) return text;
  const cut = text.slice(0, -1);
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'), cut.lastIndexOf('\t'));
  return space === -1 ? '…' : `${cut.slice(0, space).trimEnd()} …`;
}

/** The first words of a text, on one line, within this many characters. */
export function firstWords(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= longest && text.length <= longest * 4) return line;
  const space = line.lastIndexOf(' ', longest);
  return space <= 0 ? '' : `${line.slice(0, space)} …`;
}
