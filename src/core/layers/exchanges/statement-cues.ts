import type { Statement } from '../../model/exchange.ts';

export type Cue = { pattern: RegExp; score: number; kind: Statement['kind'] };

const cue = (score: number, pattern: RegExp, kind: Statement['kind'] = 'rule'): Cue => ({
  pattern,
  score,
  kind,
});

/** What makes a sentence last, and how surely. The best one counts. They see the sentence in small letters, without its lead-in. */
export const CUES: Cue[] = [
  // Asked to be remembered.
  cue(1.2, /^remember(?: that\b|[:,]| to (?:always|never)\b)/),
  cue(
    1.1,
    /^remember (?!when|how|what|who|last|the time|that time|(?:our|my|your|its|their)\b|we (?:did|had|talked|discussed))\S+ \S+/,
  ),
  // Mostly of the task at hand.
  cue(0.7, /^(?:keep|bear|have) in mind(?: that\b|[:,]| \S+ \S+)/),
  cue(
    1.1,
    /\b(?:for (?:the )?future reference|add (?:this|that|it) to (?:your )?(?:memory|claude\.md)|make (?:it|this) a rule)\b/,
  ),
  cue(0.5, /^don'?t forget\b/),
  // For all time.
  cue(
    1.1,
    /\b(?:from now on(?:wards)?|from here on|going forward|henceforth|in future sessions|as a (?:general )?rule)\b/,
  ),
  cue(1, /^in (?:the )?future,? (?!we (?:might|may|could|will|would)|it|this|that|there|i\b)/),
  cue(
    1,
    /^(?:(?:you|we) (?:should|must|need to|have to) |i want you to |make sure (?:you |to |that you |we )|be sure to |can you |could you )?(?:please )?(?:always|never) (?!mind\b|seen\b|been\b|had\b)\w/,
  ),
  cue(0.9, /\b(?:under no circumstances|at all times|no exceptions|without exception)\b/),
  cue(
    0.9,
    /^(?:whenever|every time|each time|any ?time) (?:you|we)\b|^before (?:each|every|any) (?:commit|push|release|merge|pr)\b|^after (?:each|every|any) (?:commit|push|release|merge|change)\b/,
  ),
  cue(0.5, /^(?:before|after) (?:each|every|any) \w+/),
  cue(0.8, /^(?:we|i) (?:always|never) (?:want|use|need|do|run|commit|write|add|put|call|prefer)\b/),
  cue(0.7, /\b(?:you|we|tests?|commits?|comments?|code) (?:must|should) (?:always|never|not ever)\b/),
  cue(0.6, /^(?:you|we) (?:must|must not|mustn't|should never|are not allowed to|may not)\b/),
  // Said as an order, with or without a reason.
  cue(
    0.5,
    /^(?:do not|don'?t) (?!worry|be |think|know|see|understand|forget|care|remember|have|need|get|mind|want|like|believe|bother)\w+/,
  ),
  cue(0.5, /^(?:stop|avoid|quit) (?!for\b|here\b|it\b|now\b|the server\b|there\b)\w+/),
  cue(
    0.55,
    /^no (?:more )?(?:emojis?|comments?|mocks?|magic|abbreviations?|jokes|summaries|console\.logs?)\b/,
  ),
  cue(0.6, /^(?:we|you|i) (?:no longer|(?:do not|don'?t) .* any ?more)\b/),
  cue(0.3, /^(?:you (?:can|may) (?:now )?|feel free to |it'?s (?:ok|okay|fine) to )\w+/),
  cue(0.5, /^(?:make sure|ensure|be sure)\b.*\b(?:always|every|each|any|never|before|after|when(?:ever)?)\b/),
  cue(0.8, /^use [^.?]{2,60} for (?:all|every|any)\b(?! of (?:these|them|this))/),
  cue(0.5, /^use [^.?]{2,60} (?:instead of|rather than|not|over)\b/),
  cue(0.5, /^stick (?:to|with) \w+/),
  cue(0.75, /^it (?:makes no|doesn'?t make|does not make) sense to \w+/),
  // What is liked.
  cue(0.5, /^i (?:do not|don'?t|never) want\b/, 'preference'),
  cue(0.7, /^(?:prefer|favou?r) \w+/, 'preference'),
  cue(0.6, /^(?:i|we) (?:would )?(?:generally |usually |strongly |really )?prefer\b/, 'preference'),
  cue(0.6, /^i (?:really )?(?:like|love|hate|dislike|don'?t like)(?: it)? when\b/, 'preference'),
  cue(0.5, /^i(?:'d| would) (?:rather|like you to|prefer)\b/, 'preference'),
  // Who the user is.
  cue(
    0.6,
    /^my (?:\w+ )?(?:user ?name|user|name|handle|account|e-?mail(?: address)?|time ?zone|editor|shell|keyboard) is \S+/,
    'fact',
  ),
  // How it is here.
  cue(
    0.7,
    /\b(?:our|the|this) (?:convention|rule|policy|style guide|standard|workflow)s? (?:is|are|here)\b|\bby convention\b/,
    'fact',
  ),
  cue(
    0.6,
    /\b(?:we|this (?:project|repo|repository|codebase)|the (?:project|repo|codebase)) (?:only |explicitly |do not |don'?t |never )?(?:uses?|follows?|sticks? to|stick to|relies on|rely on)\b/,
    'fact',
  ),
  cue(
    0.5,
    /^we (?:do not|don'?t) (?!have|need|know|think|see|want|get|care|mess|show|seem|mean|really)\w+/,
    'fact',
  ),
  cue(0.6, /^(?:we|i) (?:explicitly|definitely|really) (?:do not|don'?t) want\b/, 'decision'),
  cue(
    0.6,
    /^(?:let'?s|we(?:'ll| will)|we should) use [^.?]{2,60} (?:instead of|rather than|not|over)\b/,
    'decision',
  ),
  cue(
    0.5,
    /^(?:let'?s (?:go with|stick (?:with|to)|settle on)|we(?:'ll| will| are going to|'re going to) (?:use|go with|stick)|we decided|decision:)/,
    'decision',
  ),
  // German.
  cue(1.2, /^(?:merke? dir|denke? (?:bitte )?(?:immer )?daran)/),
  cue(1.1, /(?:^|\s)(?:ab jetzt|von nun an|ab sofort|künftig|zukünftig|in zukunft)(?:[\s,]|$)/),
  cue(
    1,
    /^(?:(?:verwende|benutze|nutze|schreibe?|führe|mache?|committe|teste|lass)\s+(?:bitte\s+)?)?(?:immer|niemals|nie|stets|grundsätzlich)\s+\S+/,
  ),
  cue(
    1,
    /^(?:verwende|benutze|nutze|schreibe?|führe|mache?|teste|prüfe)\s.*\s(?:immer|niemals|nie|stets)(?:\s|$)/,
  ),
  cue(0.6, /^(?:ich|wir) (?:bevorzuge|mag|verwenden|benutzen|nutzen)/, 'preference'),
  // Japanese.
  cue(1.1, /覚えて(?:おいて)?|忘れないで|今後は|これからは|以後は|今後、/),
  cue(1, /(?:必ず|常に|いつも|絶対に|決して).*(?:して|すること|使|ない|ください|書)/),
  cue(0.5, /(?:しないで|使わないで|やめて)(?:ください)?/),
  // Chinese.
  cue(1.1, /记住|請記住|请记得|从现在(?:起|开始)|从今以后|今后|以后(?:都|请|要|不要|必须)/),
  cue(1, /(?:始终|总是|务必|一律|永远不要|绝不(?:要)?|每次都).*\S/),
  cue(0.5, /^(?:请)?(?:不要|别|勿)/),
  // Korean.
  cue(1.1, /기억해|잊지 ?마|앞으로(?:는)?|지금부터|이제부터/),
  cue(1, /(?:항상|언제나|반드시|절대(?:로)?)\s*\S+/),
  cue(0.5, /(?:하지|쓰지|사용하지) ?(?:마|말)/),
];

/** Only for this once, or only until something else: not meant to last. */
export const LOCAL =
  /\b(?:for now|yet|right now|at the moment|for the moment|this (?:time|once|one)|just this|for this (?:one|pr|commit|branch|task|change|test|session)|in this (?:case|commit|pr|branch|session)|until|temporarily|today|for a (?:second|moment)|so far|still|just (?:validate|check|look|show|tell|explain|answer))\b|\b(?:vorerst|erst ?mal|im moment|noch nicht|diesmal|heute)\b|今回(?:は|だけ)|とりあえず|今は|まだ|暂时|先不|目前|这次|这一次|일단|지금은|아직|이번(?:에는|만)/;

/** A reason makes an order one that holds again. */
export const REASON =
  /\b(?:because|since|it (?:messes|breaks|slows|makes|causes|takes)|too (?:slow|long|noisy|verbose|expensive)|so that|otherwise|in order to|to (?:save|avoid|keep|prevent)|that'?s (?:how|why)|denn|weil|sonst|damit)\b|ので|から|因为|否则|때문/;

/** Refers to something in the current work. */
export const POINTS =
  /\b(?:this|these|those|it|them|here|there)\b|\bthat\b(?! (?:are|is|have|has|was|were|can|could|will|would|should|must|we|you|i|they|the)\b)|^(?:do not|don'?t|stop|avoid) \w+ the \w+|\b(?:diese[rsnm]?|das hier)\b|これ|それ|这个|那个|이것|그것/;

/** Any of something, not one thing. */
export const GENERAL =
  /\b(?:any|every|each|all|ever|everywhere|anywhere|whenever|only|jede[rsnm]?|alle[rsnm]?)\b|すべて|毎回|所有|모든/;
