import type { ExchangeRecord } from '../../model/exchange.ts';
import { cutAtWord, sentencesOf } from '../../text/sentences.ts';

type Note = ExchangeRecord['design'][number];

const STRONG =
  /(?<![\w/])(?:architecture|redesign(?:ed)?|restructur\w+|re-?architect\w*|data model|state machine|single source of truth|source of truth|invariant|life ?cycle|core (?:logic|concept|idea)|design decision|by design)(?![\w/])|架构|設計|アーキテクチャ|구조|architektur/i;
const HOW_CUES =
  /\b(?:instead of|rather than|no longer|(?:is|are) now|now (?:uses?|stores?|returns?|handles?|lives?|goes|runs?|reads?|writes?)|responsible for|goes through|replac(?:es|ed|ing) \S+.* with|(?:moved|extracted|split) .* (?:to|into)|separat(?:es|ed) .* from|renamed .* to|only (?:when|if|after)|must (?:never|always|be))\b/gi;
const NAMES = /`[^`]+`|\b\w+(?:_\w+)+\b|\b[a-z]+[A-Z]\w+|\b\w+\.(?:\w{1,4})\b/;
const WANTED = /\b(?:should|must|let'?s|we (?:want|need|will)|i want|make (?:it|this)|soll|muss)\b/i;
/** Begins a list, refers to something elsewhere, or says what the agent did just now. */
const UNFINISHED =
  /[:：]\s*$|\b(?:uses?|using|with|to|for|of|like) (?:this|that|it|these|those|them)\b|\b(?:above|below|the two|both of)\b|\bnolint\b|\bI(?:'ve| have)? (?:just )?(?:added|fixed|updated|changed|made|moved|removed)\b|^(?:this|that|these|those|it|they)\b/i;
const MOST = 2;
const LONGEST = 300;

/** Sentences that say how a part is built: a word of design, or a change of how things go, with a name in it. */
export function designNotes(spoken: { text: string; by: Note['by']; src: number }[]): Note[] {
  const found: { note: Note; score: number }[] = [];
  for (const { text, by, src } of spoken) {
    for (const sentence of sentencesOf(text)) {
      const score = scoreOf(sentence, by);
      if (score >= 1) found.push({ note: { text: cutAtWord(sentence, LONGEST), by, src }, score });
    }
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ note }) => note);
}

function scoreOf(sentence: string, by: Note['by']): number {
  if (/[?？]\s*$/.test(sentence) || sentence.length < 25 || sentence.length > 2 * LONGEST) return 0;
  if (/^(?:let me|i'll|i will|would you|should i|if )/i.test(sentence) || UNFINISHED.test(sentence)) return 0;
  let score = STRONG.test(sentence) ? 0.7 : 0;
  score += 0.5 * Math.min(2, [...sentence.matchAll(HOW_CUES)].length);
  if (score > 0 && NAMES.test(sentence)) score += 0.4;
  // A user also says how things wrongly are: only what is wanted counts.
  if (by === 'user') return WANTED.test(sentence) || score >= 1.2 ? score + 0.2 : 0;
  return score;
}
