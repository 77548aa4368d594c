import type { StatedKind } from '../../model/statement.ts';
import { CONSTRAINTS, ENVIRONMENT, PREFERENCES, RULE_CUES } from './own-kind-cues.ts';

/** The kinds of sentences that people say for more than one task. */
export type OwnKind = Extract<StatedKind, 'rule' | 'preference' | 'constraint' | 'environment'>;

const LEAD_IN =
  /^(?:(?:again|as i said|like i said|ok(?:ay)?|yes|yeah|yep|no(?=[,.!;:])|nope|hmm+|oh|ah|um|also|and|but|so|then|please|pls|great|well|btw|by the way|fyi|hey|hi|sorry|actually|alright|right(?=,)|cool|nice|perfect|thanks?|thank you|one more thing|one thing|also note(?: that)?|note(?: that)?|important|heads up|just so you know|remember that|remember(?=[:,])|keep in mind(?: that)?|in general|generally|for context|first|second|finally|lastly)(?:[,.!:;\s–—-]+|$))+/;
const ASKS = /\?["')\]]*$/;
/** Asked politely, and yet an order. */
const POLITE =
  /^(?:can|could|would|will) (?:you|we) (?:please )?(?=always|never|make sure|remember|stop|avoid|prefer|stick|not |only |keep )/;
/** Only this once, or only until something else. */
const ONCE =
  /\b(?:for now|right now|just now|at the moment|for the moment|this (?:time|once)|just this|for this (?:one|pr|commit|branch|task|change|test|session|run)|in this (?:case|commit|pr|branch|session|run)|until (?!you|i |we )|temporarily|today|tonight|tomorrow|for a (?:second|moment|minute)|so far|first,? (?:let|we)|just (?:validate|check|look|show|tell|explain|answer)|instead of (?:that|this)|option \w\b|that (?:one|option|approach)|the (?:first|second|third|other|last) (?:one|option|approach)|back then|used to|earlier|yesterday|last (?:week|time|month|year|night))\b|\b(?:yet|again|anymore)[.!]*$/;
/** What happens, not what is wanted. */
const REPORTS =
  /^(?:it|this|that|he|she|they|the \w+(?: \w+){0,3}|(?:my|our) \w+(?: \w+)?|something|nothing|everything) (?:is |are |was |were |has |have |had |just |still |now |sometimes |somehow )*(?:always|never|only)? ?(?:fails?|failed|failing|crash\w*|hangs?|hung|breaks?|broke|broken|disappear\w*|loses?|lost|throws?|threw|returns?|returned|shows?|showed|gets?|got|finish\w*|loads?|loaded|timed? ?out|times out|stops?|stopped|stuck|missing|wrong|gone|empty|blank|red|slow|looks?|seems?|says?|said)\b/;
const SUPPOSES =
  /^(?:what if|if i (?:were|was|had)|imagine|suppose|i wonder|maybe|perhaps|i (?:think|guess|believe) (?:it|that|this|the)|how (?:about|come)|why|what|when (?:i|did|does|do)\b|where|who|which|does|did|do (?:we|you|i)|is|are|was|were|should (?:i|we)|shall)\b/;
const LOGGED = /^(?:\d{4}-\d\d-\d\d|\d\d:\d\d|\[[^\]]*\]|[\w./-]+:\d+:|error\b|warning\b|usage:|at \S+\()/;
/** What follows may be an order of its own. */
const CLAUSES = /[,;]\s+(?:and |but |so |then )*|\s+[–—-]+\s+/;
const ORDER =
  /^(?:please )?(?:never|always|don't ever) \w+|^(?:please )?(?:do not|don't) (?:commit|push|merge|rebase|amend|deploy|release|install|delete|touch|edit|start|restart|run|add|change|use|guess|assume)\b/;
const FEWEST_WORDS = 3;
const LONGEST = 300;

/** Which kind of lasting sentence the user's words are, or undefined. */
export function ownKind(sentence: string): OwnKind | undefined {
  const plain = sentence.replaceAll('’', "'").toLowerCase().trim();
  const words = plain.replace(LEAD_IN, '').replace(POLITE, '');
  if (words.length > LONGEST || LOGGED.test(plain) || /[:,]$/.test(words)) return undefined;
  if (words.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length < FEWEST_WORDS) return undefined;
  const polite = POLITE.test(plain.replace(LEAD_IN, ''));
  if ((ASKS.test(words) && !polite) || SUPPOSES.test(words) || REPORTS.test(words)) return undefined;
  const kinds: [OwnKind, RegExp[]][] = [
    ['preference', PREFERENCES],
    ['constraint', CONSTRAINTS],
    ['rule', RULE_CUES],
    ['environment', ENVIRONMENT],
  ];
  // Said for all time it is meant so, whatever else it says.
  const forEver = /\b(?:always|never|from now on|going forward|every time|whenever|in future)\b/.test(words);
  if (ONCE.test(words) && !forEver) return undefined;
  const clauses = [words, ...words.split(CLAUSES).slice(1)].map((clause) => clause.replace(LEAD_IN, ''));
  for (const [kind, cues] of kinds) if (cues.some((cue) => cue.test(words))) return kind;
  return clauses.some((clause) => ORDER.test(clause)) ? 'rule' : undefined;
}
