import { firstLetters, mayBeginWith, wordSet } from '../../text/may-match.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { isPasted, worthOf } from './ask-fragment.ts';

/** Characters of a closing message that are looked at. */
export const LONGEST_CLOSING = 1200;
const DONE =
  /\b(?:fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|opened|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|rebased|released|deployed|installed|migrated|addressed|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?)|no longer)\b|behoben|entfernt|erstellt|hinzugefügt|しました|修正|追加|已|완료|했습니다/i;
/** Talk about the talk: announcements, praise, offers. */
const NARRATION =
  /^(?:let me|let's|i'll|i will|i'm (?:going|now|checking|using|looking)|i can see|i see|i need to|now,? (?:let|i)|would you|want me|should i|do you|shall i|if you|let me know|great|perfect|excellent|good|sure|okay|absolutely|certainly|here(?:'s| is| are)|looking at|first,|next,|you're (?:absolutely )?right|based on|all tests pass|tests? pass|lint|done|summary|what i|changes made|key changes|thank|of course|yes|no)\b/i;
const NARRATING = wordSet(
  'let i now would want should do shall if great perfect excellent good sure okay absolutely certainly here looking first next you based all test tests lint done summary what changes key thank of yes no',
);
/** Headings, lists of what is to be done, and what a chat notes of its tools. */
const NO_TALK =
  /^\s*(?:#{1,6}\s|\*\*[^*]{1,60}\*\*:?\s*$|[-*]\s\[[ xX-]\]\s|\[?tool\b|tool use:|(?:read|edit|search|list|write)\w* (?:file|dir\w*|code\w*)\b.{0,4}:)/i;
const PRAISE =
  /^(?:(?:that's|this is|what) (?:a |an )?(?:very |really )?(?:good|great|powerful|excellent|nice|fantastic|smart)|you(?:'ve| have| are|'re)\b.{0,40}\b(?:right|perfectly|correct)|exactly|good (?:question|point|catch)|perfect|awesome)\b/i;
const PRAISING = wordSet('that this what you exactly good perfect awesome');
/** "No, it is read once": the answer itself. */
const ANSWERS = /^(?:yes|no|nope|correct|right)\b/i;
const SELF =
  /^(?:(?:i|we)(?:'ve| have)?(?: (?:also|now|just|successfully))* (?=[a-z]+(?:ed|t|de|ote|ilt|un|nt)\b))/i;

const SELVES = wordSet('i we');

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

/** What is to come, could be, or holds only under a condition: no outcome yet. */
const PLANNED =
  /\b(?:will|would|should|could|might|may|can|shall|i'll|we'll|let's|going to|need(?:s|ed)? to|want(?:s|ed)? to|plan(?:s|ned)? to|proposed?|suggest(?:s|ed)?|recommend(?:s|ed)?)\b/i;
const CONDITIONAL =
  /^(?:if|when|whenever|once|since|because|although|though|while|unless|until|after|before|even though|for example|e\.g|previously|originally|then|also|however|but|now that|in case|option|step|phase)\b/i;
const DONE_WORD =
  'fixed|added|updated|implemented|changed|removed|created|moved|renamed|replaced|refactored|resolved|committed|pushed|merged|opened|restored|extracted|introduced|split|wrote|deleted|improved|corrected|reverted|rebased|released|deployed|installed|migrated|addressed|simplified|switched|cleaned up|rewrote|converted|enabled|disabled|verified|confirmed|tested';
/** "I added the table", "ledger.ts: added the table", "Added the table". */
const DID = new RegExp(
  `^(?:done[.!:,]? |(?:i|we)(?:'ve| have)?(?: (?:also|now|just|successfully|already))* |[\\w./-]+\\.\\w+(?::[\\d-]+)? ?[-–—:] )?(?:${DONE_WORD})\\b(?!:)`,
  'i',
);
/** "The table is now sorted", "the oven was replaced". */
const WAS_DONE = new RegExp(
  `\\b(?:(?:is|are|was|were|been|got)(?: (?:now|all|both|successfully|already|also))* (?:${DONE_WORD})|(?:is|are) now|now (?:works?|pass(?:es)?|uses?|shows?|returns?|handles?|supports?|has|have|runs?|reads?|writes?|lives?)|no longer|(?:tests?|checks|suite) (?:all )?pass)\\b|behoben|entfernt|erstellt|hinzugefügt|しました|修正|追加|已|완료|했습니다`,
  'i',
);
/** How good it is now says not what was done. */
const PRAISES_ITSELF =
  /\b(?:best practices|best-in-class|production[- ]ready|robust|comprehensive|fully|perfect(?:ly)?|properly|significantly|professional|industry|ready (?:for|to)|easier|in (?:great|good) shape)\b/i;
/** Said about the talk: no answer. */
const REMARK =
  /^(?:you raise|you make|i found (?:an?|the|some|several)\b|i apologi[sz]e|sorry|my (?:apologies|mistake|bad)|this is (?:extremely |very |really )?helpful|i understand|that makes sense|i (?:just )?(?:checked|looked|searched|read)\b)/i;
const AGREES =
  /^(?:that|this|it|your)\b.{0,30}?\b(?:is|are|was|does)\b.{0,20}\b(?:confusing|right|correct|true|strange|odd|weird|frustrating|inconsistent|good|great|fair|valid|important)\b/i;
const VERB =
  /\b(?:is|are|was|were|does|do|did|has|have|had|isn't|aren't|wasn't|doesn't|don't|didn't|cannot|uses?|means?|needs?|happens?|comes?|works?|runs?|lives?|stores?|creates?|returns?|reads?|writes?|shows?|says?|keeps?|gets?|makes?|exists?|depends|supports?|contains?|calls?|checks?|handles?|looks?|seems?|[a-z]{3,}ed)\b|[。]/i;
const FEWEST_WORDS = 4;
/** An item of several that one could do. */
const GOES_ON = /\b(?:or|and|oder|und)$/i;
const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;

/**
 * What the agent says in its closing message that it did or found, in one sentence; empty when it says nothing. To a
 * question the first thing that is said is the answer.
 */
export function closingSentence(text: string, isQuestion = false): string {
  const plain = plainSentences(text, isQuestion);
  const done = isQuestion ? undefined : plain.find((sentence) => DONE.test(sentence));
  return tidied(done ?? plain[0]);
}

/** The same, but only for results, findings and answers: a plan or an aside is not an outcome. */
export function closingOutcome(text: string, isQuestion: boolean): string {
  const prose = withoutBullets(text);
  const said = plainSentences(prose, isQuestion);
  if (isQuestion) return isAnswer(straightQuotes(said[0] ?? '')) ? tidied(said[0]) : '';
  const listed = prose === text ? [] : plainSentences(text, false);
  return tidied(
    said.find((it) => isSaidForSure(it) && cameOfIt(straightQuotes(it))) ??
      listed.find((it) => isSaidForSure(it) && DID.test(straightQuotes(it))),
  );
}

/** The first thing that a closing message says for sure, in prose; empty when it says nothing. */
export function sureSentence(text: string): string {
  return tidied(plainSentences(withoutBullets(text), false).find(isSaidForSure));
}

function isSaidForSure(sentence: string): boolean {
  const plain = straightQuotes(sentence);
  return !PLANNED.test(plain) && !CONDITIONAL.test(plain) && !GOES_ON.test(plain);
}

function cameOfIt(sentence: string): boolean {
  return DID.test(sentence) || (WAS_DONE.test(sentence) && !PRAISES_ITSELF.test(sentence));
}

function isAnswer(sentence: string): boolean {
  if (sentence.split(/\s+/).length < FEWEST_WORDS) return false;
  return (
    ANSWERS.test(sentence) ||
    (!REMARK.test(sentence) && !AGREES.test(sentence) && VERB.test(sentence) && isSaidForSure(sentence))
  );
}

/** A list's items are seldom the whole outcome. */
function withoutBullets(text: string): string {
  const lines = text.split('\n');
  const prose = lines.filter((line) => !BULLET.test(line));
  return prose.length === lines.length ? text : prose.join('\n');
}

function straightQuotes(text: string): string {
  return text.replace(/[‘’]/g, "'");
}

function plainSentences(text: string, isQuestion: boolean): string[] {
  const talk = closingEnds(text)
    .split('\n')
    .filter((line) => !isNoTalk(line))
    .join('\n');
  const said = sentencesOf(talk).filter(
    (sentence) => !/[?？:：]["')\]]*$/.test(sentence) && !isPasted(sentence) && worthOf(sentence) > 0,
  );
  return said.filter(
    (sentence) =>
      (isQuestion && ANSWERS.test(sentence)) ||
      !(
        (mayBeginWith(sentence, NARRATING) && NARRATION.test(sentence)) ||
        (mayBeginWith(sentence, PRAISING) && PRAISE.test(sentence))
      ),
  );
}

function isNoTalk(line: string): boolean {
  const text = line.trimStart();
  const first = firstLetters(text);
  const may =
    first === undefined ? /^[#*[-]/.test(text) : /^(?:tool|read|edit|search|list|write)/.test(first);
  return may && NO_TALK.test(line);
}

function tidied(sentence: string | undefined): string {
  if (sentence === undefined) return '';
  return (mayBeginWith(sentence, SELVES) ? sentence.replace(SELF, '') : sentence).replace(/[\s.]+$/, '');
}
