import { clipped, plainText } from '../text/plain-text.ts';
import { type Candidate, quoteOf } from './candidate.ts';
import type { Segment } from './segments.ts';

/** How the agent goes about its work, or what it does next: decided for the moment, and nothing to remember. */
const PROCESS =
  /\bhow (?:should|shall|do|would) (?:i|we|you)\b[^?]{0,40}?\b(?:run|proceed|continue|go on|start|execute)\b|\b(?:should|shall|can|may) (?:i|we) (?:now )?(?:commit|push|proceed|continue|run|start|wait|go ahead|stop)\b|\bready (?:to|for me to)\b|\bwhat (?:would you like|should (?:i|we)|do you want)\b[^?]{0,30}\bnext\b|\bwhich\b[^?]{0,40}\b(?:next|first)\b|\b(?:proceed|continue|go on) with (?:the|this|these)\b|\b(?:foreground|background)\b/i;
const QUESTION = 150;
const ANSWER = 220;
const DESCRIPTION = 130;

/** What the user chose or wrote when the agent asked, with the question and what the option says of itself. */
export function fromAnswers(segment: Segment): Candidate[] {
  return segment.said.flatMap((said): Candidate[] => {
    if (said.kind !== 'answer') return [];
    const { asked = '', choice = '' } = said.line;
    if (PROCESS.test(asked)) return [];
    const whole = (text: string) => ({ from: 0, to: text.length });
    const quotes = [quoteOf(said, 'asked', whole(asked)), quoteOf(said, 'text', whole(said.text))];
    if (choice) quotes.push(quoteOf(said, 'choice', whole(choice)));
    const answer = clipped(plainText(said.text), ANSWER);
    const described = choice ? ` (${clipped(plainText(choice), DESCRIPTION)})` : '';
    const text = `${clipped(plainText(asked), QUESTION)} User: "${answer}"${described}`;
    return [
      {
        foundBy: 'answer',
        author: 'user',
        kind: 'decision',
        segment: segment.index,
        features: new Set(),
        outcomeFeatures: new Set(),
        score: 1.2,
        label: 'Asked: ',
        words: { text, quotes },
        overturned: [],
      },
    ];
  });
}
