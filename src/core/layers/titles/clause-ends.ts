/** What a sentence begins with that its main clause only follows. */
const LEADS =
  /^(?:(?:and|but|so|or|ok|also|then|well) )?(?:if|when|whenever|since|because|although|though|while|after|before|once|as|given|for|with|without|in|on|at|by|from|to|based on|following|rather than|instead of|unless|until|where|throughout|during|regarding|along with|according to)\b/i;
/** "What I am after there is ...": the verb of the sentence is still to come. */
const CLAUSE_AS_SUBJECT = /^(?:what|how|where|whatever|whether|the (?:idea|reason|point|way)|all)\b/i;
const ENDS_SENTENCE = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no))[.!?;](?=\s)|[。！？；]/gi;
const BEHIND_SIGN = /:(?=\s[^\p{Ll}]|\s*$)|\s[-–—](?=\s)|\s\((?!s\))(?![^)]*\)\s+[\p{L}\p{N}])/gu;
/** A comma that begins a further clause or an afterthought, not the next item of a list. */
const BEHIND_COMMA =
  /,(?= (?:and (?:then|also|i|we|you|it|they|he|she|if|when|that|this|the|not|maybe|make|add|let)|but|so|or (?:should|do|does|is|are|can|could|if|when|at|maybe)|which|where|because|since|while|then|can|could|would|should|do|does|is|are|isn['’]t|i|i['’]m|we|it|it['’]s|you|he|she|they|that|there|this|these|those|if|when|for example|e\.g\.|i\.e\.|like|such as|including|instead|rather|with|without|to|not|right|maybe|perhaps|let['’]s|otherwise|in other words|how|what|why|using|based|even|as)\b)|[，、]/gi;
/** A word that alone begins another clause. */
const BEFORE_WORD =
  / (?=(?:because|so that|so (?:i|we|you|it|that|they)|even though|although|whereas|but|and (?:then|also|i|we|you|it|they|if|then)|which (?:is|are|was|were|would|will|means|seems|has|have|can|should)|instead of|rather than|as well as|in order to|for example|e\.g\.|such as|otherwise|using the following|like so|can (?:you|we)|could (?:you|we)|i (?:think|guess|want|mean|would)|when (?:i|we|you|it|they|the|a)|if (?:i|we|you|it|they|the|there)|while (?:i|we|the|it)|where (?:i|we|the|it)|unless|until (?:i|we|the|it))\b)/gi;
/** What cannot be the last word of a clause. */
const LOOSE =
  /(?:^|[\s,(])(?:the|a|an|to|of|in|for|on|and|or|with|by|that|is|are|was|were|from|at|as|when|if|we|i|you|they|he|she|be|been|not|but|so|into|than|its|their|our|your|my|like|can|could|should|would|will|do|does|did|has|have|had|make|sure|sees?|says?|said|get|gets|getting|use|using|called|following|between|because|about|including|wrote|e\.g\.?|i\.e\.?|such|which|who|where|while|these|those|every|each|some|any|no|more|most|very|also|just|only|i['’]m|it['’]s|and\/or|vs|then|eventually|maybe|perhaps|und|der|die|das|mit|für)$/i;
/** Only the first words of a clause, before its content. */
const BEGUN =
  /\b(?:that|whether|which|who|because|so that|if|when|how|why|where|while|since)(?: [\w'’-]+){0,2}$/i;
const FEWEST_WORDS = 3;

/** Where a clause ends behind which a sentence may stop and is still one, in order. A question mark belongs to it. */
export function clauseEnds(text: string, longest: number): number[] {
  const head = text.slice(0, longest + 2);
  const ends = new Set<number>();
  for (const { 0: sign, index } of head.matchAll(ENDS_SENTENCE))
    ends.add(index + (/[?？]/.test(sign) ? 1 : 0));
  const from = mainClauseStart(text);
  if (from !== undefined)
    for (const pattern of [BEHIND_SIGN, BEHIND_COMMA, BEFORE_WORD])
      for (const { index } of head.matchAll(pattern))
        if (index > from && isWhole(text.slice(from, index)) && isClosed(text.slice(0, index)))
          ends.add(index);
  return [...ends].filter((end) => end <= longest).sort((a, b) => a - b);
}

/** Where the main clause begins; undefined if it cannot be seen. */
function mainClauseStart(text: string): number | undefined {
  if (CLAUSE_AS_SUBJECT.test(text)) return /[?？]/.test(text) ? 0 : undefined;
  if (!LEADS.test(text)) return 0;
  const comma = /, (?=\S)/.exec(text);
  return comma ? comma.index + comma[0].length : undefined;
}

function isWhole(clause: string): boolean {
  const plain = clause.replace(/[\s,;:]+$/, '');
  return plain.split(' ').length >= FEWEST_WORDS && !LOOSE.test(plain) && !BEGUN.test(plain);
}

/** Whether no bracket and no quotation is open. */
function isClosed(text: string): boolean {
  const opened = text.match(/\((?!\s*$)/g)?.length ?? 0;
  return opened <= (text.match(/\)/g)?.length ?? 0) && (text.match(/["“”]/g)?.length ?? 0) % 2 === 0;
}
