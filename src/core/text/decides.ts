import { type SaidSort, saidSort } from './said-sort.ts';

/** Words that want something to be so. */
const WANTS =
  /\b(?:let'?s|(?:we|i|you|it|they|this|that|there|\w+s) (?:should|must|need|have to)|should(?:n'?t| not| only| always| never| be| have)|must|we (?:want|can|will|could)|i(?:'d| would)? (?:want|like|prefer|love|rather)|don'?t|do not|never|always|only|instead|rather|prefer|no need|as long as|go with|stick with|option \\w|ensure|make sure)\b/i;
/** An order begins so. */
const ORDERS =
  /^[^\p{L}]*(?:(?:ok(?:ay)?|yes|yep|sure|and|then|now|also|perfect|great|cool|please|always|never|just|only|don'?t|do not)[,.!]? )*(?:use|keep|make|remove|rename|move|drop|skip|create|add|put|show|hide|allow|scrap|ignore|replace|change|switch|store|call|return|write|set|split|merge|support|render|display|limit|avoid|start|stop|leave|do|delete|disable|enable|update|address)\b/iu;
/** Says how something is, or that something is wrong, and not what is wanted. */
const REPORTS =
  /^[^\p{L}]*(?:(?:hmm+|mh+|ah|oh|but|ok(?:ay)?|well)[\s,.…]+)*(?:no\b[,.!]|not true|you(?:'re| are) (?:not|wrong)|that (?:was|is)n?'?t?\b|that'?s\b|i (?:meant|also ran|ran|see|saw|got|get|tried|just|am|was|have)\b|i'm\b|it (?:happens|fails|failed|looks|seems|still|was|is)\b|looks like|seems\b|our session|relevant because|this (?:pr|commit|test|error|is)\b|here(?:'s| is)|the (?:user|test|error|issue|problem|code|cli|comment)\b|why\b|screenshot|download|fetching)/iu;
/** Somebody's review or log speaks of code, and of nobody who wants something. */
const VOICE = /\b(?:i|we|you|us|me|my|our|let'?s|please)\b/i;
/** What was agreed to is a step of the work, and decides nothing beyond it. */
const STEP =
  /\b(?:restart|commit(?!s\b)|push|rebase|merge|deploy|re-?run|run (?:the |it|this)|proceed|continue|go ahead|start (?:implementing|with|the|on)|ssh|check|look (?:at|into)|open (?:a|the) pr|create (?:a|the) (?:pr|commit|branch|issue|ticket|changelog|plan)|let me know|changelog|next step|investigate|explore|review|wait for|test (?:it|this|again|in))\b/i;

const ASKS =
  /[?？]|^[^\p{L}]*(?:(?:ok(?:ay)?|yes|and|now|also|perfect|great|cool)[,.!]? )*(?:can|could|would|will|do|does|did|is|are|what|how|why|where|which) (?:you|we|i|it|this|the|there)\b/iu;
/** Fewer words say nothing to somebody who was not there. */
const FEWEST_WORDS = 4;

/** An order of the day, or a program's output. */
const NOT_DECIDED: ReadonlySet<string> = new Set<SaidSort>(['orders', 'pasted']);

/** Whether words of the user, with what they refer to, decide something. */
export function decides(words: string, reference: string): boolean {
  if (reference !== '') return !isStepOfWork(reference);
  if (REPORTS.test(words) || isShortStep(words) || NOT_DECIDED.has(saidSort(words))) return false;
  return ORDERS.test(words) || (WANTS.test(words) && VOICE.test(words));
}

export function isAsked(words: string): boolean {
  return ASKS.test(words);
}

export function isStepOfWork(text: string): boolean {
  return STEP.test(text);
}

function isShortStep(words: string): boolean {
  const count = words.match(/[\p{L}\p{N}_./-]{2,}/gu)?.length ?? 0;
  return count < FEWEST_WORDS || (words.length < 90 && STEP.test(words));
}
