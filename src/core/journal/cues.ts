import { termsOf } from '../text/terms.ts';
import type { PointKind } from './page.ts';

type Cue = { kind: PointKind; by?: 'user' | 'assistant'; weight: number; pattern: RegExp };

/** What a sentence says by its words. The first that fits best counts. */
const CUES: Cue[] = [
  {
    kind: 'decision',
    weight: 2,
    pattern:
      /\b(?:decided|(?:the|our|my) decision (?:is|was)|settled on|stick(?:ing)? with|go(?:ing)? with|went with|opted (?:for|to)|in favou?r of|we agreed)\b/i,
  },
  {
    kind: 'decision',
    by: 'user',
    weight: 1.6,
    pattern:
      /\b(?:let'?s|please|we|i(?:'d)?|use|make|keep|put)\b.{0,80}\b(?:instead of|rather than)\b|\b(?:prefer|should (?:not|never|always|only)|shouldn'?t|must(?:n'?t)?)\b/i,
  },
  {
    kind: 'decision',
    by: 'user',
    weight: 1.4,
    pattern:
      /\b(?:let'?s|we(?:'ll| will| should| want| need)(?: to)?|i(?:'d| would| want)(?: rather| prefer| like)?(?: to)?|please|actually|don'?t)\b.{0,40}\b(?:use|keep|switch|drop|skip|remove|rename|move|stay|call|store|put|avoid|bring back|revert|replace|support|return)\b/i,
  },
  {
    kind: 'decision',
    by: 'assistant',
    weight: 1.5,
    pattern:
      /\b(?:(?:we|i|you|they) chose|was chosen|by design|(?:deliberate|intentional)(?:ly)?\b.{0,80}\b(?:because|since|to avoid|so that)|the (?:right|cleanest|simplest|best|better|correct) (?:fix|approach|way|solution|design|place (?:is|for|to)))\b/i,
  },
  {
    kind: 'discovery',
    by: 'assistant',
    weight: 2,
    pattern:
      /\b(?:root cause (?:is|was)(?! well| clear| unknown)|root cause:|turns? out|culprit|the real (?:issue|problem|cause)|is caused by|was caused by)\b/i,
  },
  {
    kind: 'discovery',
    weight: 1.4,
    pattern:
      /\b(?:(?:issue|problem|bug|cause|reason) (?:is|was|here is)\b(?! fixed| resolved| already| well)|happens (?:when|because|if)|does(?:n'?t| not) work (?:because|since|when)|that'?s why|due to)\b/i,
  },
  {
    kind: 'change',
    by: 'assistant',
    weight: 1.5,
    pattern:
      /\b(?:replaced|renamed|removed|moved|switched|migrated|reverted|converted|extracted|dropped|changed|consolidated|merged|split)\b.{1,160}?\b(?:to|from|with|into|in favou?r|instead|out of)\b/i,
  },
  {
    kind: 'change',
    by: 'assistant',
    weight: 1.2,
    pattern:
      /\b(?:no longer|now (?:uses?|returns?|accepts?|shows?|checks?|writes?|reads?|detects?|handles?|applies|prefers?|falls|supports?|skips?|runs|stores?|requires?|validates?))\b/i,
  },
  {
    kind: 'open',
    by: 'assistant',
    weight: 1.6,
    pattern:
      /\b(?:still (?:needs? (?:to|a|an|work|fixing|testing|tests?|review|cleanup)\b|fails?|open|missing|to be done)|not yet (?:done|implemented|supported|handled|tested|clear)|unresolved|known (?:issue|limitation)s?|left to do|remaining (?:work|tasks?|issues?|steps?)|follow-?up (?:pr|issue|task|needed|work)|next steps? (?:is|are|would)|out of scope|blocked (?:by|on))\b/i,
  },
];

/** Talk about the current work, which means nothing once it is done. */
const PROCESS =
  /^(?:let me|let'?s (?:see|check|look|now|run|verify|start|try)|now\b|i'?(?:ll|m)\b|i (?:will|can|see|need|have|think|understand|should)|looking at|first,|next,|great|perfect|good|ok(?:ay)?\b|done\b|sure|yes\b|no,? |hmm|here(?:'s| is| are)|would you|do you|should i|want me|if you|you (?:can|could|may|should)|this (?:session|conversation) is|oh\b|ah\b|wait\b|also,|stop\b)/i;
const LEAST = 28;
const MOST = 340;
const LEAST_TERMS = 4;

/** Something by name: code, a path, an identifier, a proper noun. */
const NAMED =
  /`[^`]+`|\b[\w-]+\.\w{1,5}\b|\b[a-z]+[A-Z]\w+|\w_\w|\w\/\w|--\w|(?<=[\p{Ll},] )\p{Lu}\p{L}{2,}|"[^"]{3,}"/u;
/** Points at something that is elsewhere. */
const POINTING =
  /\b(?:this|that|these|those|it|its|they|them|above|below|here|there|there'?s|same|one|you)\b/i;

/** Can be understood alone: names its subject, or refers to nothing else. */
export function isSelfContained(text: string): boolean {
  if (/^(?:this|that|these|those|it|they|which|and|but|so|or)\b/i.test(text))
    return /`[^`]+`|\b[a-z]+[A-Z]\w+|\w_\w/.test(text) && text.length > 60;
  return NAMED.test(text) || !POINTING.test(text);
}

const AIMS = /\b(?:let me|i'?ll|i'm going to|shall i)\b/i;
const ASIDE =
  /\bplease (?:take a look|check|help|explain)\b|\bshould(?:n'?t| not) be (?:too |that )?(?:hard|difficult|long|bad)\b/i;
const SUPPOSED = /\b(?:if|might|would|could|should|need to|needs to|can|may)\b/i;

/** What a user pasted from a screen. */
const PASTED =
  /^\W*\[\s*\w+\s*\]|\b\d+ (?:secs?|mins?|minutes?|hours?|days?) ago\b|\[[+-]\d+[\s,]+[+-]\d+\]|^\p{L}\s+[*•·>]|…["”)]*$/u;
/** Valid only for the current work. */
const FOR_NOW = /\b(?:for now|right now|for the moment|just this once|temporarily|not yet|yet$)/i;
/** Nobody was sure. */
const GUESS = /\b(?:likely|probably|perhaps|maybe|might|seems?)\b/i;
/** Says that something was done to it, and not what. */
const NO_OBJECT =
  /^(?:removed|moved|changed|renamed|extracted|replaced|dropped|split) (?:from|to|into|in|with|out)\b/i;
const FROM_MAIN = /\bmerg(?:e|ed|es|ing)\b.{0,60}\b(?:main|master|origin|base|upstream)\b/i;
/** Five words or more, nearly all of them in capitals: a heading. */
const isHeading = (text: string) => {
  const words = text.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  return words.length >= 5 && words.filter((it) => /^\p{Lu}/u.test(it)).length / words.length > 0.7;
};

/** Whether a sentence with the cues of a kind really is one. */
function isSound(kind: PointKind, text: string, by: 'user' | 'assistant'): boolean {
  if (isHeading(text) || /\bno,? wait\b/i.test(text)) return false;
  switch (kind) {
    case 'decision':
      return !FOR_NOW.test(text);
    case 'discovery':
      if (by === 'assistant' && GUESS.test(text)) return false;
      return (
        !/\bjust (?:fixed|found|changed|did)\b/i.test(text) && (NAMED.test(text) || termsOf(text).length >= 6)
      );
    case 'change':
      // What would be changed, or could be, is no change; an arrow shows an example.
      if (SUPPOSED.test(text) || NO_OBJECT.test(text) || FROM_MAIN.test(text)) return false;
      return !/→|->|=(?!=)/.test(text.replace(/`[^`]*`/g, '')) || /^renamed\b/i.test(text);
    case 'open':
      return (
        !/^(?:if|when|once|in case|option|quick fix)\b/i.test(text) && termsOf(text).length > LEAST_TERMS
      );
    default:
      return true;
  }
}

export type Cued = { kind: PointKind; score: number };

/** What a sentence is worth remembering for; undefined for the most of them. */
export function cueOf(sentence: string, by: 'user' | 'assistant'): Cued | undefined {
  const plain = sentence.trim();
  if (by === 'assistant' && !isStatement(plain)) return undefined;
  if (plain.length < LEAST || plain.length > MOST || /[?？:：]["”)*]*$/.test(plain)) return undefined;
  if (!isProse(plain) || !isSelfContained(plain) || termsOf(plain).length < LEAST_TERMS) return undefined;
  if (by === 'assistant' ? AIMS.test(plain) : ASIDE.test(plain) || PASTED.test(plain)) return undefined;
  let best: Cued | undefined;
  for (const { kind, by: whose, weight, pattern } of CUES) {
    if (whose !== undefined && whose !== by) continue;
    if (best && best.score >= weight) continue;
    if (pattern.test(plain) && isSound(kind, plain, by)) best = { kind, score: weight };
  }
  if (!best) return undefined;
  const reason = /\b(?:because|since|so that|due to|otherwise|why|as it)\b/i.test(plain) ? 0.4 : 0;
  const named = NAMED.test(plain) ? 0.3 : 0;
  return { kind: best.kind, score: best.score + reason + named + (by === 'user' ? 0.3 : 0) };
}

/** A whole sentence of an agent that says how something is, not what it will do next. */
export function isStatement(sentence: string): boolean {
  const plain = sentence.trim();
  if (plain.length < LEAST || plain.length > MOST || /[?？:：]["”)*]*$/.test(plain)) return false;
  if (/^(?:when|if|while|after|before|because|since)\b[^,]*$/i.test(plain)) return false;
  // A short line without an end is a heading.
  if (plain.length < 45 && !/[.!。]$/.test(plain)) return false;
  return !PROCESS.test(plain) && isProse(plain) && termsOf(plain).length >= LEAST_TERMS - 1;
}

/** Logs, tables, diffs and code hold words too. */
function isProse(text: string): boolean {
  const letters = text.match(/[\p{L}\s]/gu)?.length ?? 0;
  if (letters / text.length < 0.72) return false;
  return !/^\s*(?:[|+\-<>$%@{}/]|\d+[:.)]\d)|[{};]\s*$|=>|\\n|\u2502|\bat .+:\d+:\d+/.test(text);
}
