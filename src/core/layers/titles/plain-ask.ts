import { holdsAny, mayBeginWith, wordSet } from '../../text/may-match.ts';

/** What a sentence begins with before it says what is wanted. */
const OPENING = new RegExp(
  [
    '\\d{1,2}[-.)]\\s+(?=\\p{L})',
    '[\\s,.!:;\\-–—…"\'“”*_#>()]+',
    '(?:ok(?:ay)?|k|so|hey|hi|hello|hmm+|um+|erm+|well|now|then|also|and|but|yes|yeah|yep|nope|thanks?(?: you)?|alright|actually|maybe|wait|again|just|quick(?: question)?|sorry|ah|oh|gah|tbh|@?claude|@\\w+|please|pls|plz|kindly|bitte|mal|jetzt)(?=[\\s,.!:;\\-–—]|$)',
    // "No line is read", "next page": words of the sentence, unless it stops after them.
    '(?:no|sure|right|great|perfect|nice|cool|good|awesome|excellent|first|next|absolutely|certainly)(?=[,.!:;–—]|\\s[-–—]|$)',
    '(?:can|could|would|will|do|should|shall) (?:you|we|u|i)(?! (?:not|still|even|really)\\b)(?: please| plz| maybe| also| now| just| quickly| help me)*(?=\\s)',
    "(?:(?:and )?i(?:'d| would)?(?: also| really| just)*(?: would)?(?: also)? (?:(?:like|love)(?! (?:it|this|that|the|them|how|these|those|where)\\b)|want|prefer|need|wish|think|guess)|we (?:want|need|should|could|have|would like)|you (?:should|can|need)|need|let'?s|let us|it(?:'d| would) be (?:nice|good|great)(?: if (?:you|we) (?:can|could))?|i was wondering if|i'm wondering if|is it possible|is there a way|feel free|go ahead and|try(?: to| and)|help me|help|(?:make sure|don'?t forget|be sure)(?= (?:to|you|we)\\b))(?: (?:you|we|us|your help(?: with| in)?))?(?: to)?(?=\\s)",
    '(?:tell|show|remind|give) me(?: again)?(?=\\s)',
    '(?:look at|check) the changes (?:in|on) (?:this|the) branch(?:,| and| then)+(?= \\w)',
    // Of "look at the list and review it" the list is wanted, of "look at fixing it" what follows.
    '(?:have|take) a (?:quick )?look(?! (?:at|into) (?:@|(?:the|these|those|my|our|an?) ))(?: at| into| to see)?(?=\\s)',
    '(?:kannst|könntest|könnten|können|würdest) (?:du|wir|sie)(?=\\s)',
    'based on what we(?: have)? (?:just )?(?:did|discussed),?(?=\\s)',
  ].join('|'),
  'iuy',
);
/** What only leads to the clause that says what is wanted. */
const LEADING_CLAUSE =
  /^(?:rather than|instead of|since|after|before|while|because|although|as|given|following|now that|once|for|in order to|to)\b[^,.?!]{8,120}(?:,|\.{2,}|…)\s+(?=\S.{18})/i;
const LEADING = wordSet(
  'rather instead since after before while because although as given following now once for in to',
);
/** "..., and then let's work on X": the part before is a report, not a request. */
const LET_US =
  /^.{0,120}?(?:\band\b|\bso\b|\bthen\b|[,;])[^,;.]{0,12}\blet['’]?s (?:get to work on |start (?:on|with) |work on )?(?=\S.{18})/i;
const TELLS_FIRST = /^(?:i|we|you|he|she|they|it|there|this|that|the|my|our)\b/i;
const LINK = /\[([^\]\n]{1,200})\]\([^)\s]*\)/g;
const URL = /https?:\/\/[^\s)>\]]+/g;
const REFERENCE = /\/(pull|issues|discussions)\/(\d+)/;
const REFERENCES: Record<string, string> = { pull: 'PR', issues: 'issue', discussions: 'discussion' };
/** A path says enough with its last part. */
const LONG_PATH = /(?<![\w.])@?(?:~|\.{1,2})?\/?(?:[\w.@+-]+\/){2,}([\w.@+-]*[\w@+-])/g;
const PLACEHOLDER = /\[(?:image|\d+ images|Image #\d+|Pasted text #\d+[^\]]*)\]/gi;
const IN_PLACEHOLDER = /\b(in|on|at|of|from|with|to|like|see) \[(?:image|Image #\d+)\](?=\s+\p{L})/giu;
/** What a sentence ends with after it said what is wanted. */
const TAIL =
  /[\s,;.-]*\b(?:(?:can|could|would) (?:you|we)(?: please)?(?: also)?(?: help(?: me)?(?: out)?| (?:take|have) a (?:quick )?look(?: at (?:it|this|that))?| check(?: (?:it|this|that))?| fix (?:it|this|that)| investigate| explain)?|any ideas?|what do you think|thoughts|thank you|thanks)[\s?.!]*$/i;
const IN_TAIL = ['can ', 'could ', 'would ', 'any idea', 'what do you think', 'thoughts', 'thank'];
const POLITE = ['please', 'pls', 'plz'];
const LONGEST = 2000;
const LONGEST_PLACE = 40;
/** A link behind the word for it. */
const TWICE = /\b(?:(?:this|the) )?(PR|issue|discussion):? \1 #/gi;

/** What a sentence of an ask wants, without greetings, politeness, links and paths. */
export function plainAsk(sentence: string): string {
  let text = withoutLinks(withoutImages(sentence.slice(0, LONGEST)));
  let at = 0;
  for (;;) {
    OPENING.lastIndex = at;
    const found = OPENING.exec(text);
    if (!found || found[0] === '') break;
    at += found[0].length;
  }
  text = text.slice(at);
  if (holdsAny(text.toLowerCase(), POLITE)) text = text.replace(/,?\s*\b(?:please|pls|plz)\b,?/gi, '');
  if (holdsAny(text.toLowerCase(), IN_TAIL)) text = text.replace(TAIL, '');
  return mainClause(text.replace(/\s+/g, ' ').trim());
}

/** Links as what they are called, or what they point at; paths as their last part. */
function withoutLinks(text: string): string {
  let plain = text;
  if (plain.includes('](')) plain = plain.replace(LINK, '$1');
  if (plain.includes('://')) plain = plain.replace(URL, (url) => referenceOf(url));
  if (plain.includes(' #')) plain = plain.replace(TWICE, '$1 #');
  return plain.includes('/') ? plain.replace(LONG_PATH, '$1') : plain;
}

/** The clause with the request, if another clause precedes it. */
function mainClause(text: string): string {
  const behind = mayBeginWith(text, LEADING) ? text.replace(LEADING_CLAUSE, '') : text;
  if (behind !== text) return plainAsk(behind);
  const mayLet = text.toLowerCase().includes('let');
  const asked = mayLet && TELLS_FIRST.test(text) ? text.replace(LET_US, '') : text;
  return asked === text ? text : plainAsk(asked);
}

function referenceOf(url: string): string {
  const found = REFERENCE.exec(url);
  if (found) return `${REFERENCES[found[1]!]} #${found[2]}`;
  const place = url.replace(/^https?:\/\/(?:www\.)?|[?#].*$/g, '').replace(/[/.,;:]+$/, '');
  return place.length <= LONGEST_PLACE ? place : place.split('/', 1)[0]!;
}

/** Marks the place of an image or a paste; a sentence that continues after it still needs a word there. */
export function withoutImages(text: string): string {
  if (!text.includes('[')) return text.trim();
  return text.replace(IN_PLACEHOLDER, '$1 the image').replace(PLACEHOLDER, '').trim();
}
