import { sentencesOf } from '../../text/sentences.ts';
import { isPasted, worthOf } from './ask-fragment.ts';

/** Characters of a closing message that are looked at. */
export const LONGEST_CLOSING = 1200;
const DONE =
  /\b(?:fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|opened|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|rebased|released|deployed|installed|migrated|addressed|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?)|no longer)\b|behoben|entfernt|erstellt|hinzugefügt|しました|修正|追加|已|완료|했습니다/i;
/** Talk about the talk: announcements, praise, offers. */
const NARRATION =
  /^(?:let me|let's|i'll|i will|i'm (?:going|now|checking|using|looking)|i can see|i see|i need to|now,? (?:let|i)|would you|want me|should i|do you|shall i|if you|let me know|great|perfect|excellent|good|sure|okay|absolutely|certainly|here(?:'s| is| are)|looking at|first,|next,|you're (?:absolutely )?right|based on|all tests pass|tests? pass|lint|done|summary|what i|changes made|key changes|thank|of course|yes|no)\b/i;
/** Headings, lists of what is to be done, and what a chat notes of its tools. */
const NO_TALK =
  /^\s*(?:#{1,6}\s|\*\*[^*]{1,60}\*\*:?\s*$|[-*]\s\[[ xX-]\]\s|\[?tool\b|tool use:|(?:read|edit|search|list|write)\w* (?:file|dir\w*|code\w*)\b.{0,4}:)/i;
const PRAISE =
  /^(?:(?:that's|this is|what) (?:a |an )?(?:very |really )?(?:good|great|powerful|excellent|nice|fantastic|smart)|you(?:'ve| have| are|'re)\b.{0,40}\b(?:right|perfectly|correct)|exactly|good (?:question|point|catch)|perfect|awesome)\b/i;
/** "No, it is read once": the answer itself. */
const ANSWERS = /^(?:yes|no|nope|correct|right)\b/i;
const SELF =
  /^(?:(?:i|we)(?:'ve| have)?(?: (?:also|now|just|successfully))* (?=[a-z]+(?:ed|t|de|ote|ilt|un|nt)\b))/i;

/** Whether a sentence says that something was done. */
export function isDoneReport(sentence: string): boolean {
  return DONE.test(sentence);
}

/** The beginning and the end of a closing message, where it is long: what was done is said in one of them. */
export function closingEnds(text: string): string {
  if (text.length <= 2 * LONGEST_CLOSING) return text;
  const end = text.slice(-LONGEST_CLOSING);
  // From its first whole line on.
  return `${text.slice(0, LONGEST_CLOSING)}\n${end.slice(end.indexOf('\n') + 1)}`;
}

/** What was found or holds from now on, besides what was done. */
const FOUND =
  /\b(?:(?:is|are) now|worked|reviewed|verified|confirmed|(?:issue|problem|cause|reason|culprit|bug) (?:is|was) (?:with|that|in|caused)|root cause)\b/i;
/** What is to come, or could: no outcome yet. */
const PLANNED =
  /\b(?:will|would|should|could|might|may|can|shall|i'll|we'll|let's|going to|need(?:s|ed)? to|want(?:s|ed)? to|plan(?:s|ned)? to|proposed?|suggest(?:s|ed)?|recommend(?:s|ed)?)\b/i;

/**
 * What the agent says in its closing message that it did or found, in one sentence; empty when it says nothing. To a
 * question the first thing that is said is the answer.
 */
export function closingSentence(text: string, isQuestion = false): string {
  const plain = plainSentences(text, isQuestion);
  const done = isQuestion ? undefined : plain.find((sentence) => DONE.test(sentence));
  return tidied(done ?? plain[0]);
}

/** The same, but only what was done, or answers a question: a plan or a remark on the side did not come of it. */
export function closingOutcome(text: string, isQuestion: boolean): string {
  const sure = plainSentences(text, isQuestion).filter((sentence) => !PLANNED.test(sentence));
  return tidied(isQuestion ? sure[0] : sure.find((sentence) => DONE.test(sentence) || FOUND.test(sentence)));
}

function plainSentences(text: string, isQuestion: boolean): string[] {
  const talk = closingEnds(text)
    .split('\n')
    .filter((line) => !NO_TALK.test(line))
    .join('\n');
  const said = sentencesOf(talk).filter(
    (sentence) => !/[?？:：]["')\]]*$/.test(sentence) && !isPasted(sentence) && worthOf(sentence) > 0,
  );
  return said.filter(
    (sentence) =>
      (isQuestion && ANSWERS.test(sentence)) || !(NARRATION.test(sentence) || PRAISE.test(sentence)),
  );
}

function tidied(sentence: string | undefined): string {
  return sentence === undefined ? '' : sentence.replace(SELF, '').replace(/[\s.]+$/, '');
}
