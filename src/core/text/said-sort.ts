import { LASTING } from './lasting.ts';
import { contentWords, identifiers } from './plain-text.ts';
import { straight } from './straight.ts';

/**
 * The kind of a user's words, as a reader sees it weeks later: a decision, a feature request, a description, a question, an
 * order of the day, a report of a failure, or too little to be understood alone.
 */
export type SaidSort =
  | 'decides'
  | 'builds'
  | 'informs'
  | 'asks'
  | 'orders'
  | 'reports'
  | 'dangles'
  | 'pasted';

const OPENING =
  /^[^\p{L}\p{N}]*(?:(?:ok(?:ay)?|yes|yeah|yep|sure|great|perfect|excellent|awesome|cool|nice|thanks|thank you|good|now|next|then|and|also|so|well|alright|right|actually|hey|hi|looks good|sounds good|this (?:now )?(?:works|looks good|looks great)|after (?:that|this)|before (?:(?:we|you|i) (?:begin|start|continue|move on|do that|go on)|starting|beginning|continuing|doing (?:that|this|anything|so))|if so|with(?:out)? (?:making|changing|doing|writing|the (?:perspective|persepctive|eyes|mindset) of)[^,.]{0,60},|if you (?:did not|didn't|have not|haven't)[^,.]{0,40},|as an? [^,.]{0,40},|from (?:that|this|the) [^,.]{0,40}(?:perspective|point of view),)\b[\s,.!:;–—-]*)+|^(?:\[image[^\]]*\]|'[^'\n]*'|@\S+|\s)+/iu;
const ASKED_TO =
  /^(?:(?:please|pls|plz|kindly|just|maybe|also|now|then|actually|really|first)\s+|(?:can|could|would|will) (?:you|we) (?:please |also |just |maybe |now |then |quickly )*|(?:i need you to|i(?:'d| would) like you to|i want you to|i(?:'d| would) like your help|i need (?:some )?help|help me(?: to)?|go ahead and|let'?s|lets|let us|we should|we need to|you should|you can|feel free to|try to|make sure (?:to|you)|be sure to|start by|proceed to|continue to|continue(?: with)?|don'?t forget to)\s+)+/iu;
const WORK =
  /^(?:add|address|analy[sz]e|answer|append|apply|archive|ask|assume|begin|break (?:down|this|these)|build|bump|cancel|catch|change the|check|clean|clone|close|combine|commit|compare|compile|complete|confirm|connect|consolidate|continue|convert|copy|correct the|create|debug|delete|deploy|describe|do|document|double[- ]check|download|draft|dump|execute|explain|explore|export|extract|figure|find|finish|fix|force|format|generate|get|give|go (?:on|through|over|back)|have|help|identify|implement|import|improve|inspect|install|integrate|investigate|keep going|list|load|look|make|merge|mention|modify|move|note|open|output|paste|plan|polish|pretend|prepare|print|proceed|propose|publish|pull|push|put|read|rebase|rebuild|record|recreate|redeploy|refactor|refresh|regenerate|release|remind|rename|reopen|reply|report|rerun|re-run|research|resolve|respond|restart|restore|resume|retry|revert|review|rewrite|run|save|say|scan|search|see|send|set up|setup|ship|show|sort|spawn|split|squash|start|stop|study|submit|summari[sz]e|suppose|switch|sync|talk|tell|test|think|trim|try|turn|tweak|uncommit|undo|update|upgrade|use|validate|verify|wait|walk|watch|work|wrap|write)\b/iu;
/** What is ordered is to be in what is built, not only in the day's work. */
const MAKES =
  /^(?:add|allow|build|change|convert|disable|drop|enable|exclude|extend|extract|filter|group|hide|implement|improve|include|integrate|introduce|let|limit|make|modify|move|prefill|refactor|remove|rename|render|replace|scrap|set|show|simplify|skip|sort|split|support|switch|trim|turn|use|wrap|get rid of)\b(?! (?:a |an |the |new |this |that |it |these |all |my |our |your )*(?:branch|worktree|file|folder|director(?:y|ies)|document(?:ation)?|docs?|readme|changelog|overview|plan|pr|pull request|issue|commit|message|summary|report|status|notes?|todo|task|section|section|sure)\b)/iu;
/** Words that choose among ways, give a reason or set a bound. */
const CHOOSES =
  /\b(?:because|since|so that|so (?:we|it|i|they|people|users|others|the)\b|in order to|otherwise|the (?:idea|reason|point|goal|intention|issue|problem) (?:is|was)|instead|rather than|not\b|without|no longer|never|always|only|must|should|shouldn't|prefer\w*|rather|stick (?:to|with)|unless|by default|as long as|even if|either|whenever|every time|each time|any ?time|from now on|going forward|at most|at least|no more than|same as|similar to|consistent|analogous|replaced? (?:by|with)|too (?:much|many|big|long|slow|complex|small|short|strict|loose)|ideally|i (?:want|don'?t want|think|thought|believe|expect|would expect|prefer|agree|meant)|we (?:want|don'?t|should|must|agreed|use|only|never|always|can'?t|need)|it(?:'s| is) (?:fine|ok|okay|important|better|enough|safe)|(?:don'?t|do not|doesn'?t|won'?t|can'?t|cannot|isn'?t|aren'?t|shouldn'?t|needn'?t))\b/iu;
/** The reason is an ask itself: what for, of the same task. */
const GOES_ON =
  /^(?:i (?:want|need|would like|'d like) (?:you )?to (?:see|know|understand|make sure|be (?:sure|certain|clear|thorough)|check|start|commit|push|work|focus|begin|continue|move|get|go|look|talk|discuss|plan|learn)|let'?s (?:start|begin|continue|proceed|move|work|get|do|go|see|try|focus|look|talk|keep (?:working|going)|fix|test|debug|think|take|check|plan)\b)/iu;
const SEEKS =
  /^(?:(?:so|and|but|wait|hmm+|ok(?:ay)?|also|then|now|quick question|question)[\s,:.-]+)*(?:how (?:do|can|would|should|does|did|is|are|to|come|much|many|long|big|about)|what (?:is|are|was|were|does|do|did|happens|happened|would|should|types?|kinds?|else|about|next)|what'?s|which|where|when|who|whose|is there|are there|are we|are you|do (?:i|we|you|they|these)|does|did|is (?:it|this|that|the)|was|were|has|have (?:we|you)|can i|could i|should i|shall|may i|tell me|explain|remind me|why|any (?:more|other|additional|idea|thoughts?))\b/iu;
const BROKEN =
  /\b(?:for some reason|stil+ (?:not|fail|see|get|show|have|the|ng|broken|there)\w*|is (?:still )?(?:failing|broken|not working|wrong|missing|gone|stuck|down)|(?:does|do|did|is|are|was|were)n'?t (?:work|show|appear|load|run|there|trigger|get|update|render|start|compile|pass)\w*|not working|(?:i'?m|i am|we'?re|we are) not (?:seeing|getting|able)|i (?:don'?t|do not) (?:quite |really )?(?:like|see|get)\b|(?:i|we|it)(?:'m| am| is|'s)? (?:getting|seeing|get|gets|see) (?:an?|this|these|the|some|many)\b|(?:fails?|failed|failing|crash\w*|hangs?|broke|error(?:s|ed)?)\b|same (?:error|issue|problem)|seems? (?:like )?(?:we|it|the|that) (?:lost|is|are|does)|looks like (?:we|it|the|you) (?:are|is|'re|lost|don'?t|didn'?t|only))\b/iu;
/** What follows is the agent's idea. */
const HELPED =
  /^(?:i(?:'d| would) (?:like|love) (?:your help|to (?:know|understand|hear|see|get|learn))|(?:i )?need (?:your |some )?help|let me know|feel free|i(?:'m| am) (?:trying|looking|hoping|getting)|i (?:can'?t|cannot|don'?t) (?:remember|know|understand|recall)|any (?:ideas?|thoughts|suggestions)|if (?:anything|there|something|this) )/iu;
const ASIDE = /^(?:what|where|how) (?:i'd like|i want)[^,]{0,40}(?:is|now is) /iu;
const OUTPUT =
  /\(use "git |\bOn branch \S+|\bnot staged for commit|Untracked files:|\bmodified:\s|FETCH_HEAD|\bHEAD is now at\b|\bexit (?:code|status) \d|\b(?:PASS|FAIL|ERROR|WARN|INFO)\b[\s:|[].*\b(?:PASS|FAIL|ERROR|WARN|INFO|Total|\d+)\b|\bat \S+\.\w+:\d+|\b\d{1,2}:\d\d:\d\d\b.*\b\d{1,2}:\d\d:\d\d\b|(?:^|\s)(?:M|A|D|\?\?) [\w./-]+\.\w+ (?:M|A|D|\?\?) |\\(?:mathrm|operatorname|begin|frac|text)\b|\bgit:\(\S+\)|➜|@workspace\b|(?:^|\s)(?:await|const|let|var|import|func|def) \w+[\w.]*(?:\(| = | \{)|\$ (?:git|npm|go|cd|ls)\b/;
const FEWEST_WORDS = 4;

/** The work's papers, and what the agent is only to find out or to say: of the day, whatever bounds it has. */
const PAPERWORK =
  /^(?:(?:create|write|draft|generate|prepare|update|make|give|produce|save|add|fill|complete|read|note|mark|list|outline|provide|commit|stage|open|start|break)\b[^.,;]{0,60}\b(?:plans?|plan[- ]files?|overview|report|summary|documents?|docs?|documentation|readme|changelog|status|notes|proposal|roadmap|tasks?(?:\.md)?|to-?dos?|checklist|prd|specs?|commit message|branch|prs?|pull request|issues?|tickets?|analysis|recommendations?|[\w-]+\.md|diagram|commit)\b|(?:analy[sz]e|review|report|validate|verify|investigate|research|explain|confirm|double[- ]check|figure out|find out|propose|compare|explore|brainstorm|summari[sz]e|evaluate|assess|audit|test|debug|try|check|tell me|show me|help me|walk me)\b)/iu;
/** In an order, only these say more than what to do now. */
const BOUNDS =
  /\b(?:because|instead|rather than|no longer|never|always|only|must|without(?! breaking| changing| touching)|unless|by default|don'?t|do not|shouldn'?t|should|prefer\w*|whenever|(?:every|each|any) ?time|from now on|going forward|(?:i|we) (?:don'?t )?want (?!to\b)|needs? to be)\b/iu;
/** Weighs ways without taking one. */
const WEIGHS =
  /\b(?:possibly|maybe|perhaps|i'?d lean|i could imagine|not sure (?:if|whether|how|what)|i(?:'m| am) (?:not sure|unsure|unclear|wondering|curious)|or\W+maybe|what if|i wonder)\b/iu;
/** Says that everything is fine so far. */
const PRAISES =
  /\b(?:works (?:great|fine|well|now|properly|perfectly)|(?:is|are|'s) (?:now )?(?:running|working|done|fixed|good|great|perfect)\b|seems to work|looks (?:good|great|right|correct)|has (?:now )?started|now works|well done|good job)\b/iu;
/** A question that is a wish: "can't we keep them?" */
const WISHES =
  /\b(?:(?:can|could|shall) (?:we|it|they|you)|(?:can'?t|couldn'?t|shouldn'?t|won'?t|don'?t|isn'?t|doesn'?t|aren'?t) (?:we|it|that|this|they|the)|what if|how about|why not|instead|rather|only)\b/iu;
const INQUIRES =
  /\b(?:should (?:i|we)|do (?:we|i) need|do you (?:think|believe|know|have|see)|are you sure|what|how|which|when|where|who|is (?:it|this|that|there)|are (?:there|these|we)|any )\b/iu;
const GOING_ON =
  /\b(?:git (?:pull|push|fetch|commit|merge|rebase)|fast-forward|update the (?:comment|docs?|readme|changelog)|redeploy|proceed|continue|go on|move on|next (?:step|phase|task)|commit(?: message| these| this| the)?|push (?:it|this|the)|restart|test (?:it|this)|try (?:it|again|this)|start (?:the )?(?:implement\w*|with)|ready to|let me know|share (?:the|what)|run (?:it|the|this)|show you|set (?:it|this|these) up for you|does (?:this|that) (?:look|sound|plan))\b/iu;
/** A question in brackets is part of its sentence. */
const SENTENCE = /(?<=[!?]|(?<!\.\.)\.)["'\]]*\s+|\s\/\s/;
/** Guesses what is wrong. */
const SUPPOSES =
  /\b(?:i (?:think|guess|believe|suspect|assume|wonder if)|maybe|probably|it (?:seems|looks)(?: like)?|looks like|seems like)\b.{0,30}\b(?:the |an? |this )?(?:real |actual |main |root )?(?:issue|problem|cause|error|bug|reason|culprit)\b/iu;
/** Bounds what the agent does in its next turn, and nothing after it. */
const THIS_TURN =
  /\b(?:do not|don'?t|no need to|without) (?:write|writing|run|running|do|doing|use|using|make|making)\b.{0,30}\b(?:code|work|commands?|documentation|anything|sub-?agents?|changes|actions?)\b|\bdon'?t worry about\b|\b(?:do not|don'?t) (?:take|make|do|write|start|implement|change|edit|touch|code|proceed|begin|modify)\b(?: with)?(?: any| anything| the)?(?: more| further| other)?(?: actions?| changes?| code| edits?| coding| work| implementation)?(?: \w+)?(?: yet| until| beyond| before| for now| right now|$|[.!])|\b(?:report back|and report|i have (?:an?|some|two|three|several)(?: few| couple)?(?: of)?(?: \w+)? questions?|ask me (?:any )?questions?|i(?:'ll| will) (?:paste|approve|share|send|attach|test|let you know)|i(?:'m| am) attaching|attached (?:is|are)|where we left off|right now|today)\b/iu;
/** Wants to hear what speaks for a way before taking it. */
const OPINION =
  /\b(?:why or why not|pros and cons|what do you think|what'?s your (?:opinion|take)|does (?:that|this) make sense)\b/iu;
/** Asks the agent for something, whatever verb comes then. */
const PLEADS =
  /^(?:please|pls|plz|kindly|(?:can|could|would|will) you|i need you to|i(?:'d| would) like you to|i want you to|go ahead and|let'?s|lets|let us|i(?:'d| would) like to|help me|proceed|continue)\b/iu;
const FOR_GOOD =
  /\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|whenever)\b/iu;
/** Of the words of a message, the least share that decides something. */
const LEAST_SHARE = 0.3;

/** An agreement or a choice is a decision, unless it only says how to continue. */
export function pickedSort(reference: string): SaidSort {
  return GOING_ON.test(straight(reference)) ? 'orders' : 'decides';
}

export function saidSort(words: string): SaidSort {
  const text = straight(words);
  if (OUTPUT.test(words)) return 'pasted';
  const content = contentWords(text);
  if (content.size < FEWEST_WORDS && identifiers(words).size === 0 && !LASTING.test(text)) return 'dangles';
  const sentences = text.split(SENTENCE);
  const weighs = OPINION.test(text);
  const sorts = sentences.map((sentence) => {
    const sort = sentenceSort(sentence);
    return weighs && sort === 'decides' && /\?["')\]\s]*$/.test(sentence) ? 'asks' : sort;
  });
  if (isMostlyOrders(sentences, sorts)) return 'orders';
  for (const sort of ['decides', 'builds', 'reports', 'informs', 'asks', 'orders'] as const)
    if (sorts.includes(sort)) return sort;
  return 'orders';
}

/** One bound in passing does not make a decision of a task. */
function isMostlyOrders(sentences: string[], sorts: SaidSort[]): boolean {
  if (sentences.some((sentence) => FOR_GOOD.test(sentence)) || !sorts.includes('orders')) return false;
  let [ordered, asked, rest] = [0, 0, 0];
  sentences.forEach(({ length }, at) => {
    if (sorts[at] === 'orders') ordered += length;
    else if (sorts[at] === 'asks') asked += length;
    else rest += length;
  });
  return ordered >= asked && rest < LEAST_SHARE * (ordered + asked + rest);
}

function sentenceSort(sentence: string): SaidSort {
  const plain = sentence.replace(OPENING, '');
  const asked = plain.replace(ASKED_TO, '');
  const asks = /\?["')\]\s]*$/.test(sentence);
  if (contentWords(plain).size < 2) return 'orders';
  if (SEEKS.test(plain) || HELPED.test(plain.replace(ASIDE, ''))) return 'asks';
  if (WEIGHS.test(plain)) return 'asks';
  if (THIS_TURN.test(plain) && !FOR_GOOD.test(plain)) return 'orders';
  if (SUPPOSES.test(plain)) return 'reports';
  if (LASTING.test(plain) && !asks && !BROKEN.test(plain)) return 'decides';
  if (MAKES.test(asked)) return BOUNDS.test(asked) ? 'decides' : 'builds';
  if (PAPERWORK.test(asked) && !FOR_GOOD.test(plain)) return 'orders';
  if (WORK.test(asked)) return BOUNDS.test(asked) ? 'decides' : 'orders';
  if (GOES_ON.test(plain)) return BOUNDS.test(asked) ? 'decides' : 'orders';
  if (PLEADS.test(plain) && !BOUNDS.test(asked)) return 'builds';
  if (BROKEN.test(plain)) return 'reports';
  if (asks) return WISHES.test(plain) && !INQUIRES.test(plain) ? 'decides' : 'asks';
  if (CHOOSES.test(plain)) return 'decides';
  return PRAISES.test(plain) ? 'orders' : 'informs';
}
