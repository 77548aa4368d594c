import { LINE } from '../model/search.ts';
import { holdsAny } from '../text/may-match.ts';

const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';
const DAYS = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
/** Words that place something in time: dates, days, "last week", "two days ago", clock times. */
const TIME = new RegExp(
  `\\b(?:${DAYS}|yesterday|today|tomorrow|tonight|(?:last|next|this|past|previous|following) (?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|${DAYS}|${MONTHS})|(?:\\w+ )?(?:days?|weeks?|months?|years?|hours?|minutes?) (?:ago|later|before|after|earlier)|(?:${MONTHS})\\.? \\d{1,4}|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTHS})|(?:19|20)\\d\\d|\\d{1,2}:\\d\\d|\\d{4}-\\d\\d-\\d\\d|since|recently|soon|the (?:other|same) day)\\b`,
  'i',
);
const IN_TIME =
  'day tomorrow tonight night week month year summer winter spring fall autumn hour minute since recently soon'.split(
    ' ',
  );
const BEFORE_MONTH = ['last ', 'next ', 'this ', 'past ', 'previous ', 'following '];
const IN_MONTH = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NUMBER =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|several|few)\b/i;
const QUESTION_END = /[?？]\s*["')\]]*\s*$/;
/** A question of at most this many characters says little itself; its answer follows. */
const SHORT = 120;

/** The features of a line that ranking asks for, as bits of `LINE`. */
export function lineFlags(text: string): number {
  // Long lines are not talk; what is at their start and end is enough.
  const looked = text.length > 4000 ? `${text.slice(0, 3000)} ${text.slice(-1000)}` : text;
  let flags = 0;
  if (mayHoldTime(looked) && TIME.test(looked)) flags |= LINE.time;
  if (NUMBER.test(looked)) flags |= LINE.number;
  if (QUESTION_END.test(looked)) {
    flags |= LINE.asks;
    if (text.length <= SHORT) flags |= LINE.question;
  }
  return flags;
}

function mayHoldTime(text: string): boolean {
  if (/\d/.test(text)) return true;
  const lower = text.toLowerCase();
  return holdsAny(lower, IN_TIME) || (holdsAny(lower, BEFORE_MONTH) && holdsAny(lower, IN_MONTH));
}
