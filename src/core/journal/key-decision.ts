import { straight } from '../text/straight.ts';

/** Takes one way: says what is to be so, or is not to be. */
const TAKES =
  /\b(?:let'?s (?:not |just |only |also |then )*(?:go with|use|keep|remove|drop|scrap|move|make (?:it|sure|the)|rename|switch|leave|stick|have|call|store|put|skip|include|treat|avoid)|(?:go|going|stick|went) with|(?:we|it|they|this|there|you|that|\p{L}+s) (?:should|must)(?:n'?t| not| only| always| never| be| have| use| still| also| just)*|(?:should|must)(?:n'?t)?(?: not)? (?:be|have|use|only|always|never|remain|stay|go|contain|include|live)|(?:we|you|i) (?:do not|don'?t|no longer) (?:need|want|have to)|no (?:longer )?need(?:ed)?|no longer|instead of|rather than|(?:i|we)(?:'d| would)? (?:much |strongly )?(?:prefer|rather)|i(?:'d| would) (?:like|want) (?:to (?:use|keep|avoid|have|see|go|stick)|it|the|all|every|those|these|a)|(?:i|we) (?:really |only |just )?(?:want|need) (?:a |the |all |it |this |that |to (?:have|use|keep|avoid|be)\b)|needs? to (?:be|have|stay)|as long as|never|always|don'?t|do not|can just|get rid of|do away with|not the appropriate|default is)\b/iu;
const ORDERS =
  /^[^\p{L}]*(?:(?:ok(?:ay)?|yes|yep|no|and|then|also|so|please|just|only)[,.!]? )*(?:use|keep|remove|rename|drop|scrap|allow|ignore|replace|switch|store|call|return|render|display|show|hide|limit|avoid|leave|disable|enable|support|treat|target|move)\b/iu;
/** Thinks aloud, reports, or asks for help: nothing was chosen by it. */
const UNDECIDED =
  /\b(?:wondering|i wonder|i thought|i was (?:mistaken|wrong)|the idea is|tell me (?:more|about)|not familiar|i'?d lean|maybe|perhaps|not sure|for example|e\.g\.|this (?:only )?happens|there have been|i (?:also )?(?:updated|changed|added|fixed|tried|moved)\b|all tests pass|here is the error|can (?:you|we)|could (?:you|we)|would (?:it|you)|what (?:if|about)|how about|please (?:review|write|explain|check|look|help|confirm)|i need (?:you )?to (?:configure|find|know|understand|see)|let me know|i don'?t (?:have a|know|understand|remember)|write me|spawn|read https?|this sounds? good|no further questions|as discussed|whatever is)\b|\?/i;
/** Only until something else comes. */
const FOR_NOW =
  /\b(?:for now|right now|at the moment|for the moment|temporar\w+|to start(?: with)?|until|once we|per se|first,|back then)\b/i;
/** Meant for more than the task at hand, whether or not anybody answers. */
const FOR_GOOD =
  /\b(?:always|never|from now on|going forward|every ?time|whenever|as much as possible|must|prefer|(?:i|we)(?:'d| would) (?:much )?(?:rather|like to)|(?:i|we) don'?t want|please (?:don'?t|do not))\b/i;
const SENTENCE = /(?<=[.!])["')\]]*\s+|\s\/\s/;
/** The least share of the words that is in sentences that take one way. */
const LEAST_SHARE = 0.4;

/** Whether the user's words choose something that lasts, and do nothing else beside it; without an outcome only what is meant for good. */
export function choosesForGood(words: string, hasOutcome: boolean): boolean {
  const text = straight(words);
  if (UNDECIDED.test(text) || FOR_NOW.test(text) || (!hasOutcome && !FOR_GOOD.test(text))) return false;
  const sentences = text.split(SENTENCE).filter((sentence) => sentence.trim() !== '');
  const taking = sentences.filter((sentence) => TAKES.test(sentence) || ORDERS.test(sentence));
  const length = (of: string[]) => of.reduce((sum, sentence) => sum + sentence.length, 0);
  return taking.length > 0 && length(taking) >= LEAST_SHARE * length(sentences);
}
