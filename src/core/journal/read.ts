import { groundingIn } from '../text/grounding.ts';
import { redact } from '../text/redact.ts';
import { plainAnswer } from '../text/tagged-items.ts';

/** A text of the journal as a model wrote it, without what its source does not say. */
export type ModelText = { text: string; dropped: string[] };

const LEAST_SHARE = 0.25;
const LONGEST_DROPPED = 200;
const HEADING = /^#{1,6}\s/;
const FENCE = /^```(?:markdown|md)?\s*$/gim;

/**
 * Line by line: a heading stays where something is below it, a point or a paragraph where its source has all that
 * it names and some of its words. Undefined where no section is left.
 */
export function readJournalText(
  answer: string,
  end: 'done' | 'cut' | 'refused',
  source: string,
): ModelText | undefined {
  if (end === 'refused') return undefined;
  const grounding = groundingIn(source);
  const dropped: string[] = [];
  const lines = redact(plainAnswer(answer)).text.replace(FENCE, '').trim().split('\n');
  // The last line of an answer that was cut off is no line.
  const whole = end === 'cut' ? lines.slice(0, -1) : lines;
  const from = whole.findIndex((line) => HEADING.test(line));
  const kept = (from === -1 ? [] : whole.slice(from)).filter((line) => {
    if (line.trim() === '' || HEADING.test(line)) return true;
    const plain = line.replace(/^\s*[-*]\s+(?:\*\*[^*]{1,30}\*\*\s*)?/, '');
    if (grounding.unknownIn(plain).length === 0 && grounding.share(plain) >= LEAST_SHARE) return true;
    dropped.push(line.trim().slice(0, LONGEST_DROPPED));
    return false;
  });
  const text = withoutEmpty(kept)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return /^##\s/m.test(text) ? { text, dropped } : undefined;
}

/** Headings below the title with nothing under them say nothing. */
function withoutEmpty(lines: string[]): string[] {
  const level = (line: string) => /^#+/.exec(line)?.[0].length ?? 0;
  let kept = lines;
  for (let before = -1; before !== kept.length; ) {
    before = kept.length;
    kept = kept.filter((line, at) => {
      if (level(line) < 2) return true;
      const next = kept.slice(at + 1).find((it) => it.trim() !== '');
      return next !== undefined && (level(next) === 0 || level(next) > level(line));
    });
  }
  return kept;
}

/** Points from the end of the longest section on go until the text has room. */
export function cutToBudget(text: string, budget: number, count: (text: string) => number): string {
  let lines = text.split('\n');
  while (count(lines.join('\n')) > budget) {
    const sections = lines.flatMap((line, at) => (/^##\s/.test(line) ? [at] : []));
    const points = sections.map((start, index) => {
      const end = sections[index + 1] ?? lines.length;
      return lines.slice(start, end).flatMap((line, at) => (/^\s*[-*]\s/.test(line) ? [start + at] : []));
    });
    const longest = points.sort((a, b) => b.length - a.length)[0] ?? [];
    const last = longest.at(-1) ?? lines.length - 1;
    if (lines.length <= 1) return '';
    lines = lines.filter((_, at) => at !== last);
  }
  return withoutEmpty(lines).join('\n').trim();
}
