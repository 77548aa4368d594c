import { contentWords, identifiers } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import type { UserUnit } from '../read/segment-units.ts';

/** Kinds that a sentence of the user says whole. */
const KINDS = ['says:rule', 'says:preference', 'says:constraint'];
const FEWEST_WORDS = 4;
/** Bounds the next turn only, or orders a piece of work. */
const THIS_TURN =
  /\b(?:yet|for now|right now|until i|until we|this (?:time|session|pr|branch|commit)|today)\b|\b(?:don't|do not|no need to|take no|without)\b.{0,25}\b(?:any )?(?:code|anything|work|actions?|changes|commands?)\b(?! (?:to|in|that))|^[^\p{L}]*(?:(?:also|and|then|just|so|ok(?:ay)?|now|please|one more thing),? )*(?:let's|lets|then|just|after|create|write|commit|push|fix|add|build|if (?:you did|this|the logic)|when you did)\b/iu;
/** Wants to see or to have something made once. */
const ONCE =
  /\b(?:i(?:'d| would) (?:really )?(?:like|love)(?: for)? (?:you )?to (?!avoid|use|keep|prefer|stay|stick|always|never)|i(?:'d| would) (?:like|love) (?:for )?you\b|i want you to)/i;
const EACH_TIME =
  /\b(?:always|never|each time|every ?time|whenever|from now on|going forward|in (?:the )?future|before (?:any|commit\w*|push\w*|merg\w*|taking|writing|making))\b/i;
/** Its subject is in another sentence. */
const POINTS =
  /\b(?:this|that(?! (?:the|we|it|you|i|there|is|are|can|will|would|should))|these|those|they|them|it|its|it's|both|the others?|the same)\b/i;
const OF_ONE_THING =
  /^[^\p{L}]*(?:(?:but|and|so|also|ok(?:ay)?|cool)[\s,–—-]+)*(?:the (?:tests?|code|script|plan|button|page)\b|i like it\b|there(?:'s| is| are)\b|looks like\b|seems\b|talk me\b|do i\b)|\bwondering\b|\blet me (?:point out|tell you|add|explain|clarify|mention)\b|\b(?:as well|too)[.!]*$|[?？]/iu;

/** Compares with what is said elsewhere. */
const COMPARES = /\b(?:less|more) \w+[.!]*$/i;

/** Whether one sentence of the user says how the work is to be done from now on, and is understood without any other. */
export function isRuleAlone({ text, features, item }: UserUnit): boolean {
  if (!KINDS.some((kind) => features.has(kind)) || item) return false;
  if (['document', 'pasted', 'review', 'longMessage', 'plan', 'question'].some((name) => features.has(name)))
    return false;
  const plain = straight(text);
  const isForGood = EACH_TIME.test(plain);
  if (features.has('first') && !isForGood) return false;
  if (contentWords(plain).size < FEWEST_WORDS || OF_ONE_THING.test(plain)) return false;
  if (!isForGood && (THIS_TURN.test(plain) || ONCE.test(plain) || COMPARES.test(plain))) return false;
  return !POINTS.test(plain) || identifiers(text).size > 0;
}
