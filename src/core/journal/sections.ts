/** A heading with what is below it, as it was written. */
export type Section = {
  /** The whole heading line; empty for what is before the first one. */
  heading: string;
  level: number;
  /** The words of the heading. */
  name: string;
  lines: string[];
};

const HEADING = /^(#{1,6})\s+(.*?)\s*#*\s*$/;
const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** A text as sections, in order; put together again it is the same text. What is in fenced code is no heading. */
export function sectionsOf(text: string): Section[] {
  const sections: Section[] = [{ heading: '', level: 0, name: '', lines: [] }];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const heading = fence === undefined && mark === undefined ? HEADING.exec(line) : null;
    if (heading) sections.push({ heading: line, level: heading[1]!.length, name: heading[2]!, lines: [] });
    else sections.at(-1)!.lines.push(line);
  }
  return sections;
}

export function textOfSections(sections: Section[]): string {
  return sections
    .flatMap(({ heading, lines }, index) => (index === 0 && heading === '' ? lines : [heading, ...lines]))
    .join('\n');
}

/** What belongs together: a bullet with what is indented below it, a paragraph, a block of code. Blank lines part them. */
export function sectionBlocks(lines: string[]): string[] {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  let fence: string | undefined;
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      open!.push(line);
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (line.trim() === '') {
      open = undefined;
      continue;
    }
    if (open === undefined || /^(?:[-*+]|\d{1,3}[.)])\s/.test(line) || mark !== undefined) {
      open = [line];
      blocks.push(open);
      if (mark !== undefined) fence = mark;
    } else open.push(line);
  }
  return blocks.map((block) => block.join('\n'));
}
