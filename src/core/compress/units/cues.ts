import { straight } from '../../text/straight.ts';
import type { UnitCue } from './unit.ts';

/** "Let me look", "Good.": what follows shows it. */
const NARRATES =
  /^(?:(?:okay|ok|now|next|good|great|perfect|excellent|first|and|so|then|also|finally|alright|sure|yes|done|hmm)[,.!:—-]*\s+)*(?:let me|let's|let us|i'll|i will|i'm going to|i need to|i want to|i should|now i|i can see|looking at|checking|running|reading)\b|^(?:good|great|perfect|excellent|interesting|nice|done|sure|got it|understood|absolutely|certainly)\b[^.:]{0,30}[.!]*$|^\W*(?:tools? (?:use|call|result)|(?:read|searched|edited|created|updated) files?|todo list)\b\s*:/i;
/** "I'm checking the logs": what it does just now. */
const AT_WORK =
  /^(?:(?:okay|ok|now|next|good|great|first|and|so|then|also|finally|alright|meanwhile)[,.!:—-]*\s+)*(?:i'm|i am|we're) (?:(?:now|just|also|still|only|quickly|currently) )?(?!(?:leaning|seeing|getting|assuming|treating|keeping|leaving|thinking|proposing|suggesting|recommending|choosing|missing|being|something|nothing)\b)[a-z]+ing\b/i;
/** A reason makes more of it than a report. */
const REASONS = /\b(?:because|since|so that|instead|rather than|due to|otherwise)\b/i;
/** A line for the client. */
const DIRECTIVE = /^\s*::[a-z][\w-]*\{.*\}\s*$/i;
const FINDING =
  /\b(?:because|since|root cause|the (?:issue|problem|bug|fix|reason|cause)|instead|decided|should|must|never|always|don't|turns out|works|fails|failed|fixed|added|removed|changed|renamed|implemented|created|updated|pending|remaining|todo|next step|now (?:uses|shows|returns|supports)|replaced|moved|merged|refactored)\b/i;
const SUPPOSES =
  /\b(?:found (?:it|the (?:issue|bug|problem|cause|root cause))|the (?:actual |real )?(?:issue|problem|bug|root cause|cause|culprit|reason) (?:is|was|must|might|may|could|seems|appears|lies)|i see (?:the|an?) (?:issue|problem|bug)|this (?:means|explains|suggests|is why|is because)|that's (?:why|because)|i suspect|i think|i believe|i found an? (?:issue|bug)|looks? (?:like|unrelated|correct)|seems? (?:to|like)|appears? to|maybe|perhaps|might|may be|could be|must be|likely|probably|possibly|presumably|should be (?:fine|enough)|that's expected|is expected|hypothesis)\b/i;
const TURNS =
  /^\W*(?:wait|hmm|actually|no[,.]|oh|ah|still (?:fail|not|broken|the same)|interesting|that's not|this is not|not quite|i was wrong|my mistake|i misread|i misunderstood|on second thought|looking (?:more|again)|but wait|so the (?:real|actual)|the (?:real|actual) |found (?:it|the)|now i (?:see|understand)|i think i understand|let me revert|there it is|aha|unfortunately)/i;
const FAILED =
  /\bstill (?:fail|not|broken|see|the same)|\b(?:didn't|doesn't|did not|does not) (?:work|help|fix)|\bfails? again|\brevert/i;
const CONCEDES =
  /^\W*(?:ah|oh|yes|hm+|okay|ok|got it|i see)?[,.! —-]*(?:you're|you are) (?:absolutely |largely |quite |totally |completely |so )?(?:right|correct)\b|^\W*(?:good (?:catch|point|question[,—-]+ (?:no|you))|great (?:catch|point)|my (?:mistake|bad|apologies)|i was wrong|i apologi[sz]e|sorry|that's a (?:fair|good|valid|great) (?:point|catch)|fair (?:point|enough)|i had it backwards|i misunderstood|i stand corrected|that makes (?:more )?sense)/i;
const WEAKLY = /^\W*(?:(?:good|great) (?:catch|point)|that makes|fair|sorry|that's a)/i;
const OBJECTS =
  /^\W*(?:ok(?:ay)?|yes|yeah|well|hm+|um+|and|so)?[,.! —-]*(?:no\b|nope|nah|wait|but\b|actually|hmm|that(?:'s| is) (?:not|wrong)|this (?:is (?:not|wrong)|doesn't|does not|did not)|it (?:doesn't|does not|didn't|should not|shouldn't|still)|i don't|i do not|don't|do not|why (?:did|do|are|is|not|would|don't|can't)|isn't|aren't|shouldn't|wouldn't|couldn't|can't we|can we not|i mean|not (?:true|right|correct|really|fully)|wrong|revert|undo|still\b|didn't|doesn't|are you sure|really\b|i thought|i'd (?:rather|prefer)|i would (?:rather|prefer|replace)|rather|let's not|instead|never ?mind|forget|stop\b|there(?:'s| is) (?:an? )?(?:error|issue|problem|bug))|\b(?:instead of|rather than|not fully true|this is wrong|that's wrong|should not|shouldn't be|is failing|doesn't work|didn't work|i'd rather|the issue (?:is|with) (?:that|this|now)|are you sure|we (?:don't|can't|shouldn't)|(?:only|doesn't) works? if)\b/i;
const STILL_FAILS =
  /\bstill (?:not|no|fail\w*|broken|see(?:ing)?|get(?:ting)?|have|having|the same|an? |doesn't|does not|isn't|is not|can't|shows?|says|hangs?|crash\w*)\b|\b(?:does(?:n't| not)|did(?:n't| not)|is(?:n't| not)) (?:work|help|fix|working|fixed|change anything)\b|\bnot working\b|\bsame (?:error|issue|problem|result|thing)\b|\bno (?:change|difference|luck)\b|\bnothing (?:happens|happened|changed)\b/i;
const OFFERS =
  /^\W*(?:option|approach|alternative|choice|plan)\b\W*[0-9A-E]\b|^\**[A-E][.):]\s|\b(?:i'd|i would) (?:lean|suggest|recommend|propose|go)|\bi'm leaning|\bwould you (?:like|prefer)|\bshould (?:i|we)\b|\bdo you want|\bwant me to|\bwhat do you think|\bwe could|\bcould (?:also )?(?:be|use|add|have)|\balternatively\b|\bone option\b/i;
const DONE =
  /^\W*(?:all )?(?:done|fixed|added|removed|changed|renamed|implemented|created|updated|committed|pushed|merged|moved|replaced|refactored|summary|all (?:tests|changes)|tests? pass|the (?:fix|change|solution))\b|\bnow (?:uses|shows|returns|supports|works|handles|only)\b/i;
const AGREES =
  /^\W*(?:yes|yep|yeah|sure|ok(?:ay)?|perfect|great|good|nice|sounds? good|go ahead|do it|please do|lgtm|agreed?|exactly|correct|makes sense|i agree|love it|let's do|proceed|continue|commit|push|ship)\b/i;
/** Logs, JSON, consoles, traces. */
const MACHINE =
  /^\s*(?:[{[<]["{\w]|[❯⏺⎿│├└╭╰✻>$%+@]|at \S+\(|Traceback|\w{3} +\d+ \d\d:\d\d|\S*\d\d:\d\d:\d\d|---|===|(?:\w+ )?(?:Error|Exception|panic|FAIL|PASS|ok)\b[:\s]|\S+\.\w+:\d+)|"\s*:\s*["{[\d]|(?:\b[\w.]+=\S+\s+){2}|\|\s*(?:DEBU|INFO|WARN|ERRO)/;
const IMAGES = /^\s*\[(?:image|\d+ images)\]\s*$/;
const LEADS = /:[*_`\s]*$/;
const LONGEST_LEAD = 120;
const LONG = 120;
const LEAST_LETTERS = 0.78;

/** What a sentence of the agent has in it; `opens`: it is the first of its message. */
export function agentCues(sentence: string, opens: boolean): Set<UnitCue> {
  const text = straight(sentence);
  const cues = new Set<UnitCue>();
  if (DIRECTIVE.test(text)) return new Set(['directive']);
  if (NARRATES.test(text) || (AT_WORK.test(text) && !REASONS.test(text))) cues.add('narrates');
  if (SUPPOSES.test(text)) cues.add('supposes');
  if (OFFERS.test(text) || endsAsking(text)) cues.add('offers');
  if (DONE.test(text)) cues.add('done');
  if (FAILED.test(text)) cues.add('failed');
  if (FINDING.test(text)) cues.add('finding');
  if (LEADS.test(text) && text.length <= LONGEST_LEAD) cues.add('leads');
  if (opens && TURNS.test(text)) cues.add('turns');
  if (opens && CONCEDES.test(text)) {
    cues.add('concedes');
    if (WEAKLY.test(text)) cues.add('concedes-weakly');
  }
  return cues;
}

/** What a sentence of the user has in it. */
export function userCues(sentence: string): Set<UnitCue> {
  const cues = new Set<UnitCue>();
  if (FINDING.test(straight(sentence))) cues.add('finding');
  if (isMachineText(sentence)) cues.add('pasted');
  return cues;
}

/** Stands for pictures, whatever they show. */
export function isImages(text: string): boolean {
  return IMAGES.test(text);
}

export function endsAsking(text: string): boolean {
  return /[?？]["')\]*_`]*$/.test(text);
}

export function objects(text: string): boolean {
  return OBJECTS.test(straight(text));
}

/** The user says that what was done did not help. */
export function stillFails(text: string): boolean {
  return STILL_FAILS.test(straight(text));
}

export function agrees(text: string): boolean {
  return AGREES.test(straight(text));
}

/** Whether a program wrote it, and a person only pasted it. */
function isMachineText(text: string): boolean {
  if (MACHINE.test(text)) return true;
  if (text.length <= LONG) return false;
  const letters = text.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  return letters < LEAST_LETTERS * text.length;
}
