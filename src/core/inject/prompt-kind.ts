/** A prompt asks about the past; or about something memory may know; or for advice or about the current work; or it is a task. */
export type PromptKind = 'ask-past' | 'ask' | 'ask-here' | 'do';

const LONGEST_ASK = 300;
const QUESTION =
  /^\s*(?:(?:hey|hi|ok|okay|so|and|hmm|well|also|but|wait|question)[,.:]?\s+)*(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|had|can|could|would|will|should|may|besides|against|in which|at which|if)\b|[?？]\s*$/i;
/** An order worded as a question, a question about the screen, or a reply to what was just said. */
const ORDER =
  /^\s*(?:\w+[,.:!-]*\s+){0,3}(?:can|could|would|will|should|shall|might) (?:you|we)\b|\b(?:let'?s|please|i think|i want|i would|i'd like|i need|have a look|take a look|go ahead)\b|^\s*do (?:not|a|an|it|this|that)\b[^?]*$/i;
const POINTS =
  /\b(?:this|these|those|above|below|here|you|your|you're|either|any other|the changes?|it|it's|they|them)\b/i;
/** Asks for advice, or how far the work is: earlier sessions do not know. */
const ADVICE =
  /\b(?:best practices?|best way|how (?:do|can|would|should) i|is there (?:a|any|another) way|are there any|any ideas|ready to|status|state of the art|what'?s next|next steps?|what would|compatible|expected|better than|recommend\w*|should (?:i|we)|what if)\b/i;
/** The first part of a prompt describes the current task. */
const REPORTS =
  /^\s*(?!(?:what|which|who|whom|whose|when|where|why|how|did|does|do|is|are|was|were|has|have|had)\b)[^?]*[.!]\s+\S/i;
/** What stays the same from one session to the next. */
const PROJECT =
  /\b(?:in|of|on|for|to) (?:this|our|your) (?:product|project|code ?base|repo(?:sitory)?|checkout|machine|app|team)\b/gi;
const FOLLOWS = /^\s*(?:but|ok|okay|and|hmm+|so|yeah|yes|no|ah|oh|also|then|wait|right|cool|great|sure)\b/i;

/** What is asked about the past is asked of memory. */
const PAST =
  /\b(?:did|was|were|had|became|happened|decided|chosen|agreed|rejected|turned out|earlier|previously|last time|used to|originally|(?:i|we) thought|no longer)\b/i;

/** Speaks of what was agreed before. */
const RECALLS =
  /\b(?:(?:i|we) thought (?:we|you|it|that|this)|(?:did|have|had)(?:n['’]?t| not) we|we (?:had )?(?:decided|agreed|chose|chosen|said|wanted|used to)|last time|previous(?:ly)?|earlier|originally|no longer|yesterday|last (?:week|month|session))\b/i;

/** In the middle of a session most questions are about the session itself; not those that recall something earlier. */
export function recallsEarlier(prompt: string): boolean {
  return RECALLS.test(prompt);
}

export function promptKind(prompt: string): PromptKind {
  const asks =
    prompt.length < LONGEST_ASK && QUESTION.test(prompt) && !ORDER.test(prompt) && !FOLLOWS.test(prompt);
  if (!asks) return 'do';
  const isHere = ADVICE.test(prompt) || REPORTS.test(prompt) || POINTS.test(prompt.replace(PROJECT, ''));
  if (isHere) return 'ask-here';
  return PAST.test(prompt) ? 'ask-past' : 'ask';
}

/** Files that every project has, and words with a hyphen or an apostrophe, are no names. */
const NO_NAME =
  /^(?:(?:readme|claude|agents|package|index|main|tasks?|todo|plan|notes|changelog|settings|config)\.\w+|\.?(?:env|gitignore)[.\w]*|[a-z]+'[a-z]+|[a-z]+-[a-z]+|[a-z]+-(?:by|in|of|on|or|the|to|and|a)-[a-z]+)$/;

/** Whether a term identifies one thing: an identifier, a path, a ticket, a number of three digits or more. */
export function isName(term: string): boolean {
  if (/^\d{3,}$/.test(term)) return true;
  return term.length >= 4 && /[^a-z]/.test(term) && /[a-z]/.test(term) && !NO_NAME.test(term);
}
