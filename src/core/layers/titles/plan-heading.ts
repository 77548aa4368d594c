import { fitTitle } from './fit-title.ts';

const HANDED_IN =
  /^.{0,40}\b(?:implement|execute|follow|carry out) (?:the|this) (?:following )?plan\b|^#{1,2} \S/i;
const HEADING = /^#{1,3}\s+(.+)$/gm;
const LABEL = /^(?:implementation )?plan\s*[:\-–—]\s*|\s*[:\-–—]?\s*(?:implementation )?plan$/gi;
/** Headings of parts, not of the whole. */
const PART =
  /^(?:overview|context|summary|plan|goals?|problem|background|introduction|steps?|tasks?|instructions?|description|requirements?)$/i;
const SHORTEST = 8;

/** Whether a message hands in a plan or a written task. */
export function isHandedInPlan(text: string): boolean {
  return HANDED_IN.test(text.slice(0, 200));
}

/** What a plan is about: its first heading that says something. */
export function headingOf(plan: string): string | undefined {
  for (const [, heading = ''] of plan.slice(0, 4000).matchAll(HEADING)) {
    const plain = heading.trim().replace(LABEL, '').trim();
    if (plain.length > SHORTEST && !PART.test(plain)) return fitTitle(plain).text;
  }
  return undefined;
}
