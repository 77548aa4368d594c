import { clipped, contentWords } from '../../text/plain-text.ts';
import { type Candidate, quotesOfDiff } from '../candidate.ts';
import { isWords } from '../read/segment-units.ts';
import { isEdit, type Segment } from '../read/segments.ts';
import { unitsOf } from '../read/units.ts';

/** Files in which people and agents write down what is to be remembered. */
const MEMORY_FILE =
  /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI|MEMORY|LEARNINGS?|LESSONS?)(?:\.local)?\.md$|(?:^|\/)(?:\.learnings|memory|adrs?|decisions)\/[^/]+\.mdx?$|\blessons?[^/]*\.md$/i;
const RULES_FILE = /(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$/i;
const ASKED_FOR =
  /\b(?:remember|memor(?:y|i[sz]e)|claude\.md|agents\.md|gemini\.md|rules?|note|write (?:it|this|that|down)|document|add (?:it|this|that|to))\b/i;
const LONGEST = 300;
const SHORTEST = 20;

/** What was written into a file of memory, as far as the line has it. */
export function fromMemoryFiles(segment: Segment): Candidate[] {
  // Whatever a page or a tool made the agent write is no rule of the user's.
  const isAskedFor = segment.said.some((said) => isWords(said) && ASKED_FOR.test(said.text));
  return segment.calls.flatMap((call): Candidate[] => {
    const { target = '', diff = '' } = call.line;
    if (!isEdit(call) || diff === '' || !MEMORY_FILE.test(target)) return [];
    const all = unitsOf(diff, (line) => !line.startsWith('+'));
    const added = all.filter(({ text }, at) => text.length >= SHORTEST || goesOn(text, all[at - 1]?.text));
    if (added.length === 0) return [];
    // A title or a lead at the end is of lines that are not here.
    while (added.length > 1 && isTitle(added.at(-1)!.text)) added.pop();
    const text = added.map((unit) => wholePart(unit.text.replace(/^\+(?:[-*#]+ )?/, ''))).join(' ');
    return [
      {
        foundBy: 'memory-file',
        author: 'assistant',
        kind: RULES_FILE.test(target) && isAskedFor ? 'rule' : 'lesson',
        segment: segment.index,
        features: new Set(),
        outcomeFeatures: new Set(),
        score: 1,
        label: `Written to ${target.split('/').at(-1)}: `,
        words: { text: clipped(text, LONGEST), quotes: added.flatMap((unit) => quotesOfDiff(call, unit)) },
        overturned: [],
      },
    ];
  });
}

/** The end of a sentence that began on the line before. */
function goesOn(text: string, before: string | undefined): boolean {
  return before !== undefined && /[\p{L}\p{N},`]$/u.test(before) && /^\+\s*\p{Ll}/u.test(text);
}

/** A line that was cut has a whole sentence before the cut. */
const WHOLE = /^.*[.!?](?= .*…$)/s;

const FEWEST_WORDS = 5;

function isTitle(text: string): boolean {
  return /[:…]$/.test(text) && !WHOLE.test(text) && contentWords(text).size < FEWEST_WORDS;
}

function wholePart(text: string): string {
  return WHOLE.exec(text)?.[0] ?? text;
}
