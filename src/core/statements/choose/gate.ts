import { LASTING } from '../../text/lasting.ts';
import { straight } from '../../text/straight.ts';
import type { Candidate } from '../candidate.ts';
import { TODAY } from '../from/grow.ts';

/** Asks for work or information; decides nothing. */
const WORK =
  /^[^\p{L}\p{N}]*(?:ok(?:ay)?,? |and |now |then |please |also |hey,? )*(?:(?:can|could|would) you (?:please |also |just |maybe )*(?:check|look|give|review|write|help|do|tell|show|explain|run|validate|make|create|update|summari[sz]e|find|search|read|verify|confirm|have|see|try|investigate|analy[sz]e|list|describe|open|fix)|can we (?:also )?(?:review|check|look|have a (?:quick )?look|see)|(?:i need you to |please |go (?:ahead )?(?:and )?|let'?s )*(?:verify|review|research|investigate|address|analy[sz]e|explore|summari[sz]e|go through|double[- ]check|look into|find out|figure out|do (?:a|some|the) (?:quick |high-level )?(?:review|research|check|overview|high-level))|make sure (?:it|this|that|the \w+|everything|\w+) (?:still )?(?:runs?|works?|pass(?:es)?|builds?|compiles?)|let me know|have a look|take a look|check|look at|what (?:is|are|would|do|does|happens)|how (?:do|does|is|are|can|would)|where (?:is|are|do|does|did)|who|is there|are there|do we|does|did (?:we|you)|is it|why)\b/iu;
const IMAGINED =
  /\b(?:would (?:write|both|then|be|have|mean|need|see|show|give)|they'd|it'd|you'd|we'd|if we|for example|e\.g\.|such as:|something like)\b/i;

/** Whether words of the user only ask for work or for information. */
export function asksForWork(words: string): boolean {
  const text = straight(words);
  return WORK.test(text) && !LASTING.test(text);
}

/** Whether a candidate can be a statement at all, whatever its score. */
export function passesGate(candidate: Candidate): boolean {
  switch (candidate.foundBy) {
    case 'words':
    case 'refusal':
    case 'pasted':
      return isDecided(candidate);
    case 'claim':
      return isFirmClaim(candidate);
    default:
      return true;
  }
}

function isDecided({ features, words, reference, outcome, outcomeFeatures }: Candidate): boolean {
  const text = straight(words.text);
  const lasting = LASTING.test(text);
  const asks = asksForWork(text);
  if (outcome || reference) {
    if (!asks) return true;
    const answers = ['limit', 'cause', 'fix', 'decides', 'found', 'concedes'];
    return answers.some((name) => outcomeFeatures.has(name)) && !TODAY.test(outcome?.text ?? '');
  }
  const long = text.length >= 35;
  const decides =
    lasting ||
    ['because', 'limit', 'objects'].some((name) => features.has(name)) ||
    (long && ['choice', 'negates', 'proposes', 'environment', 'rule'].some((name) => features.has(name)));
  return decides && !asks && !isReport(features);
}

/** Says that something is wrong, and not what is wanted. */
export function isReport(features: Set<string>): boolean {
  return features.has('objects') && !['rule', 'choice', 'because'].some((name) => features.has(name));
}

function isFirmClaim({ features, words }: Candidate): boolean {
  if (!['limit', 'cause', 'fix', 'decides', 'open', 'names3'].some((name) => features.has(name)))
    return false;
  if (features.has('guesses') || features.has('proposes') || words.text.endsWith(':')) return false;
  return !IMAGINED.test(words.text) && !TODAY.test(words.text);
}
