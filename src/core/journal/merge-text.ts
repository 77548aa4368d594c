import { type Section, sectionBlocks, sectionsOf, textOfSections } from './sections.ts';

export type Merged = {
  text: string;
  /** Blocks that the user wrote or changed, and that are as they were. */
  own: number;
};

/**
 * Merges a new text into one that a user may have edited since it was last written (`base`), by section and block: what the
 * user wrote or changed stays, what the user deleted stays deleted, everything else is new. Without a base, all existing text
 * counts as the user's.
 */
export function mergeText(base: string | undefined, theirs: string, ours: string): Merged {
  const crlf = theirs.includes('\r\n');
  const [b, t, o] = [base ?? '', theirs, ours].map((text) => text.replace(/\r\n/g, '\n')) as [
    string,
    string,
    string,
  ];
  if (t === b || t === o || t.trim() === '') return { text: withNewlines(o, crlf), own: 0 };
  if (o === b) return { text: theirs, own: 0 };
  const [was, current, wanted] = [keyed(b), keyed(t), keyed(o)];
  const out: Keyed[] = [];
  let own = 0;
  for (const section of wanted) {
    const before = find(was, section.key);
    const now = find(current, section.key);
    const merged = mergeSection(before, now, section);
    own += merged.own;
    if (merged.section) out.push({ ...section, ...merged.section });
  }
  current.forEach((section, index) => {
    if (find(wanted, section.key)) return;
    const mine = ownBlocks(find(was, section.key), section);
    const isNew = find(was, section.key) === undefined;
    if (mine.length === 0 && !(isNew && section.heading !== '')) return;
    own += Math.max(1, mine.length);
    const kept = isNew ? section : { ...section, lines: linesOf(mine) };
    out.splice(placeAfter(out, current, index), 0, kept);
  });
  return { text: withNewlines(`${textOfSections(out).trimEnd()}\n`, crlf), own };
}

type Keyed = Section & { key: string };

/** The way of headings to a section; the first heading of a page is its title, whatever it says. */
function keyed(text: string): Keyed[] {
  const way: Section[] = [];
  const seen = new Map<string, number>();
  let titled = false;
  return sectionsOf(text).map((section) => {
    while (way.length > 0 && way.at(-1)!.level >= section.level) way.pop();
    const isTitle = section.level === 1 && !titled;
    titled ||= section.level === 1;
    way.push(section);
    const plain = isTitle
      ? '#'
      : way.map(({ level, name }) => (level === 1 ? '#' : `${level} ${name.toLowerCase()}`)).join('\u0000');
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return { ...section, key: `${plain}\u0000${times}` };
  });
}

function find(sections: Keyed[], key: string): Keyed | undefined {
  return sections.find((section) => section.key === key);
}

type Lines = Pick<Section, 'heading' | 'lines'>;

function mergeSection(
  was: Section | undefined,
  now: Section | undefined,
  wanted: Section,
): { section?: Lines; own: number } {
  const before = new Set(sectionBlocks(was?.lines ?? []).map(keyOf));
  const current = sectionBlocks(now?.lines ?? []);
  const currentKeys = new Set(current.map(keyOf));
  const blocks = sectionBlocks(wanted.lines).filter(
    (block) => isMachine(block) || currentKeys.has(keyOf(block)) || !before.has(keyOf(block)),
  );
  // A section that the user took out comes back only with something new in it.
  if (now === undefined && was !== undefined && blocks.every(isMachine)) {
    return blocks.length === 0
      ? { own: 0 }
      : { section: { heading: '', lines: ['', ...linesOf(blocks)] }, own: 0 };
  }
  const mine = now ? ownBlocks(was, now) : [];
  const heading = now && now.heading !== was?.heading ? now.heading : wanted.heading;
  if (mine.length === 0 && blocks.length === sectionBlocks(wanted.lines).length)
    return { section: { heading, lines: wanted.lines }, own: heading === wanted.heading ? 0 : 1 };
  const order = current.map(keyOf);
  for (const block of mine) {
    const at = current.indexOf(block);
    const before = order.slice(0, at).reverse();
    const previous = before
      .map((key) => blocks.findLastIndex((it) => keyOf(it) === key))
      .find((it) => it >= 0);
    blocks.splice(previous === undefined ? 0 : previous + 1, 0, block);
  }
  const apart = now?.lines[0] === '' ? [''] : [];
  return { section: { heading, lines: [...apart, ...linesOf(blocks), ''] }, own: mine.length };
}

/** What is in a section and was not written by us. */
function ownBlocks(was: Section | undefined, now: Section): string[] {
  const before = new Set(sectionBlocks(was?.lines ?? []).map(keyOf));
  return sectionBlocks(now.lines).filter((block) => !before.has(keyOf(block)) && !isMachine(block));
}

/** A block by its words: the sources behind it may grow. */
function keyOf(block: string): string {
  return block
    .replace(/\s*\([^()\n]*\)\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Marks and footers are rebuilt each time. */
function isMachine(block: string): boolean {
  return /^<!-- keepsake:\w+ [^\n]*-->$/.test(block) || /^---\n\*Last synthesized: /.test(block);
}

function linesOf(blocks: string[]): string[] {
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const tight = next !== undefined && isBullet(block) && isBullet(next);
    return [...block.split('\n'), ...(next === undefined || tight ? [] : [''])];
  });
}

function isBullet(block: string): boolean {
  return /^(?:[-*+]|\d{1,3}[.)])\s/.test(block);
}

/** Behind the section that it was behind. */
function placeAfter(out: Keyed[], current: Keyed[], index: number): number {
  for (let at = index - 1; at >= 0; at--) {
    const place = out.findIndex(({ key }) => key === current[at]!.key);
    if (place >= 0) return place + 1;
  }
  return index === 0 ? 0 : out.length;
}

function withNewlines(text: string, crlf: boolean): string {
  return crlf ? text.replace(/\n/g, '\r\n') : text;
}
