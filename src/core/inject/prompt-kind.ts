import { holdsAny, mayBeginWith, wordSet } from '../text/may-match.ts';

/** A prompt asks what was; or what memory may know; or for advice or about what is at hand; or is work to do. */
export type PromptKind = 'ask-past' | 'ask' | 'ask-here' | 'do';

const LONGEST_ASK = 300;
const QUESTION =
  /^\s*(?:(?:hey|hi|ok|okay|so|and|hmm|well|also|but|wait|question)[,.:]?\s+)*(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|had|can|could|would|will|should|may|besides|against|in which|at which|if)\b|[?？]\s*$/i;
const QUESTION_WORDS = wordSet(
  'hey hi ok okay so and hmm well also but wait question what which who whom whose when where why how did does do is are was were has have had can could would will should may besides against in at if',
);
/** An order in the form of a question, what is on the screen, and what continues with what was just said. */
const MODAL = /^\s*(?:\w+[,.:!-]*\s+){0,3}(?:can|could|would|will|should|shall|might) (?:you|we)\b/i;
const IN_MODAL = ['n you', 'n we', 'd you', 'd we', 'l you', 'l we', 't you', 't we'];
const WISH = /\b(?:let'?s|please|i think|i want|i would|i'd like|i need|have a look|take a look|go ahead)\b/i;
const IN_WISH =
  "let's,lets,please,i think,i want,i would,i'd like,i need,have a look,take a look,go ahead".split(',');
const DO_IT = /^\s*do (?:not|a|an|it|this|that)\b[^?]*$/i;
const POINTS =
  /\b(?:this|these|those|above|below|here|you|your|you're|either|any other|the changes?|it|it's|they|them)\b/i;
/** Asks for advice, or how far the work is: earlier sessions do not know. */
const ADVICE =
  /\b(?:best practices?|best way|how (?:do|can|would|should) i|is there (?:a|any|another) way|are there any|any ideas|ready to|status|state of the art|what'?s next|next steps?|what would|compatible|expected|better than|recommend\w*|should (?:i|we)|what if)\b/i;
const IN_ADVICE =
  "best practice,best way,how do i,how can i,how would i,how should i,is there,are there any,any ideas,ready to,status,state of the art,what's next,whats next,next step,what would,compatible,expected,better than,recommend,should i,should we,what if".split(
    ',',
  );
/** The first part of a prompt describes the current task. */
const REPORTS =
  /^\s*(?!(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|had)\b)[^?]*[.!]\s+\S/i;
/** What stays the same from one session to the next. */
const PROJECT =
  /\b(?:in|of|on|for|to) (?:this|our|your) (?:product|project|code ?base|repo(?:sitory)?|checkout|machine|app|team)\b/gi;
const FOLLOWS = /^\s*(?:but|ok|okay|and|hmm+|so|yeah|yes|no|ah|oh|also|then|wait|right|cool|great|sure)\b/i;

const FOLLOWING = wordSet(
  'but ok okay and hm hmm hmmm so yeah yes no ah oh also then wait right cool great sure',
);

/** What is asked about the past is asked of memory. */
const PAST =
  /\b(?:did|was|were|had|became|happened|decided|chosen|agreed|rejected|turned out|earlier|previously|last time|used to|originally|(?:i|we) thought|no longer)\b/i;

/** Speaks of what was agreed before. */
const RECALLS =
  /\b(?:(?:i|we) thought (?:we|you|it|that|this)|(?:did|have|had)(?:n['’]?t| not) we|we (?:had )?(?:decided|agreed|chose|chosen|said|wanted|used to)|last time|previous(?:ly)?|earlier|originally|no longer|yesterday|last (?:week|month|session))\b/i;

const IN_RECALL =
  'thought,t we,we decided,we agreed,we chose,we said,we wanted,we used,we had,last ,previous,earlier,originally,no longer,yesterday'.split(
    ',',
  );

/** In the middle of a session most questions are about the session itself; not those that recall something earlier. */
export function recallsEarlier(prompt: string): boolean {
  return holdsAny(prompt.toLowerCase(), IN_RECALL) && RECALLS.test(prompt);
}

export function promptKind(prompt: string): PromptKind {
  if (prompt.length >= LONGEST_ASK || !isQuestion(prompt)) return 'do';
  const lower = prompt.toLowerCase();
  if (isOrder(prompt, lower) || isFollowing(prompt)) return 'do';
  const isHere =
    // What would be is nothing that was.
    lower.trimStart().startsWith('would ') ||
    (holdsAny(lower, IN_ADVICE) && ADVICE.test(prompt)) ||
    (/[.!]\s/.test(prompt) && REPORTS.test(prompt)) ||
    POINTS.test(prompt.replace(PROJECT, ''));
  if (isHere) return 'ask-here';
  return PAST.test(prompt) ? 'ask-past' : 'ask';
}

/** Asks something and orders nothing, whatever is pasted behind it. */
export function onlyAsks(prompt: string): boolean {
  return /[?？](?:\s|$)/.test(prompt) && !isOrder(prompt, prompt.toLowerCase());
}

function isQuestion(prompt: string): boolean {
  const text = prompt.trim();
  if (text.endsWith('?') || text.endsWith('\uff1f')) return true;
  return mayBeginWith(text, QUESTION_WORDS) && QUESTION.test(prompt);
}

function isOrder(prompt: string, lower: string): boolean {
  if (holdsAny(lower, IN_MODAL) && MODAL.test(prompt)) return true;
  if (holdsAny(lower, IN_WISH) && WISH.test(prompt)) return true;
  return lower.trimStart().startsWith('do ') && DO_IT.test(prompt);
}

function isFollowing(prompt: string): boolean {
  const text = prompt.trimStart();
  return (mayBeginWith(text, FOLLOWING) || /^hmm/i.test(text)) && FOLLOWS.test(prompt);
}

/** Files that every project has, and words with a hyphen or an apostrophe, are no names. */
const NO_NAME =
  /^(?:(?:readme|claude|agents|package|index|main|tasks?|todo|plan|notes|changelog|settings|config)\.\w+|\.?(?:env|gitignore)[.\w]*|[a-z]+'[a-z]+|[a-z]+-[a-z]+|[a-z]+-(?:by|in|of|on|or|the|to|and|a)-[a-z]+)$/;

/** Whether a term identifies one thing: an identifier, a path, a ticket, a number of three digits or more. */
export function isName(term: string): boolean {
  if (/^\d{3,}$/.test(term)) return true;
  return term.length >= 4 && /[^a-z]/.test(term) && /[a-z]/.test(term) && !NO_NAME.test(term);
}
