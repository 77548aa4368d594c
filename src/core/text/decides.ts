import { type SaidSort, saidSort } from './said-sort.ts';

/** Words that want something to be so. */
const WANTS =
  /\b(?:let'?s|(?:we|i|you|it|they|this|that|there|\w+s) (?:should|must|need|have to)|should(?:n'?t| not| only| always| never| be| have)|must|we (?:want|can|will|could)|i(?:'d| would)? (?:want|like|prefer|love|rather)|don'?t|do not|never|always|only|instead|rather|prefer|no need|as long as|go with|stick with|option \\w|ensure|make sure)\b/i;
/** An order begins so. */
const ORDERS =
  /^[^\p{L}]*(?:(?:ok(?:ay)?|yes|yep|sure|and|then|now|also|perfect|great|cool|please|always|never|just|only|don'?t|do not)[,.!]? )*(?:use|keep|make|remove|rename|move|drop|skip|create|add|put|show|hide|allow|scrap|ignore|replace|change|switch|store|call|return|write|set|split|merge|support|render|display|limit|avoid|start|stop|leave|do|delete|disable|enable|update|address)\b/iu;
/** Says how something is, or that something is wrong, and not what is wanted. */
const REPORTS =
  /^[^\p{L}]*(?:(?:hmm+|mh+|ah|oh|but|ok(?:ay)?|well)[\s,.…]+)*(?:no\b[,.!]|not true|you(?:'re| are) (?:not|wrong)|that (?:was|is)n?'?t?\b|that'?s\b|i (?:meant|also ran|ran|see|saw|got|get|tried|just|am|was|have)\b|i'm\b|it (?:happens|fails|failed|looks|seems|still|was|is)\b|looks like|seems\b|our session|relevant because|this (?:pr|commit|test|error|is|now|still|seems)\b|you (?:made|did|do(?: not|n'?t) need)\b|almost\b|i think you can\b|in production, it is\b|here(?:'s| is)|the (?:user|test|error|issue|problem|code|cli|comment)\b|why\b|screenshot|download|fetching)/iu;
/** Someone's review or log is about code, not about a person who wants something. */
const VOICE = /\b(?:i|we|you|us|me|my|our|let'?s|please)\b/i;
/** What was agreed to is a step of the work, and decides nothing beyond it. */
const STEP =
  /\b(?:restart|commit(?!s\b)|push|rebase|merge|deploy|re-?run|run (?:the |it|this)|proceed|continue|go ahead|start (?:implementing|with|the|on)|ssh|check|look (?:at|into)|open (?:a|the) pr|create (?:a|the) (?:pr|commit|branch|issue|ticket|changelog|plan)|let me know|changelog|next step|investigate|explore|review|wait for|test (?:it|this|again|in))\b/i;

/** About this talk, and nothing beyond it. */
const TALK =
  /\b(?:let'?s discuss|do(?: not|n'?t) (?:do any work|(?:make|write) any (?:changes|code))|no need to write|just curious|without making any changes|before (?:you )?(?:begin\w*|continu\w*|start\w*|taking any action)|if (?:anything|something|this [\w ]{0,20}) is unclear|please ask me|put together an?|i approve|i trust|i mean\b|just pointing|feel free|for scope|i don'?t (?:think you|recall|remember|know|understand)|i no longer (?:recall|know)|still (?:reads|looks|shows|fails)|see below|attached (?:image|file|screenshot)|make (?:particular )?note|this idea|to work on|let me (?:know|point out)|can you (?:confirm|check|write)|think harder|look (?:very )?carefully)\b/i;
/** A question without its sign. */
const UNMARKED =
  /^(?:(?:wait|hmm+|so|but|and|ok(?:ay)?)[,.\s]+)?(?:why|what|how|where|which|who|is|are|does|do we|did|shouldn'?t)\b|\b(?:right|correct)[\s.!]*$/i;
/** An order to make something, which is done when it is made. */
const MAKES =
  /^(?:(?:ok(?:ay)?|yes|yep|now|also|and|then|great|perfect|cool|please|just|let'?s|we|need|to|you|i(?:'d| would) like(?: you)?|i want|go ahead and|can you|could you)[\s,.!:-]+)*(?:create|write|update|put|break|go through|spawn|run|look|review|move|add|check|find|fix|restart|install|redesign|investigate|continue|get|test|start|document|reword|word|summari[sz]e|analy[sz]e|clean|address|finish|do)\b/i;
/** What lasts beyond it. */
const LASTS =
  /\b(?:always|never|from now on|in (?:the )?future|don'?t|do not|aren'?t|won'?t|shouldn'?t|instead|rather|prefer|avoid\w*|no need|get rid|default|must|should|as long as|conventions?|standards?|have to|going forward)\b/i;
/** Begins with a path or in brackets, or names a commit: about this very moment. */
const MOMENT = /^\s*(?:\(|['"]?[~/][\w/])|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b/;
/** What was agreed to is a question, or work beside the matter. */
const BESIDE =
  /[?？]|\b(?:add|write|run|update|fix|create)\b.{0,40}\b(?:tests?|comments?|smoke|docs?|readme|summary|diagram|changelog)\b/i;

const ASKS =
  /[?？]|^[^\p{L}]*(?:(?:ok(?:ay)?|yes|and|now|also|perfect|great|cool)[,.!]? )*(?:can|could|would|will|do|does|did|is|are|what|how|why|where|which) (?:you|we|i|it|this|the|there)\b/iu;
/** Fewer words say nothing to someone who was not there. */
const FEWEST_WORDS = 4;

/** An order of the day, or a program's output. */
const NOT_DECIDED: ReadonlySet<string> = new Set<SaidSort>(['orders', 'pasted']);

/** Whether words of the user, with what they refer to, decide something. */
export function decides(words: string, reference: string): boolean {
  if (reference !== '') return !isStepOfWork(reference) && !BESIDE.test(reference);
  if (REPORTS.test(words) || isShortStep(words) || NOT_DECIDED.has(saidSort(words))) return false;
  if (
    TALK.test(words) ||
    UNMARKED.test(words) ||
    MOMENT.test(words) ||
    (MAKES.test(words) && !LASTS.test(words))
  )
    return false;
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
