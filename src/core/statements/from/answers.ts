import { plainText } from '../../text/plain-text.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { type Candidate, quoteOf } from '../candidate.ts';
import type { Segment } from '../read/segments.ts';

/** How the agent works, or what it does next: decided for the moment, and nothing to remember. */
const PROCESS =
  /^\W*(?:push|commit|merge|rebase|open|squash)\b[^?]{0,120}\?|\bhow (?:should|shall|do|would) (?:i|we|you)\b[^?]{0,40}?\b(?:run|proceed|continue|go on|start|execute)\b|\b(?:should|shall|can|may) (?:i|we) (?:now )?(?:commit|push|proceed|continue|run|start|wait|go ahead|stop)\b|\bready (?:to|for me to)\b|\bwhat (?:would you like|should (?:i|we)|do you want)\b[^?]{0,30}\bnext\b|\bwhich\b[^?]{0,40}\b(?:next|first)\b|\b(?:proceed|continue|go on) with (?:the|this|these)\b|\b(?:foreground|background)\b/i;
/** Of a question, an answer and the description of an option, as many whole sentences as fit, and always the first. */
const QUESTION = 300;
const ANSWER = 2000;
const DESCRIPTION = 300;

function whole(text: string, longest: number): string {
  const plain = plainText(text);
  if (plain.length <= longest) return plain;
  let kept = '';
  for (const sentence of sentencesOf(plain)) {
    if (kept !== '' && kept.length + sentence.length >= longest) break;
    kept = kept === '' ? sentence : `${kept} ${sentence}`;
  }
  return kept;
}

/** What the user chose or wrote when the agent asked, with the question and the description of the option. */
export function fromAnswers(segment: Segment): Candidate[] {
  return segment.said.flatMap((said): Candidate[] => {
    if (said.kind !== 'answer') return [];
    const { asked = '', choice = '' } = said.line;
    if (PROCESS.test(asked)) return [];
    const all = (text: string) => ({ from: 0, to: text.length });
    const quotes = [quoteOf(said, 'asked', all(asked)), quoteOf(said, 'text', all(said.text))];
    if (choice) quotes.push(quoteOf(said, 'choice', all(choice)));
    const described = choice ? ` (${whole(choice, DESCRIPTION)})` : '';
    const text = `${whole(asked, QUESTION)} User: "${whole(said.text, ANSWER)}"${described}`;
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
