/** What a sentence of the agent has in it. */
export const AGENT_CUES = {
  cause:
    /\b(?:root cause|the (?:bug|issue|problem|reason|cause|culprit|error|failure)(?: here)? (?:is|was|were|comes|came)|this (?:is|was) because|because|caused by|happens (?:when|because)|due to|that'?s why|so the|failed because|turns out|was missing|the key insight|the difference)\b/i,
  fix: /\b(?:the (?:fix|solution|correct (?:fix|approach))|fixed|fixes|resolved|solved|now (?:uses?|works?|shows?|returns?|checks?|has|only|correctly|handles?|reads?|passes|includes?|is|we|the)|no longer|instead of|rather than|replaced|removed|renamed|changed (?:to|from)|reverted|added|moved|updated)\b/i,
  limit:
    /\b(?:can'?t|cannot|can not|won'?t|doesn'?t (?:support|have|provide|exist|work|allow)|does not|only (?:supports?|works?|accepts?|when|if|runs?|has|the)|not (?:possible|supported|available)|must|needs? (?:to|the|a)|requires?|required|would break|never|always|circular|limitation)\b/i,
  answers:
    /^[^\p{L}\p{N}]*(?:you'?re (?:absolutely |completely |totally )?(?:right|correct)|you are (?:absolutely )?(?:right|correct)|good (?:point|catch|call|question)|great (?:point|catch|question)|i was wrong|i apologi[sz]e|my mistake|fair point|ah,? (?:i see|you'?re right|right)|that makes (?:more )?sense|makes sense|that'?s a (?:good|great|valid)|exactly|correct|yes\b|right\b|agreed|understood)/iu,
  concedes:
    /\b(?:you'?re (?:absolutely |completely |totally )?(?:right|correct)|you are (?:absolutely )?(?:right|correct)|i was wrong|i apologi[sz]e|my mistake|i made (?:that|it) up|let me revert|good catch|i misunderstood|i should have)\b/i,
  found:
    /\b(?:found (?:it|the)|i found|i see (?:the|now)|i understand|now i (?:see|understand)|the key|key (?:insight|finding)|discovered|it turns out|confirmed)\b/i,
  narrates:
    /^[^\p{L}\p{N}]*(?:(?:ok(?:ay)?|good|great|perfect|excellent|now|first|next|alright|interesting|hmm|wait|actually|so|and|also|then|finally)[,.!:]? )*(?:let me|let'?s|i'?ll|i will|i'?m (?:now |also |just |still |going )*\w+ing|i need to|i'?m going|i am going|i want to|we need to (?:check|look)|now (?:let|i|update|add|check|fix|run)|running|checking|looking|searching|reading|here'?s|here is|here are|i have|i've (?:read|looked|now)|next,? i|time to)\b/iu,
  asks: /\?\s*$|\b(?:would you like|do you want|want me to|should i|shall i|which (?:approach|option|one|would)|what do you think|does (?:this|that) (?:look|make|sound)|let me know|ready to|is that (?:what|right))\b/i,
  guesses:
    /\b(?:might|may|maybe|perhaps|probably|possibly|likely|could be|seems?|appears?|i think|i believe|i suspect|i assume|assuming|looks like|unclear|not sure|potentially|should be fine|hypothesis|i bet|my guess)\b/i,
  proposes:
    /\b(?:we could|you could|i could|could also|one option|another option|option [a-d1-9]|alternatively|approach [a-d1-9]|i'?d (?:suggest|recommend|propose)|i recommend|my recommendation|pros|cons|trade-?offs?|recommended|suggest\w*|proposal|proposed)\b/i,
  status:
    /^[^\p{L}\p{N}]*(?:all (?:tests|unit|integration|checks|lint)|tests? (?:pass|are|now)|lint (?:is|pass)|build (?:pass|succe)|both|done\b|committed|pushed|commit(?:ted)? |the (?:tests|build|lint)|\d+ (?:tests|files))|\b(?:all (?:\d+ )?tests pass|tests pass|lint (?:is )?(?:clean|passes)|\d+ passed|builds? (?:pass|succe)\w*)\b/iu,
  decides:
    /\b(?:decision|decided|agreed|we (?:went|go|chose|keep|use)|chosen|the (?:approach|design|plan|heuristic|rule|flow|behaviou?r|separation|heuristic becomes|default)|by default|so (?:explain|the|we|it)|should (?:be|not|only|always)|stays?|remains?|will (?:be|not|only))\b/i,
  open: /\b(?:todo|follow-?up|not (?:yet|implemented|done|committed|fixed)|remaining|still (?:to do|need|needs|fails?|failing|open|missing)|left (?:for|to)|future|out of scope|out-of-scope|later|deferred|known (?:issue|bug|limitation)|manual(?:ly)? (?:step|setup)|you(?:'ll| will)? need to|next steps?|pending|separate (?:issue|pr|task))\b/i,
  environment:
    /\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|:\d{4,5}\b|`[A-Z][A-Z0-9_]{5,}`|\b(?:stored (?:in|at|on|under)|located (?:in|at)|lives? (?:in|at|on)|configured (?:in|via|with)|runs? (?:on|in|via|with)|environment variable|env var|set (?:in|via)|command (?:is|to)|flag)\b/i,
} as const;

/** Headings over what is only considered, and over what was found or done. */
export const WEAK_HEADING =
  /\b(?:options?|alternatives?|proposal|approach(?:es)?|recommend\w*|suggest\w*|questions?|pros|cons|trade-?offs?|example|current (?:behaviou?r|state|flow|situation|implementation|code|problems?|issues?|setup|structure)|what'?s next|next steps|would you|want to|want me|file structure|files? (?:changed|modified|created)|tests? (?:added|coverage|results?)|before|verification|analysis|possible|changes needed|required setup|proposed)\b/i;
export const FIRM_HEADING =
  /\b(?:root cause|cause|fix(?:es|ed)?|solution|summary|changes?(?: made)?|what (?:changed|was|it|explain)|decisions?|the (?:bug|problem|issue|rule|design|heuristic)|key|behaviou?r|how it works|result|done|completed|learn\w*|limitations?|constraints?|implemented|after|now|why|benefits?|remaining|known|so the)\b/i;
