import { firstLetters, wordSet } from '../text/may-match.ts';

/** Words in brackets that a text begins with: `[Background task b1 finished] ...`. Pictures, pastes, links and numbers are no label. */
const LABEL = /^\[(?!image\b|pasted\b|\d|x?\])([^\]\n]{2,80})\](?!\()/i;
const LABEL_WORD =
  /^(?:system|notice|notification|hook|info|warn(?:ing)?|error|debug|auto\w*|cron|schedule[rd]?|timer|task|agent|subagent|monitor|event|reminder|alert|status|tool|server|client|bot|ci)\b/i;

/** How programs begin what they say, and people do not. */
const SURE = [
  /^(?:SYSTEM|NOTICE|NOTIFICATION|REMINDER|ALERT|HOOK|EVENT|AUTOMATED)\b[^\n]{0,40}:/,
  /^(?:System|Notification|Notice|Observation|Assistant)(?: (?:message|notice|notification|reminder|prompt|event|alert))?(?:\s?\([^)\n]*\))?: /,
  /^(?:System|Automatic|Automated|Scheduled|Background) (?:message|notice|notification|reminder|prompt|event|alert|check|run)\b/i,
  /^(?:background|async|asynchronous|scheduled|recurring|remote) (?:task|command|process|job|shell|agent|bash|work)\b[^?\n]*\b(?:complet|finish|fail|start|exit|stopp|is (?:now )?running|was killed|timed out)/i,
  /^(?:this is an? automat\w+|this message (?:was|is) (?:automat\w+|generated|sent by)|automatically (?:generated|sent|resumed|continued))\b/i,
  /^(?:(?:new|incoming|forwarded) )?message from (?:the |an? |another )?(?:\w+ )?(?:agent|session|peer|teammate|coordinator|subagent|user|system|server|channel|lead)\b/i,
  /^(?:another|a) (?:claude|agent|session|peer|teammate|coordinator)\b[^.\n]{0,40}\b(?:sent|says|said|asks|asked|wrote|replied|finished|reports?)\b/i,
  /^(?:called|result of calling) the \w+ tool\b|^contents of \/\S+|^as you answer the user's questions\b|^todos have been modified\b|^tool ran without output\b|^file (?:created|updated) successfully\b|^command running in (?:the )?background\b|^this (?:command|tool use) requires approval\b/i,
  /^(?:the )?(?:[\w-]+ )?[\w-]*hook\b[^\n?]{0,30}\b(?:output|feedback|context|result|success|says|returned)\b[^\n?]{0,20}:\s/i,
];
/** `task_id: b1` and another such line: fields of a record. */
const FIELDS = /^[a-z][\w-]{1,30}: ?\S[^\n]*\n[a-z][\w-]{1,30}: ?\S/;

/** How programs begin what they say, and people may. */
const MAYBE = [
  /^(?:note|reminder|warning|info|alert|update|message|hint|tip|caution|important|attention|context|status|summary|instructions?|output|result|response|thought|human|user|tool|agent|claude|event|task|error)(?:\s?\([^)\n]*\))?:\s/i,
  /^the user (?:has|is|was|wants|would|sent|opened|selected|approved|rejected|chose|answered|did|does|said|requested|asked|may|will)\b/i,
  /^(?:your|the|this) (?:current |previous |last )?(?:session|conversation|context|plan|todo list|todos|response|request|turn|message|working directory|permissions?|model|limit|usage)\b[^.?\n]{0,60}\b(?:has|have|was|were|is|are|will be) (?:been |now |not |about to be )?(?:\w+ed|reset|cut|set|empty|full|stale|out|low|sent|over)\b/i,
  /^(?:task|agent|subagent|teammate|workflow|job|monitor|command|process|shell|session|server|tool|timer|reminder)\b[^.?\n]{0,80}\b(?:completed|finished|failed|exited|stopped|timed out|was killed|fired|has (?:completed|finished|been))\b/i,
  /^(?:the )?(?:[\w-]+ )?[\w-]*hook\b[^\n?]{0,60}:\s/i,
  /^(?:={3,}|-{3,}|\*{3,}|>{2,}|~{3,})\s*\w/,
  /^(?:⚠|ℹ|🔔|⏰|🤖|🛈|❗|🚨|📢|💡)/u,
  /^(?:From|To|Subject|Date): .+\n(?:From|To|Subject|Date): /,
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/,
];
const LOOKED_AT = 400;
/** Words that the patterns begin with. */
const FIRST = wordSet(
  'system notice notification reminder alert hook event automated observation assistant automatic scheduled background async asynchronous recurring remote this automatically new incoming forwarded message another a called result contents as todos tool file command the note warning info update hint tip caution important attention context status summary instruction instructions output response thought human user agent claude task error your subagent teammate workflow job monitor process shell session server timer from to subject date',
);

/** Most texts begin with a word that no pattern has: then none is tried. */
function mayBeNotice(start: string): boolean {
  const first = firstLetters(start);
  if (first === undefined || FIRST.has(first)) return true;
  return /^[\w-]+:/.test(start) || start.toLowerCase().includes('hook');
}

/**
 * How much a text is like a notice of a program, by how it begins. It is asked only of clients that do not mark what was
 * typed: `sure` is no person's, `maybe` is shown and never obeyed.
 */
export function noticeLikeness(text: string): 'sure' | 'maybe' | undefined {
  const start = text.trimStart().slice(0, LOOKED_AT);
  if (!mayBeNotice(start)) return undefined;
  const label = LABEL.exec(start)?.[1];
  if (label !== undefined) return LABEL_WORD.test(label) || /\s|:/.test(label.trim()) ? 'sure' : 'maybe';
  if (SURE.some((pattern) => pattern.test(start)) || FIELDS.test(start)) return 'sure';
  return MAYBE.some((pattern) => pattern.test(start)) ? 'maybe' : undefined;
}
