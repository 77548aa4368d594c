import { contentWords, shared } from '../text/plain-text.ts';
import { straight } from '../text/straight.ts';
import type { Candidate } from './candidate.ts';

/** Asks for help or for an opinion: what follows is the agent's idea. */
const HELP =
  /\b(?:i(?:'d| would) like your help|(?:i )?need (?:your |some )?help|help me|let me know|what do you think|tell me (?:more|about)|please advise|any (?:ideas?|thoughts|suggestions)|feel free|i'?m (?:not sure|unsure|unclear|curious|wondering|looking for|trying to)|i (?:can'?t|don'?t) (?:remember|know|understand)|walk me through|please ask|propose|suggest\w*|recommend\w*|explain|analy[sz]e|brainstorm|think (?:hard|through|about))\b/i;
/** Its subject was named in a sentence that is not here. */
const POINTS_BACK =
  /^[^\p{L}\p{N}]*(?:(?:this|that|these|those)(?! (?:is|was|means)? ?(?:project|repo\w*|codebase|app|application|package|workspace|machine|team|company)\b)|it|they|he|she)(?:'s|'re|'ll)?\s/iu;
/** What is at hand only now. */
const AT_HAND =
  /\b(?:commit message|(?:this|that|these|the (?:last|latest|new|previous|above|below)) (?:commit|branch|message|prompt|conversation|session|thread|chat|screenshot|image|error|changes?|answer|response|output|step|phase|task|tests?)|(?:attached|screenshot|see (?:the )?(?:image|below|above|attached)|below (?:is|are)|here(?:'s| is| are) (?:the|an?|my|what))|\[image|as follows|the following)\b/i;
/** Thinks aloud. */
const UNSURE =
  /\b(?:i (?:think|guess|assume|wonder)|maybe|probably|wondering|idk|not sure|as far as i know|or\?)\b/i;
const REVIEWED =
  /\b(?:lines? \d+|\w+\.\w{2,4}:\d+|severity|consider \w+ing|e\.g\.|this (?:test|function|code|pr)|would (?:prevent|make))\b/i;
const OWN_VOICE = /\b(?:i|we|you|my|our|your|us|me|let's|lets|please|i'm|i'd)\b/i;
/** For all time, and not only for the thing at hand. */
const FOR_GOOD =
  /\b(?:always|never|from now on|going forward|in (?:the )?future|every ?time|each time|whenever|please (?:don't|do not)|no need to)\b/i;
/** Points at one of several that are not here. */
const ONE_OF =
  /\b(?:the ones? (?:here|there|above|below)|the (?:two |three )?other (?:things?|ones?|two|three)|the others|the last (?:one|case)|the first one)\b/i;
/** Wants something, or tells somebody to do it. */
const WANTED =
  /\b(?:should|must|never|always|don't|do not|needs?|want|prefer)\b|^[^\p{L}\p{N}]*(?:\[[^\]]*\]\s*)?(?:use|keep|make|remove|rename|move|drop|skip|create|add|put|show|hide|allow|ignore|replace|change|switch|store|call|return|write|set|split|merge|support|render|display|limit|avoid|start|stop|leave|delete|disable|enable|update|group|refresh|only|no)\b/iu;
/** Asks for an opinion or a way in the middle of other words. */
const SEEKS =
  /\b(?:do you think|what(?:'s| is) the best|what would|what else|what other|should we (?:stay|start|keep going|continue)|are (?:we|you) able|is (?:it|there|that) (?:possible|anything|a way)|are there any|can it be|would it need|please confirm|let me know)\b/i;
/** Has the work's papers written, or takes the work itself up. */
const PAPERWORK =
  /^[^\p{L}]*(?:(?:ok(?:ay)?|great|now|next|please|also|thank you|thanks|perfect|awesome)[\s,.!]+)*(?:(?:can|could) (?:you|we) (?:please )?|i(?:'d| would) like (?:you )?to |i wa+nt to |let'?s )?(?:(?:create|write|draft|update|prepare|generate|append|fill|save)\b[^.?]{0,60}\b(?:overview|documents?|docs|documentation|plans?|plan files?|[\w-]*\.mdc?|checklist|summary|report|tasks?)\b|(?:take|zoom|systemi[sz]e|work (?:through|on)|go through|add (?:them|these|those)|merge|bump|add a new feature|test|continue)\b)|^[^\p{L}]*i approve\b/iu;
const FINDING = 100;

/** What keeps a statement from being shown, whatever its project; `forGood` speaks for it. */
export function worthFeatures({ foundBy, words, reference, outcome }: Candidate): string[] {
  const found: string[] = [];
  const when = (holds: boolean, name: string) => {
    if (holds) found.push(`w:${name}`);
  };
  if (foundBy === 'commit' || foundBy === 'note' || foundBy === 'plan')
    when(!words.text.includes(' — '), 'bare');
  if (foundBy !== 'words' && foundBy !== 'refusal' && foundBy !== 'pick') return found;
  const text = straight(words.text);
  const isForGood = FOR_GOOD.test(text);
  when(POINTS_BACK.test(text), 'pointsBack');
  when(HELP.test(text), 'help');
  when(AT_HAND.test(text), 'atHand');
  when(!outcome && !reference, 'alone');
  when(isListed(words), 'listed');
  when(/\?(?!["')\]\s]*$)/.test(text), 'asksFirst');
  when(UNSURE.test(text), 'unsure');
  when(REVIEWED.test(text), 'reviewed');
  when(ONE_OF.test(text), 'oneOf');
  when(SEEKS.test(text), 'seeks');
  when(PAPERWORK.test(text) && !isForGood, 'paperwork');
  when(isForGood, 'forGood');
  when(text.length > FINDING && !OWN_VOICE.test(text) && !WANTED.test(text), 'finding');
  if (outcome) when(shared(contentWords(text), contentWords(outcome.text)) === 0, 'about0');
  return found;
}

/** Lines without an end: titles or points of somebody's list, run together. */
function isListed({ quotes }: Candidate['words']): boolean {
  const open = quotes.filter(({ text }) => !/[.!?:,;)"'`…]$/.test(text.trim()));
  return quotes.length >= 3 && open.length >= 0.6 * quotes.length;
}
