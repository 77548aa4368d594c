/** What a sentence begins with before it says what is wanted. */
const OPENING = new RegExp(
  [
    '[\\s,.!:;\\-–—…"\'“”*_#>()]+',
    '(?:ok(?:ay)?|k|so|hey|hi|hello|hmm+|um+|erm+|well|now|then|also|and|but|yes|yeah|yep|no|nope|sure|right|great|perfect|nice|cool|good|awesome|excellent|thanks?(?: you)?|alright|first|next|actually|maybe|wait|again|just|quick(?: question)?|sorry|ah|oh|gah|tbh|@?claude|@\\w+|please|pls|plz|kindly|absolutely|certainly|bitte|mal|jetzt)(?=[\\s,.!:;\\-–—]|$)',
    '(?:can|could|would|will|do|should|shall) (?:you|we|u|i)(?: please| plz| maybe| also| now| just| quickly| help me)*(?=\\s)',
    "(?:(?:and )?i(?:'d| would)?(?: also| really| just)*(?: would)?(?: also)? (?:like|love|want|prefer|need|wish|think|guess)|we (?:want|need|should|could|have|would like)|you (?:should|can|need)|need|let'?s|let us|it(?:'d| would) be (?:nice|good|great)(?: if (?:you|we) (?:can|could))?|i was wondering if|i'm wondering if|is it possible|is there a way|feel free|go ahead and|try(?: to| and)|help me|help|make sure|don'?t forget|be sure)(?: (?:you|we|us))?(?: to)?(?=\\s)",
    '(?:tell|show|remind|give) me(?: again)?(?=\\s)',
    '(?:look at|check|review) the changes (?:in|on) (?:this|the) branch(?:,| and| then)+(?= \\w)',
    '(?:have|take) a (?:quick )?look(?: at| into)?(?=\\s)',
    '(?:kannst|könntest|könnten|können|würdest) (?:du|wir|sie)(?=\\s)',
    'based on what we(?: have)? (?:just )?(?:did|discussed),?(?=\\s)',
  ].join('|'),
  'iy',
);
const LINK = /\[([^\]\n]{1,200})\]\([^)\s]*\)/g;
const URL = /https?:\/\/[^\s)>\]]+/g;
const REFERENCE = /\/(pull|issues|discussions)\/(\d+)/;
const REFERENCES: Record<string, string> = { pull: 'PR', issues: 'issue', discussions: 'discussion' };
/** A path says enough with its last part. */
const LONG_PATH = /(?<![\w.])@?(?:~|\.{1,2})?\/?(?:[\w.@+-]+\/){2,}([\w.@+-]+)/g;
const PLACEHOLDER = /\[(?:image|\d+ images|Image #\d+|Pasted text #\d+[^\]]*)\]/gi;
/** What a sentence ends with after it said what is wanted. */
const TAIL =
  /[\s,;.-]*\b(?:(?:can|could|would) (?:you|we)(?: please)?(?: also)?(?: help(?: me)?(?: out)?| (?:take|have) a (?:quick )?look(?: at (?:it|this|that))?| check(?: (?:it|this|that))?| fix (?:it|this|that)| investigate| explain)?|any ideas?|what do you think|thoughts|thank you|thanks)[\s?.!]*$/i;
const LONGEST = 2000;

/** What a sentence of an ask wants, without greetings, politeness, links and paths. */
export function plainAsk(sentence: string): string {
  let text = sentence
    .slice(0, LONGEST)
    .replace(PLACEHOLDER, '')
    .replace(LINK, '$1')
    .replace(URL, (url) => referenceOf(url))
    .replace(LONG_PATH, '$1');
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const found = OPENING.exec(text);
    if (!found || found[0] === '') break;
    at += found[0].length;
  }
  text = text
    .slice(at)
    .replace(/,?\s*\b(?:please|pls|plz)\b,?/gi, '')
    .replace(TAIL, '');
  return text.replace(/\s+/g, ' ').trim();
}

function referenceOf(url: string): string {
  const found = REFERENCE.exec(url);
  return found ? `${REFERENCES[found[1]!]} #${found[2]}` : '';
}
