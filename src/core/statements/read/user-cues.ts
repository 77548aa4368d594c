/** What a sentence of the user has in it. */
export const USER_CUES = {
  rule: /\b(?:always|never|ever again|from now on|make sure|ensure|must(?:n't)?|remember|memori[sz]e|don'?t forget|avoid|prefer\w*|stick (?:to|with)|in future|each time|every time|no need|as a rule|only (?:use|ever|when|if)|do not|should(?:n'?t| not| only| always| never| be)|needs? to be|has to be)\b/i,
  negates:
    /\b(?:don'?t|do not|not to|without|no longer|instead of|rather than|instead|shouldn'?t|let'?s not|ignore|skip|drop|remove|not needed)\b/i,
  choice:
    /\b(?:let'?s|lets|go (?:with|for)|option \w|i'?d (?:like|go|prefer|say|rather)|i (?:would|want|prefer|think|feel|guess)|we (?:should|want|need|could|can|use|don'?t|have|would|might)|i'?m (?:thinking|going)|keep|rename|swap|replace|use|add|move|change|limit|default)\b/i,
  because:
    /\b(?:because|since|so that|otherwise|the idea is|the reason|the issue is|the problem is|it'?s important|which means|this means|as that|as it|so it|so we|in order to|but then)\b/i,
  objects:
    /^[^\p{L}\p{N}]*(?:no\b|nope|hmm|but\b|wait|actually|not (?:really|quite)|this is not|that'?s not|i don'?t|why\b|erm|emm|are you sure|you (?:forgot|missed|didn'?t|made))|\b(?:is wrong|not true|incorrect|not correct|isn'?t|doesn'?t|didn'?t|still (?:not|fail|show|display|get)|couldn'?t we|can'?t we|shouldn'?t we|is (?:still )?failing|i would have expected|made? it up|the issue is (?:that|now)|the problem is|that'?s wrong|i had it|not what i)\b/iu,
  proposes:
    /\b(?:can|could|should|shall) (?:we|it|you also)\b|\bwhat if\b|\bhow about\b|\bmaybe\b|\bcouldn'?t we\b|\bcan'?t we\b|\bideally\b|\bperhaps\b/i,
  limit:
    /\b(?:can'?t|cannot|can not|won'?t|only works|doesn'?t (?:work|have|support|exist)|not possible|break|breaks|no (?:real )?way|only (?:have|has|for)|isn'?t|aren'?t|not able|no access|access to)\b/i,
  environment:
    /\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|:\d{4,5}\b|\b(?:you(?:'re| are) (?:in|on)|i'?m (?:on|in|using|running)|runs? (?:on|in|at)|running on|we (?:use|have|deploy|host)|is (?:at|on|in) |the (?:server|vm|staging|prod\w*|database|account|repo\w*) (?:is|has|runs|uses)|my (?:github|account|user|machine|repo)|version \d)\b/i,
  defines: /\b(?:is|are|means|should be|will be|would be) (?:a|an|the|just|always|only|stored|bound|not)\b/i,
  agrees:
    /^[^\p{L}\p{N}]*(?:yes|yeah|yep|yup|ok(?:ay)?|sure|sounds good|lgtm|perfect|its perfect|great|go ahead|do it|correct|exactly|right|agreed?|please do|nice|cool|all good)\b/iu,
  order:
    /^[^\p{L}\p{N}]*(?:can you |please |ok(?:ay)?,? |now |and |let'?s |then )*(?:commit|push|continue|proceed|go on|run|rerun|re-run|test|check|look|read|show|give|review|explain|fix (?:it|this|that)|do it|start|begin|have a look|open|create (?:a )?(?:pr|draft)|keep going|merge|rebase|pull|try (?:again|it)|write|update the|summari[sz]e|list)\b[^.]{0,60}$/iu,
} as const;
