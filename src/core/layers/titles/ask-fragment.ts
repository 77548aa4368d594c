import { holdsAny } from '../../text/may-match.ts';
import { once } from '../../text/once.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { termsOf } from '../../text/terms.ts';
import { termWeight } from '../term-weight.ts';
import { fitTitle, TITLE_ROOM } from './fit-title.ts';
import { plainAsk, withoutImages } from './plain-ask.ts';

/** Sentences of a message that are looked at: what follows is mostly pasted. */
export const MOST_SENTENCES = 10;
export const LOOKED_AT = 2500;
const FEWEST_TERMS = 2;
/** "Continue", "do both": nothing that a session could be known by. */
const EMPTY =
  /^(?:do (?:it|both|that|this|all|so)|(?:(?:check|look at|see) )?(?:this|it|that)|go(?: ahead| on| with (?:option )?\w{1,2})?|continue|proceed|commit(?:,? (?:this|it|and|push|our changes|everything))*|(?:force )?push(?: it)?|merge(?: it)?|yes.*|no|ok|y|n|thanks?.*|test|resume|retry|try again|more|next|done|fix(?: (?:it|this|that|them|these|all))?|implement (?:it|this|that|the plan)?|what.?s? (?:next|remaining|left)|let'?s go|exit|quit|clear|status|help|hello|hi|weiter|danke|ja|nein|(?:option )?[a-z\d][).]?)\W*$/i;
/** Copied from a terminal, a log or a file. */
const PASTED =
  /^[^\p{L}\p{N}"'“‘(@/#*`~._-]|^@@|^---|^\w+@[\w-]+[:~]|^at \S+[:(]|^['"]?[~/]\S+\/|^Traceback|^\d{4}-\d\d-\d\d|^\[?\d\d?:\d\d|^(?:remote|fatal|error|warning|hint|warn|npm err!?|author|date):\s|^ok {2,}|^[\w./-]+:\d+(?::|\s)|": "|\|(?:INFO|WARN|ERROR)\||^(?:commit [0-9a-f]{7,}|diff --git)|^(?:rm|cd|ls|cat|curl|sudo|chmod|mkdir|export|docker) \S|[0-9a-f]{8}-[0-9a-f]{4}-|\b[0-9a-f]{16,}\b|^\S*[/<>{}=]\S*$/iu;
const LEVEL = /^(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FAIL|PASS|RUN|OK)\b/;
const PAIRS = /\b[\w.]+=\S+ (?:\S+ )?[\w.]+=\S/;
/** Characters that show whether something was pasted. */
const SHOWS = 300;
const LETTERS = 0.75;
const WANTS = 1.35;
const LEADS_ON = 0.8;
const FIELDS = 0.5;
const IMPERATIVE =
  /^(?:add|fix|implement|create|remove|delete|change|update|refactor|review|check|find|make|write|move|rename|replace|support|show|use|improve|investigate|debug|analy[sz]e|explain|build|convert|migrate|install|deploy|set ?up|generate|why|how|get rid of|split|test|rebase|merge|restore|verify|compare|document)\b/i;
/** A sentence that asks for something instead of reporting something. */
const REQUEST =
  /\b(?:(?:can|could|would) (?:you|we)|i(?:'d| would) (?:like|love)|i (?:want|need)|i'm (?:looking for|trying to)|let'?s|please|we (?:need|should|want)|help me|kannst du|bitte)\b|[?？]["')\]]*\s*$/i;
/** `Kernel version: Darwin 24`: a line of a report. */
const FIELD = /^[\p{Lu}][\p{L}\d ]{2,24}: +\S/u;
const POINTS_ELSEWHERE = /\b(?:this|that|it|these|those|them|again|here|there|above|below)\b/i;
const POINTS_AT = /\b(?:that|those|these|this) \p{L}+|\bthose\b|\bthem\b/iu;
const SIDE_WORK =
  /^(?:add|write|fix|run|create|make|commit|push) (?:\w+ ){0,3}(?:tests?|lint\w*|coverage|merge conflicts|changes|commit|pr|draft pr|(?:git )?branch)\b/i;
/** Asked in passing: the work is seldom about it. */
const IN_PASSING =
  /^(?:(?:is|are|was|were|do|does|did|has|have|isn't|doesn't|aren't|am i|which|where|who|what(?:'s| is| are| does| do))\b.*[?…]$|(?:elaborate|explain in more|repeat|reword|rephrase|summarize (?:this|that|it))\b)/i;
/** The half of a sentence that does not say what is wanted. */
const HALF = /^(?:rather than|instead of|although|because)\b/i;
const TELLS =
  /^(?:look|check|see|i|i.m|i've|my|you|if|when|like|in my|since|address \d|there|we|it|this|that|what are|what do|any|he|after)\b/i;

/** A title of less is too vague. */
export const LEAST_TITLE_WORTH = 0.9;
/** Words of the work around the code: any session may be about them. */
const workflow = once(
  () =>
    new Set(
      (
        'pr pull request comment comments feedback branch conflict conflicts merge merged commit commits push review reviews address ' +
        'respond reply open opened lint thoughts quickly valid warning getting starting failed fails failing again plan planning happen ' +
        'happened talking guys deal discussion investigate fill rebase rebasing step ci together somebody explain hello help start thread threads resolve apply'
      )
        .split(' ')
        .flatMap((word) => termsOf(word)),
    ),
);
const WORKFLOW_WEIGHT = 0.2;
/** Two words that are special say what a title is about. */
const LEAST_SAID = 2;
/** A number is known to nobody by heart. */
const REFERENCE = /\b(?:PR|issue|discussion) #\d+/g;
/** Hashes, ids and long numbers say nothing to a person. */
const CODED = /^(?=.*\d)[0-9a-f-]{6,}$|\d{5}/;

/** "The goal of this feature is to X": X is what is wanted, whatever else is said. */
const GOAL =
  /^.{0,60}?\b(?:goal|focus|purpose|aim|objective|idea)\b[^.:]{0,40}?\b(?:is|was|will be)\b:?\s+(?:to |that we )?(?=\S.{12})/i;
const IN_GOAL = ['goal', 'focus', 'purpose', 'aim', 'objective', 'idea'];
const GOAL_WORTH = 1.5;
/** A branch is made for something. */
const BRANCH =
  /^(?:create|make|start|open) (?:a )?(?:new )?(?:git )?branch\b.*?(?:focused on|focusing on|:)\s*(?=\S.{10})/i;
/** A title that points elsewhere and is no longer than this has room for where it points. */
const ROOM = 48;

export type Fragment = { text: string; worth: number };

/** The sentence of an ask that says most of what is wanted, as a title; undefined when none says anything. */
export function askFragment(ask: string, longest?: number): Fragment | undefined {
  let best: Fragment | undefined;
  let led = false;
  const sentences = sentencesOf(ask.slice(0, LOOKED_AT)).slice(0, MOST_SENTENCES);
  const room = longest === undefined ? TITLE_ROOM : { wish: longest, most: longest };
  for (const [place, sentence] of sentences.entries()) {
    if (isPasted(withoutImages(sentence))) continue;
    const { text: plain, goal } = wantedPart(sentence);
    if (plain === '' || EMPTY.test(plain)) continue;
    const { text, cut } = fitTitle(plain, room);
    const whole = POINTS_AT.test(text) && text.length <= ROOM ? withNeighbor(text, sentences, place) : text;
    const leadsOn = /:\s*$/.test(sentence);
    const wants = IMPERATIVE.test(text) || REQUEST.test(sentence);
    const form =
      shape(text, cut) * (wants ? WANTS : 1) * (leadsOn ? LEADS_ON : 1) * (FIELD.test(sentence) ? FIELDS : 1);
    const worth = worthOf(text) * form * placeFactor(place, led) * (goal ? GOAL_WORTH : 1);
    led ||= leadsOn;
    if (worth > (best?.worth ?? 0)) best = { text: longest === undefined ? whole : text, worth };
  }
  return best;
}

/** What a sentence wants; of one that names the goal of all, the goal. */
export function wantedPart(sentence: string): { text: string; goal: boolean } {
  const goal = holdsAny(sentence.toLowerCase(), IN_GOAL) && GOAL.test(sentence);
  const plain = plainAsk(goal ? sentence.replace(GOAL, '') : sentence);
  const text = plain.toLowerCase().includes('branch') ? plain.replace(BRANCH, '') : plain;
  return { text, goal: goal || text !== plain };
}

/** "Continue", "do both". */
export function isEmptyAsk(plain: string): boolean {
  return EMPTY.test(plain);
}

/** Whether a sentence asks someone for something. */
export function isRequested(sentence: string): boolean {
  return REQUEST.test(sentence);
}

export function isInPassing(title: string): boolean {
  return IN_PASSING.test(title);
}

/** "Invert that flag logic": the sentence behind it, else the one before, says which. */
function withNeighbor(text: string, sentences: string[], place: number): string {
  const near = [sentences[place + 1], sentences[place - 1]].find((it) => it !== undefined && !isPasted(it));
  const plain = near === undefined ? '' : plainAsk(near);
  return plain === '' || worthOf(plain) < LEAST_TITLE_WORTH ? text : fitTitle(`${text} - ${plain}`).text;
}

/** How much the words of a title say; 0 when there are too few. */
export function worthOf(text: string): number {
  const terms = new Set(termsOf(text));
  if (terms.size < FEWEST_TERMS) return 0;
  let sum = 0;
  for (const term of terms) sum += CODED.test(term) ? 0 : termWeight(term);
  return sum / Math.sqrt(Math.max(3, terms.size));
}

/** "Review PR #12", "fix the merge conflicts": the outcome says more. */
export function isVague(title: string): boolean {
  let sum = 0;
  for (const term of new Set(termsOf(title.replace(REFERENCE, ''))))
    sum += CODED.test(term) ? 0 : workflow().has(term) ? WORKFLOW_WEIGHT : termWeight(term);
  return sum < LEAST_SAID;
}

export function isPasted(sentence: string): boolean {
  const start = sentence.slice(0, SHOWS);
  if (PASTED.test(start) || LEVEL.test(start)) return true;
  if (start.includes('=') && PAIRS.test(start)) return true;
  if (start.length <= 120) return false;
  const letters = start.match(/[\p{L}\s]/gu)?.length ?? 0;
  return letters < LETTERS * start.length;
}

/** The request comes first; text after "I got this:" is mostly someone else's. */
function placeFactor(place: number, led: boolean): number {
  return ((place === 0 ? 1.25 : 1) * (led ? 0.7 : 1)) / (1 + 0.06 * place);
}

function shape(text: string, cut: boolean): number {
  let factor = 1;
  if (POINTS_ELSEWHERE.test(text.slice(0, 40))) factor *= 0.75;
  if (SIDE_WORK.test(text)) factor *= 0.6;
  if (TELLS.test(text)) factor *= 0.8;
  if (HALF.test(text)) factor *= 0.5;
  if (cut) factor *= 0.85;
  return factor;
}
