import { type Candidate, quoteOf } from './candidate.ts';
import { clipped, plainText } from './plain-text.ts';
import type { Segment } from './segments.ts';

const QUESTION = 150;
const ANSWER = 220;
const DESCRIPTION = 130;

/** What the user chose or wrote when the agent asked, with the question and what the option says of itself. */
export function fromAnswers(segment: Segment): Candidate[] {
  return segment.said.flatMap((said): Candidate[] => {
    if (said.kind !== 'answer') return [];
    const { asked = '', choice = '' } = said.line;
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
