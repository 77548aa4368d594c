import { contentWords, shared } from '../text/plain-text.ts';
import { straight } from '../text/straight.ts';
import type { Candidate } from './candidate.ts';

/** Whose sentence it is: the user's, the agent's own, or one that was committed, written down or sent on. */
type Voice = 'u' | 'c' | 'p';

/** What readers go by, in words that every project uses. */
const CUES: [name: string, pattern: RegExp][] = Object.entries({
  why: /\b(?:because|since|so that|otherwise|that way|reason|due to|in order to|as it|to avoid|to prevent)\b/i,
  instead: /\b(?:instead|rather than|not just|no longer|replace|switch(?:ed)? to|only)\b/i,
  should: /\b(?:should(?:n't| not)?|must|needs? to|has to|have to)\b/i,
  want: /\b(?:i want|i'd like|we want|i would like|i prefer|prefer)\b/i,
  never: /\b(?:always|never|every|don't|do not|avoid|no need|without)\b/i,
  default: /\bdefault\b/i,
  canYou: /\b(?:can|could|would) (?:you|we)\b/i,
  lets: /\blet'?s\b/i,
  please: /\bplease\b/i,
  process:
    /\b(?:commit|push|pr|branch|merge|rebase|review|comment|tests?|lint|ci|docs?|file|plan|task|todo|status|update)\b/i,
  trouble: /\b(?:error|fail\w*|broken|still|wrong|issue|problem|bug|doesn't work|not working|seeing)\b/i,
  points: /\b(?:this|that|it|these|those|they|them|here|there)\b/i,
  asks: /^(?:ok,? |so,? |and |but )*(?:what|why|how|where|when|which|who|is|are|do|does|did|should|will|would)\b/i,
  we: /\bwe\b/i,
  i: /\bi\b/i,
  unsure: /\b(?:think|guess|maybe|perhaps|probably|seems?|looks like|wonder)\b/i,
  now: /\b(?:now|no longer|instead)\b/i,
  done: /^\W*(?:added|removed|updated|changed|fixed|moved|renamed|replaced|created|done)\b/i,
  heading:
    /\b(?:summary|what changed|changes(?: made)?|key \w+|fixed|benefits?|next steps?|results?|issues?|verification|validated)\b[^.]{0,20}:/i,
  you: /\byou(?:'re|r)?\b/i,
  right: /\b(?:you're|you are) (?:absolutely )?right|good (?:catch|point|idea)|yes\b/i,
  will: /\b(?:will|would|could|might|may|should|let me|i'll)\b/i,
  list: /;[^;]*;/,
  tests: /\btests?\b/i,
  number: /\d/,
  loud: /!|\*\*|:$/,
  link: /https?:\/\/|@\w/,
  cut: /…/,
});
const SHARED = [1, 2, 3, 5];
const WORDS = [5, 8, 12, 18, 25];

/** Features of a statement's words and of its outcome, apart for each voice. */
export function readerCues(candidate: Candidate, voice: Voice): string[] {
  const { label, words, reference, subject, outcome } = candidate;
  const meant = `${reference ? ` [${reference.text}]` : ''}${subject ? ` (${subject.text})` : ''}`;
  const said = straight(`${voice === 'u' ? '' : label}${words.text}${meant}`);
  const found = [`k:${voice}`];
  const result = straight(outcome?.text ?? '');
  for (const [name, pattern] of CUES) {
    if (pattern.test(said)) found.push(`k:${voice}w:${name}`);
    if (result !== '' && pattern.test(result)) found.push(`k:${voice}o:${name}`);
  }
  if (said.endsWith('?')) found.push(`k:${voice}:ends?`);
  const own = contentWords(said);
  for (const least of WORDS) if (own.size >= least) found.push(`k:${voice}:words${least}`);
  if (result === '') return found;
  const both = shared(own, contentWords(result));
  for (const least of SHARED) if (both >= least) found.push(`k:${voice}:shares${least}`);
  return found;
}
