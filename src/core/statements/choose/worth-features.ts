import { decides } from '../../text/decides.ts';
import { contentWords, identifiers, shared } from '../../text/plain-text.ts';
import { straight } from '../../text/straight.ts';
import type { Candidate } from '../candidate.ts';

/** Asks for help or for an opinion: what follows is the agent's idea. */
const HELP =
  /\b(?:i(?:'d| would) like your help|(?:i )?need (?:your |some )?help|help me|let me know|what do you think|tell me (?:more|about)|please advise|any (?:ideas?|thoughts|suggestions)|feel free|i'?m (?:not sure|unsure|unclear|curious|wondering|looking for|trying to)|i (?:can'?t|don'?t) (?:remember|know|understand)|walk me through|please ask|propose|suggest\w*|recommend\w*|explain|analy[sz]e|brainstorm|think (?:hard|through|about))\b/i;
/** Its subject was named in a sentence that is not here. */
const POINTS_BACK =
  /^[^\p{L}\p{N}]*(?:(?:this|that|these|those)(?! (?:is|was|means)? ?(?:project|repo\w*|codebase|app|application|package|workspace|machine|team|company)\b)|it|they|he|she)(?:'s|'re|'ll)?\s/iu;
/** Relevant only now. */
const AT_HAND =
  /\b(?:commit message|(?:this|that|these|the (?:last|latest|new|previous|above|below)) (?:commit|branch|message|prompt|conversation|session|thread|chat|screenshot|image|error|changes?|answer|response|output|step|phase|task|tests?)|(?:attached|screenshot|see (?:the )?(?:image|below|above|attached)|below (?:is|are)|here(?:'s| is| are) (?:the|an?|my|what))|\[image|as follows|the following)\b/i;
const BOUND =
  /\b(?:should(?:n't)?|must(?:n't)?|never|always|only|instead|rather than|because|so that|don'?t (?:want|need|use|have)|no longer|not needed|by default|every|prefer|want (?:to|it|the|all|a)|needs? to)\b/i;
/** A step of a plan, worded as an order to oneself. */
const PLANNED =
  /^[^\p{L}\p{N}]*(?:add|analy[sz]e|check|commit|complete|configure|create|define|document|ensure|evaluate|examine|fix|identify|implement|include|integrate|investigate|move|provide|refactor|remove|replace|require|review|run|set up|simplify|test|update|use|verify|write)\b/iu;
const CLAIMS =
  /\b(?:i'?ve (?:successfully |now |also )*\w+|successfully|comprehensive\w*|perfect\w*|excellent|exactly what you)\b/i;
/** Nobody speaks: a finding of a review or a page, sent on. */
const VOICE =
  /\b(?:i|we|you|my|our|your|us|me|let'?s|please|can|could|should|don'?t|want|i'?m|i'?d|it'?s|ok|yes|no)\b/i;
const FEW_WORDS = 100;
/** The first line of a commit or a note. */
const SUBJECT = 80;
const DONE_BY_USER =
  /^[^\p{L}\p{N}]*(?:i|we)(?:'ve| have)? (?:just |already |also |went ahead and )*(?:moved|made|created|updated|added|ran|changed|tried|pushed|committed|deleted|reran|fixed|installed|introduced|switched|renamed|did)\b/iu;

/** The work's papers and rules of procedure, which say little of what is built. */
const PAPERS =
  /\b(?:docs?|documentation|documents?|plans?|readme|changelog|playbook|roadmap|notes?|overview|summary|report|proposal|[\w-]+\.mdc?|(?:cursor|agent) rules?|prd|commit message|deliverables?|process|workflow)\b/gi;
const CHECKED = /\b(?:tests?|testing|spec|coverage|e2e|lint|ci|passing|failing)\b/i;
const CODED = /`[^`]+`|\b\w+[A-Z]\w+\b|\w+_\w+|--\w+|\/\w+|\.\w{2,4}\b/;
/** The agent's next step, or its first thought. */
const HEDGES =
  /^\W*(?:so maybe|maybe|let me|let's|we could|it could|this (?:would|should|will)|these|i misunderstood|based on|here|to (?:configure|debug|match|make|move|summari[sz]e))\b/i;
const LISTED_UNDER =
  /\b(?:next steps?|key changes|changes made|what (?:we|i) (?:fixed|changed)|benefits?|summary|phase)\b/i;

/** How far the work is, in the words of a note. */
const COURSE =
  /^[^\p{L}]*(?:fixed|done|reconsidered)\b|\b(?:merged (?:to|into|pr)|completed (?:by|in)|saved\b|ready for review|checks are|left to|[0-9a-f]{12,40}\b)/iu;
const WHOLE_NOTE = 150;

/** Only a title: a note of several whole sentences says its point without one. */
function isBare(text: string): boolean {
  if (text.includes(' — ')) return false;
  const sentences = text.match(/[.!?](?=\s|$)/g)?.length ?? 0;
  return text.length < WHOLE_NOTE || sentences < 2 || /…$/.test(text) || COURSE.test(straight(text));
}

/** What speaks for and against keeping a statement weeks later, whatever its project. */
export function worthFeatures(candidate: Candidate): string[] {
  const { foundBy, words, reference, outcome } = candidate;
  const found: string[] = [];
  const when = (holds: boolean, name: string) => {
    if (holds) found.push(`w:${name}`);
  };
  if (foundBy === 'commit' || foundBy === 'note' || foundBy === 'plan') {
    when(foundBy === 'note' ? isBare(words.text) : !words.text.includes(' — '), 'bare');
    when(papersIn(words.text.slice(0, SUBJECT)) > 0, 'piecePapers');
  }
  if (foundBy !== 'words' && foundBy !== 'refusal' && foundBy !== 'pick') return found;
  const text = straight(words.text);
  const content = contentWords(text);
  when(POINTS_BACK.test(text), 'pointsBack');
  when(HELP.test(text), 'help');
  when(AT_HAND.test(text), 'atHand');
  when(BOUND.test(text), 'bound');
  when((text.match(new RegExp(BOUND, 'gi'))?.length ?? 0) >= 2, 'bound2');
  when(DONE_BY_USER.test(text), 'doneByUser');
  when(identifiers(words.text).size > 0, 'names');
  when(content.size < 8, 'few');
  when(content.size > 25, 'many');
  when(/\?["')\]\s]*$/.test(text), 'asks');
  when(!/[.!?]["')\]]*$/.test(text) && content.size > 14, 'noEnd');
  when(!outcome && !reference, 'alone');
  when(text.length > FEW_WORDS && !VOICE.test(text), 'voiceless');
  when(papersIn(text) > 0, 'papers');
  when(papersIn(text) > 1, 'papers2');
  when(text.includes('?'), 'question');
  when(isListed(words), 'listed');
  readerFeatures(candidate, when);
  if (!outcome) return found;
  const about = shared(content, contentWords(outcome.text));
  when(about === 0, 'about0');
  when(about >= 3, 'about3');
  when(PLANNED.test(outcome.text), 'planned');
  when(CLAIMS.test(outcome.text), 'claims');
  const result = straight(outcome.text);
  when(papersIn(result) > 0, 'outcomePapers');
  when(CHECKED.test(result), 'outcomeChecks');
  when(CODED.test(outcome.text), 'outcomeCode');
  when(HEDGES.test(result), 'outcomeHedges');
  when(LISTED_UNDER.test(result), 'outcomeListed');
  when(/\b(?:will|would|should|can|could)\b/i.test(result), 'outcomeModal');
  when(identifiers(outcome.text).size > 0, 'outcomeNames');
  when(/[:,]$|^\W*(?:however|so|but|then|this|that|they|it)\b/i.test(outcome.text), 'outcomeHalf');
  return found;
}

const POINTS =
  /\b(?:this|that(?! (?:the|we|it|you|i|there|is|are|can|will|would|should))|it|its|it's|these|those|they|them|here|the (?:other|same|last|first|second) \w+|both|the others?|the one)\b/i;
/** Thinks aloud. */
const UNSURE =
  /\b(?:i (?:think|guess|assume|wonder)|maybe|probably|wondering|idk|not sure|as far as i know|or\?)\b/i;
const TESTS = /\b(?:tests?|e2e|coverage)\b/i;
const REVIEWED =
  /\b(?:lines? \d+|\w+\.\w{2,4}:\d+|severity|consider \w+ing|e\.g\.|this (?:test|function|code|pr)|would (?:prevent|make))\b/i;
const FAULTY = /\b(?:still|again|error|fails?|failing|broken|not (?:work|show|see)|doesn't|didn't|had an)\b/i;
const STATUS =
  /\b(?:fixed|resolved|successfully|should (?:now|be)|all (?:tests|fixes)|ready|deployed|committed|pushed)\b/i;
const NOW = /\b(?:now|no longer|instead of)\b/i;
const OWN_VOICE = /\b(?:i|we|you|my|our|your|us|me|let's|lets|please|i'm|i'd)\b/i;
/** Meant to last, and not only for the current task. */
const FOR_GOOD =
  /\b(?:always|never|from now on|going forward|in (?:the )?future|every ?time|each time|whenever|please (?:don't|do not)|no need to)\b/i;
/** Points at one of several that are not here. */
const ONE_OF =
  /\b(?:the ones? (?:here|there|above|below)|the (?:two |three )?other (?:things?|ones?|two|three)|the others|the last (?:one|case)|the first one)\b/i;
/** Adds to what was said just before. */
const GOES_ON = /\b(?:as well|too|either)[\s.!]*$/i;
/** Wants something, or asks someone to do it. */
const WANTED =
  /\b(?:should|must|never|always|don't|do not|needs?|want|prefer)\b|^[^\p{L}\p{N}]*(?:\[[^\]]*\]\s*)?(?:use|keep|make|remove|rename|move|drop|skip|create|add|put|show|hide|allow|ignore|replace|change|switch|store|call|return|write|set|split|merge|support|render|display|limit|avoid|start|stop|leave|delete|disable|enable|update|group|refresh|only|no)\b/iu;
/** Asks for an opinion or a way in the middle of other words. */
const SEEKS =
  /\b(?:do you think|what(?:'s| is) the best|what would|what else|what other|should we (?:stay|start|keep going|continue)|are (?:we|you) able|is (?:it|there|that) (?:possible|anything|a way)|are there any|can it be|would it need|please confirm|let me know)\b/i;
/** Has the work's papers written, or takes the work itself up. */
const PAPERWORK =
  /^[^\p{L}]*(?:(?:ok(?:ay)?|great|now|next|please|also|thank you|thanks|perfect|awesome)[\s,.!]+)*(?:(?:can|could) (?:you|we) (?:please )?|i(?:'d| would) like (?:you )?to |i wa+nt to |let'?s )?(?:(?:create|write|draft|update|prepare|generate|append|fill|save)\b[^.?]{0,60}\b(?:overview|documents?|docs|documentation|plans?|plan files?|[\w-]*\.mdc?|checklist|summary|report|tasks?)\b|(?:take|zoom|systemi[sz]e|work (?:through|on)|go through|add (?:them|these|those)|merge|bump|add a new feature|test|continue)\b)|^[^\p{L}]*i approve\b/iu;
const SHORT = 50;
const FINDING = 100;

/** What strict readers go by: is it said for good, by the user, in words that are understood alone? */
function readerFeatures(
  { words, reference, outcome }: Candidate,
  when: (holds: boolean, name: string) => void,
): void {
  const text = straight(words.text);
  const names = identifiers(words.text).size;
  const result = straight(outcome?.text ?? '');
  const own = identifiers(result).size;
  when(decides(text, reference?.text ?? ''), 'decides');
  when(POINTS.test(text) && names === 0, 'points');
  when(POINTS.test(text) && names === 0 && own === 0, 'pointsAtAll');
  when(names === 0, 'noNames');
  when(names >= 2, 'names2');
  when(own >= 3, 'outcomeNames3');
  when(text.length < SHORT, 'short');
  when(/\?(?!["')\]\s]*$)/.test(text), 'asksFirst');
  when(UNSURE.test(text), 'unsure');
  when(TESTS.test(text), 'tests');
  when(REVIEWED.test(text), 'reviewed');
  when(FAULTY.test(text), 'faulty');
  when(!OWN_VOICE.test(text), 'noVoice');
  when(ONE_OF.test(text), 'oneOf');
  when(GOES_ON.test(text) && !outcome, 'goesOn');
  when(SEEKS.test(text), 'seeks');
  when(PAPERWORK.test(text) && !FOR_GOOD.test(text), 'paperwork');
  when(FOR_GOOD.test(text), 'forGood');
  when(text.length > FINDING && !OWN_VOICE.test(text) && !WANTED.test(text), 'finding');
  when(NOW.test(result), 'outcomeNow');
  when(STATUS.test(result), 'outcomeStatus');
  const about = shared(contentWords(text), contentWords(result));
  when(about >= 2, 'about2');
  when(about >= 4, 'about4');
}

function papersIn(text: string): number {
  return text.match(PAPERS)?.length ?? 0;
}

/** Lines without an end: titles or points of someone's list, run together. */
function isListed({ quotes }: Candidate['words']): boolean {
  const open = quotes.filter(({ text }) => !/[.!?:,;)"'`…]$/.test(text.trim()));
  return quotes.length >= 3 && open.length >= 0.6 * quotes.length;
}
