import type { StatedKind } from '../../model/statement.ts';
import { straight } from '../../text/straight.ts';
import type { Candidate } from '../candidate.ts';
import { namesRemainder } from '../from/open-ends.ts';

const PROBLEM =
  /\b(?:fix(?:e[sd])?|bug|errors?|fail(?:s|ed|ing|ure)?|broken?|crash\w*|wrong|issue|problem|regression|not working|(?:does|is|did|are|do)n't|missing|stuck|hangs?|timed? ?out)\b/i;
const REMEDY =
  /\b(?:fix(?:e[sd])?|solved|resolved|(?:the )?(?:root )?cause|because|was (?:missing|failing)|no longer|now (?:uses?|returns?|works?|checks?|handles?|reads?)|instead of|replaced|reverted|restored)\b/i;
const LEARNED =
  /\b(?:turns? out|lesson|learn(?:ed|t)|the (?:issue|problem|reason|cause|culprit|catch|trick|key) (?:is|was)|root cause|silently|only works|must (?:be|not|use|have)|otherwise|because)\b/i;

/** What a review or a report advises: found, and not done by saying so. */
const ADVISES =
  /\b(?:should|ought to|needs? to|recommend\w*|consider(?:ing)?|suggest\w*)\b|(?:^|[;:] )(?:add|document|handle|extract|remove|rename|replace|validate|verify|avoid|move|split|ensure|fix|use|make|update|clarify|check)\b(?! (?:is|are|was|were)\b)/i;

/** Put off, and still to do. */
const DEFERS =
  /\b(?:(?:save|leave|keep|park|shelve) (?:\w+ ){0,3}for (?:later|a (?:future|later|follow-?up|separate)|another|the next|next)|(?<!\b(?:we|they|you|i|users?|people) )(?:do|handle|address|tackle|fix|add|revisit|look at) (?:\w+ ){0,4}(?:later(?: on)?|in a (?:follow-?up|separate|future|later)|another time|next (?:time|week))|(?:in|for) a (?:follow-?up|future|later) (?:pr|issue|task|commit|exercise|iteration|version|release|phase)|defer (?:it|this|that|the)|(?:to|on|in) (?:the|our|my) backlog|put (?:it|this|that) off)\b/i;
/** Longer words postpone one of many things, and do not say that nothing was done. */
const SHORT = 200;
const FOR_EVER =
  /\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|whenever|prefer|at all times)\b/i;

/** What a statement is about, by the words it is made of. */
export function statedKind(candidate: Candidate): StatedKind {
  const { foundBy, features, words, outcome, kind } = candidate;
  const text = straight(words.text);
  switch (foundBy) {
    case 'words':
    case 'refusal':
    case 'pick': {
      for (const own of ['rule', 'preference', 'constraint', 'environment'] as const)
        if (features.has(`says:${own}`)) return isOfTask(features, text) ? 'decision' : own;
      if (DEFERS.test(text) && (outcome || text.length <= SHORT)) return 'open';
      if (PROBLEM.test(text) && outcome && REMEDY.test(outcome.text)) return 'solution';
      return 'decision';
    }
    case 'pasted':
      return features.has('says:environment')
        ? 'environment'
        : features.has('limit')
          ? 'constraint'
          : 'decision';
    case 'commit':
      return /^fix\b|\bfix(?:e[sd])?\b/i.test(text) ? 'solution' : 'decision';
    case 'claim':
      if (candidate.isCause) return 'solution';
      if (features.has('nearEnd') && namesRemainder(text)) return 'open';
      if (PROBLEM.test(text) && REMEDY.test(text) && features.has('fix'))
        return ADVISES.test(text) ? 'lesson' : 'solution';
      if (LEARNED.test(text)) return 'lesson';
      if (features.has('environment')) return 'environment';
      return features.has('limit') ? 'constraint' : 'decision';
    default:
      return kind;
  }
}

/** An item of one task's list is a rule only if its words say so. */
function isOfTask(features: Set<string>, text: string): boolean {
  return (features.has('item') || features.has('longMessage')) && !FOR_EVER.test(text);
}
