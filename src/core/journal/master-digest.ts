import { sectionBlocks, sectionsOf } from './sections.ts';

/** Share of the room by section, in the master's order; unused room goes to the next. */
const SHARES: [RegExp, number][] = [
  [/^current status$/i, 0.3],
  [/^key decisions$/i, 0.35],
  [/^active questions$/i, 0.15],
  [/^learnings/i, 0.15],
];
const REST = 0.1;

type Block = { section: number; heading: string; text: string };

/** As much of a master as fits: the first lines of each section, never half a line. The mark and the footer are left out. */
export function masterDigest(master: string, tokens: number, count: (text: string) => number): string {
  const plain = master
    .replace(/\r\n/g, '\n')
    .replace(/^<!--.*-->$/gm, '')
    .replace(/\n---\n\*Last synthesized:[\s\S]*?(?=\n\n|$)/, '');
  if (count(plain) <= tokens) return plain.trim();
  const parts = topSections(plain);
  const taken = new Set<Block>();
  let left = tokens;
  const take = (blocks: Block[], room: number) => {
    let spent = 0;
    for (const block of blocks) {
      const cost = count(`${block.heading}\n${block.text}\n`);
      if (taken.has(block) || cost > left || spent + cost > room) continue;
      taken.add(block);
      spent += cost;
      left -= cost;
    }
  };
  for (const { name, blocks } of parts)
    take(blocks, tokens * (SHARES.find(([pattern]) => pattern.test(name))?.[1] ?? REST));
  for (const { blocks } of parts) take(blocks, left);
  return parts
    .flatMap(({ name, blocks }) => {
      const lines = blocks.filter((block) => taken.has(block)).map(({ text }) => text);
      return lines.length === 0 ? [] : [`## ${name}\n${lines.join('\n')}`];
    })
    .join('\n\n');
}

/** Sections of level two with all that is below them; theme headings are left out. */
function topSections(text: string): { name: string; blocks: Block[] }[] {
  const parts: { name: string; blocks: Block[] }[] = [];
  sectionsOf(text).forEach(({ level, name, lines }, section) => {
    if (level === 2) parts.push({ name, blocks: [] });
    if (level < 2) return;
    const heading = parts.at(-1)?.name ?? '';
    for (const block of sectionBlocks(lines)) parts.at(-1)?.blocks.push({ section, heading, text: block });
  });
  return parts;
}
