/** In a closing message: it is done, or was answered with a good end. */
export const CLAIMS =
  /✅|\b(?:done|fixed|complet(?:e|ed)|success(?:ful(?:ly)?)?|resolved|implemented|added|updated|removed|created|committed|pushed|merged|opened|saved|restored|renamed|replaced|posted|deployed|works?(?: now)?|working|pass(?:es|ed|ing)?|ready|all (?:set|good)|green)\b|\b(?:erledigt|behoben|fertig|erfolgreich)\b|しました|完了|已(?:完成|修复|添加)|완료|했습니다/iu;

/** In a closing message: it did not work. */
export const FAILURE =
  /^(?!if\b).*\b(?:i (?:was|am|'m) (?:not able|unable) to|(?:i|we) (?:couldn't|could not|can't|cannot|was unable to|failed to) (?:get|make|fix|find a way|complete|finish|reproduce|resolve|solve|run|access|connect)|(?:still|keeps?) (?:fails?|failing|broken|not working)|does(?:n't| not) work (?:yet|still)|did(?:n't| not) (?:work|succeed|help))\b|❌ *(?:failed|not)|\b(?:nicht gelungen|funktioniert (?:noch )?nicht)\b/iu;

/** The message of a client instead of an answer. */
export const CALL_FAILED =
  /^\s*(?:API Error\b|Claude AI usage limit|You've hit your (?:\w+ )?limit|Credit balance is too low|Request timed out|Prompt is too long|Invalid API key|\[?stream error)/i;

/** At the end of a message: something is still to be done. */
export const REMAINS =
  /\b(?:remain(?:s|ing) (?:to be|work|steps?|tasks?|items?|issues?)|still (?:needs?|have|has) to\b|still (?:missing|pending|outstanding|unresolved|running|in progress)|not (?:yet )?(?:been )?(?:implemented|finished|started|done)\b|left to do|to-?do:|waiting (?:for|on) (?:you|your|the user|ci|the)|blocked (?:on|by|until)|once you(?:'ve| have)?\b|in progress)\b/i;

/** A question that offers more than was asked for. */
export const OFFER =
  /\b(?:want me to|would you (?:like|prefer me)|should i\b|shall i\b|anything else|need (?:any )?(?:help|changes)|let me know|if you(?:'d| would)? (?:like|want)|(?:any|more) questions|how (?:else )?can i help|what(?:'s| is) next|what (?:else|next)|ready to)\b|\bsoll ich\b/i;

/** No question mark, and yet the agent waits. */
export const WAITS_FOR_ANSWER =
  /\b(?:please (?:confirm|clarify|choose|pick|specify|provide|tell me|let me know (?:which|whether|how))|let me know which|waiting for your|awaiting your|ready for (?:your )?(?:feedback|review)|your call)\b/i;

/** The user withdraws or refuses what was done. */
export const TAKES_BACK =
  /^(?:(?:no+|nope|stop|wait|hmm+|ugh|argh|ok(?:ay)?|actually|sorry|please|pls|can you|could you|let'?s|just|and)[\s,.!:;-]+)*(?:(?:revert|undo|roll ?back|discard|scrap|throw away|back out|take (?:that|it|this) back|reset) (?:that|this|it|all|these|those|everything|your|the (?:last|previous|changes?|commits?|edits?)|to)\b|(?:that'?s|this is) (?:wrong|not what i (?:asked|wanted|meant))|not what i (?:asked|wanted|meant)|i did(?:n't| not) (?:ask|want|tell)|go back to|forget (?:it|that|about)|never ?mind)|^(?:no|nope|stop|wait)[,.!]* (?:don'?t|do not|stop|that'?s (?:wrong|not)|this is (?:wrong|not))\b|^(?:mach das rückgängig|nein,? (?:nicht|das))/i;

/** The user says that it does not work. */
export const COMPLAINS =
  /^(?:(?:ok(?:ay)?|hmm+|ugh|no|nope|but|well|sorry|it'?s?|that'?s?|this|is|i|i'?m|i am|we|we'?re|the|tests?|errors?|are|looks? like|buttons?)[\s,.!:;-]+){0,6}(?:still (?:not|no|ng|fail\w*|broken|wrong|the same|getting|seeing|hav(?:e|ing)|get|see|does|is|crash\w*|an? error|errors?)|same (?:error|issue|problem|result)|another (?:failure|error)|fail(?:s|ed|ing) again|(?:does|did|is|do)(?:n'?t| not) (?:work|fix|help|working)|not working|you (?:made|broke|forgot|deleted) )|^(?:geht|funktioniert|klappt) (?:immer )?(?:noch )?nicht/i;

/** The user continues from what was done, even from stopped work. */
export const ACCEPTS =
  /^(?:(?:ok(?:ay)?|yes|yep|yeah|good|great|nice|perfect|thanks?|thank you|cool|sure|looks good|lgtm|now|and|please|let'?s|can you|also)[\s,.!:;-]+)*(?:(?:commit|push|merge|continue|proceed|go (?:on|ahead)|keep going|carry on|resume|open (?:a|the) (?:draft )?pr|create (?:a|the) pr|run (?:the )?(?:tests?|lint))\b|(?:thanks?|thank you|perfect|great|nice|lgtm|ok(?:ay)?|yes|yep|good|cool)\s*[.!]*$)|^(?:weiter|danke|passt|mach weiter)\b/i;

/** The ask wants something changed, and not only known. */
export const WANTS_CHANGE =
  /^(?:(?:ok(?:ay)?|so|now|then|also|and|yes|please|pls|let'?s|can (?:you|we)|could (?:you|we)|i(?:'d| would)? (?:want|like|need)(?: you)? to|we (?:need|should|have) to|go ahead and|next)[\s,.!:;-]+)*(?:add|fix|implement|create|remove|delete|change|update|refactor|make|write|move|rename|replace|support|improve|build|install|deploy|merge|rebase|revert|convert|migrate|set ?up|generate|commit|push|clean ?up|get rid of|restore|split|extract|resolve|apply)\b/i;

/** The ask is about something that does not work. */
export const HAS_PROBLEM =
  /\b(?:fix|error|errors|bug|broken|fail(?:s|ed|ing|ure|ures)?|crash\w*|wrong|issue|problem|not work\w*|(?:does|is|did)n'?t (?:work|show)|kaputt|fehler)\b/i;
