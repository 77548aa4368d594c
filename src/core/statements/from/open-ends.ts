import { clipped, contentWords } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import { type Candidate, quoteOf } from '../candidate.ts';
import { AGENT_CUES } from '../read/agent-cues.ts';
import { isReadable } from '../read/english.ts';
import { isMachineLine } from '../read/own-lines.ts';
import { isPassing } from '../read/passing.ts';
import type { Reply, Segment } from '../read/segments.ts';
import { type TextUnit, unitsOf } from '../read/units.ts';

const LONGEST = 320;
const SHORTEST = 60;
const MOST = 5;
const FEWEST_WORDS = 5;
/** Offers that end nearly every message, whatever is left to do. */
const POLITE =
  /\b(?:anything else|let me know|any(?:thing)? of these|any of (?:this|them|those)|(?:any )?(?:other|additional|further|specific|particular) (?:improvements?|changes?|adjustments?|questions?|issues?|areas?|aspects?|recommendations?|details?)|more (?:closely|detail(?:s|ed)?|information)|(?:would you like|do you want|want) me to|(?:me to |like to |want to )(?:see|show|explain|help|walk|guide|review|read|go through|elaborate|provide|continue|proceed|tailor|run|restart|commit|push)|next steps?|what'?s next|what next|what (?:would you like|do you think|should (?:i|we) (?:do|work))|does (?:this|that)|is (?:this|that)|how does|sound good|look good|make sense|all of the above)\b/i;
const LEFT =
  /\b(?:to-?dos?\b(?! (?:list|status))|not (?:yet|implemented|done|committed|pushed|merged|fixed|deployed|tested|verified|covered)|remaining (?:work|tasks?|items?|issues?|steps?|failures?|problems?|tests?|gaps?)|remains? (?:to|un\w+|open)|still (?:to do|needs?|fails?|failing|open|missing|broken|pending|not|have to|has to)|left (?:for|to do|open|undone)|out of scope|(?:is|are|was|were|been|be) deferred|deferred (?:to|until|for|as)|known (?:issues?|bugs?|limitations?)|(?:needs?|requires?) (?:a )?(?:manual|follow-?up)|follow-?ups?:?|(?:is|are|still|was|were|remains?) (?:waiting|blocked) (?:on|for)|separate (?:issue|pr|task)|could(?: not|n't) (?:test|verify|reproduce|run|fix))\b/i;
const LONGEST_TITLE = 60;
const LEFT_HEADING =
  /\b(?:remain\w*|to-?dos?|open (?:questions?|points?|issues?|items?)|not (?:done|yet|fixed)|follow-?ups?|deferred|known (?:issues?|limitations?)|left|manual (?:steps?|setup)|(?:required|remaining|manual) setup|setup (?:required|needed))\b|\bnext steps?\b(?! after)/i;
/** A commit by its sign: it is there. */
const COMMITTED = /^\W*(?=[a-f]*\d)[0-9a-f]{7,40}\b/;
/** Says that it is over, or how good it will be. */
const DONE =
  /\b(?:no (?:remaining|longer|follow-?ups?)|nothing (?:left|remaining)|(?:sent|pushed|addressed|moved|created|completed|resolved|recorded|fixed|fixing|hardens|adds)\b.*\b(?:follow-?up|remaining|pending|todo)|all (?:\w+ )?(?:done|complete|fixed)|in the future|for future|should help|you (?:can|could|might|may))\b/i;

/** Begins with what is over, and what is left is only described in it. */
const WORKED = /^[^\p{L}\p{N}]*(?:committed|pushed|merged|deployed|done|fixed)\b/iu;

/** Asks for a choice without saying among what. */
const BARE_CHOICE =
  /^[^\p{L}\p{N}]*(?:so |and )?(?:which (?:one|way|option|approach|of (?:these|those|them))|what (?:do you (?:want|prefer|think)|would you (?:like|prefer))|how (?:do you want|would you like|should (?:i|we) (?:proceed|continue)))\b(?!.*\bor\b)/iu;

/** A sentence, and neither a piece of code nor a quotation. */
const ASKING = /^[^\p{L}\p{N}"“'`]{0,3}(?!Now\b)\p{Lu}\p{L}*[\s,]/u;
/** Instructs the user how to continue, or refers back. */
const ADVICE =
  /^[^\p{L}\p{N}]*(?:(?:\*\*)?(?:test|use|follow|monitor|try|open|check|run|review|consider|restart|deploy|visit|remember|keep|enjoy|start|commit|push)\b(?! coverage| failures?)|so (?:it|this|that|the)\b|also, remember)/iu;
/** What the agent is about to do itself in the same turn. */
const GOES_ON =
  /\b(?:i(?:'m| am)? (?:still )?(?:need to|have to|waiting|going to|about to)|i(?:'ll| will)|let me|before (?:i|creating|deleting|committing|continuing))\b/i;
/** A step that the agent is in the middle of, or a report with what is left in its second half. */
const IN_HAND =
  /\bnot (?:yet )?(?:committed|pushed|staged)\b|^[^\p{L}\p{N}]*(?:i(?:'ve| have)\b|the [\p{L} ]{1,50} (?:is|are) (?:now )?(?:complete|done|finished)\b)/iu;
/** Nobody knows weeks later which one it was. */
const UNNAMED =
  /^[^\p{L}\p{N}]*(?:the (?:branch|changes?|fix|pr|issue|tests?|feature|work|build|error)(?! (?:`|"|in|of|for|on|from)\b)|this|that|it|they|these|those)\b(?![^.;]{0,40}[`"])/iu;
/** Only the user's word is missing. */
const WAITS =
  /\b(?:ready (?:to|for) (?:push|merg|commit|open|ship|go|review|deploy)\w*|say the word|should i (?:proceed|continue|go|start|begin|move)|already (?:editing|working|running)|this follow-up|whenever you|when(?:ever)? you (?:want|give|are ready|say)|holding off|i can (?:write|do|add|also|put|draft|open|push))\b/i;
const GO_ON = /\bready (?:to|for)\b[^?]{0,80}\bnext\?/i;
/** Reports work that is over. */
const REPORTS =
  /^[^\p{L}\p{N}]*(?:(?:done|perfect|great|all set)\b|i(?:'ve| have) (?:now |also |just |already |successfully )*\p{L}+(?:ed|t|n|e)\b)/iu;

/** What the last message of a session leaves undone: its question, or what it names as remaining. */
export function fromOpenEnds(segments: Segment[]): Candidate[] {
  const last = segments
    .slice(-2)
    .flatMap(({ replies }) => replies)
    .at(-1);
  const index = segments.length - 1;
  if (!last || !isReadable(last.text)) return [];
  const all = unitsOf(last.text, isMachineLine);
  // Work that the agent continued in the same message is not open.
  const units = all.slice(1 + all.findLastIndex(({ text }) => AGENT_CUES.narrates.test(straight(text))));
  const remains = units.filter((unit) => isLeft(unit) && !isTicked(last.text, unit));
  if (remains.length > 0) return left(last, index, remains);
  const asks = units.findLastIndex(
    ({ text, item }) => !item && ASKING.test(text) && AGENT_CUES.asks.test(straight(text)),
  );
  const asked = units[asks]?.text ?? '';
  if (asks === -1 || GO_ON.test(asked) || WAITS.test(straight(asked))) return [];
  return POLITE.test(asked) && !isChoice(asked) ? [] : question(last, index, units, asks);
}

/** Offers two named options: which one is taken is not decided. */
function isChoice(asked: string): boolean {
  const [, first = '', second = ''] = CHOICE.exec(straight(asked)) ?? [];
  if (POLITE.test(`me to ${first}`) || POLITE.test(`me to ${second}`)) return false;
  return contentWords(first).size >= FEWEST_WORDS - 3 && contentWords(second).size >= FEWEST_WORDS - 3;
}

const CHOICE =
  /^[^\p{L}\p{N}]*(?:(?:would you like|do you want|want) me to|should (?:i|we)|do (?:we|you) (?:want to|prefer)|shall (?:i|we)) ((?:(?! or )(?!would you|do you).){8,200}?)[,;]? or (?!anything|something|is there|any )((?:(?!would you|do you).){8,200}?)\?$/iu;

/** Whether a sentence says that something is still to be done. */
export function namesRemainder(text: string): boolean {
  const plain = straight(text);
  if (WORKED.test(plain)) return false;
  return LEFT.test(plain) && !DONE.test(plain) && !GOES_ON.test(plain) && !IN_HAND.test(plain);
}

function isLeft({ text, head, lead, item, table }: TextUnit): boolean {
  const plain = straight(text);
  // A cell with the status of its row, which is mostly: not now.
  if (table) return false;
  if (DONE.test(plain) || GOES_ON.test(plain) || isPassing(text) || /[:?]$/.test(text)) return false;
  if (COMMITTED.test(plain)) return false;
  if (['narrates', 'guesses'].some((name) => AGENT_CUES[name as 'narrates'].test(plain))) return false;
  if (WAITS.test(plain) || ADVICE.test(plain) || (!item && UNNAMED.test(plain))) return false;
  const words = contentWords(text).size;
  if (item && isLeftHeading((lead ?? head)?.text ?? '')) return words >= FEWEST_WORDS - 2;
  return words >= FEWEST_WORDS - 1 && LEFT.test(plain);
}

/** A title over what is left, and no sentence of the agent about its lists. */
function isLeftHeading(text: string): boolean {
  return text.length <= LONGEST_TITLE && LEFT_HEADING.test(text) && !AGENT_CUES.narrates.test(straight(text));
}

function isTicked(text: string, { from }: TextUnit): boolean {
  return /\[[xX✓~-]\]\s*$/.test(text.slice(Math.max(0, from - 6), from));
}

function left(last: Reply, index: number, remains: TextUnit[]): Candidate[] {
  const listed = remains.slice(0, MOST);
  const above = listed[0]!.lead ?? listed[0]!.head;
  const headed = above && isLeftHeading(above.text) ? [above] : [];
  const text = [
    ...headed.map((one) => `${one.text.replace(/:$/, '')}:`),
    listed.map((unit) => unit.text).join('; '),
  ].join(' ');
  return openEnd(last, index, {
    label: 'Remains at the end: ',
    text,
    spans: [...headed, ...listed],
    score: 1,
  });
}

function question(last: Reply, index: number, units: TextUnit[], at: number): Candidate[] {
  const asked = units[at]!;
  const before = units[at - 1];
  const isContext =
    before &&
    !before.text.endsWith(':') &&
    !/^\W*(?:or|and|but|so|should|then)\b/i.test(before.text) &&
    !before.item &&
    !isPassing(before.text) &&
    !REPORTS.test(straight(before.text));
  const context = isContext ? [before] : [];
  const options = units.slice(at + 1, at + 4).filter(({ item }) => item);
  const text = [
    ...context.map((unit) => clipped(unit.text, 150)),
    asked.text,
    ...(options.length > 0 ? [options.map((unit) => unit.text).join(' / ')] : []),
  ].join(' ');
  if (contentWords(text).size < FEWEST_WORDS) return [];
  if (options.length === 0 && BARE_CHOICE.test(straight(asked.text))) return [];
  const spans = [...context, asked, ...options];
  return openEnd(last, index, { label: 'Left open at the end: ', text, spans, score: 1.3 });
}

type End = { label: string; text: string; spans: { from: number; to: number }[]; score: number };

function openEnd(last: Reply, segment: number, { label, text, spans, score }: End): Candidate[] {
  if (text.length <= SHORTEST) return [];
  return [
    {
      foundBy: 'open-end',
      author: 'assistant',
      kind: 'open',
      segment,
      features: new Set(),
      outcomeFeatures: new Set(),
      score,
      label,
      words: { text: clipped(text, LONGEST), quotes: spans.map((span) => quoteOf(last, 'text', span)) },
      overturned: [],
    },
  ];
}
