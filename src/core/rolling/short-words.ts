/** What a sentence begins with before it says anything. */
const LEADING =
  /^(?:so|ok(?:ay)?|hmm+|and|but|yes|thank you|thanks|great|perfect|also|well|now|please|can you|could you|can we|could we|i think|i guess|let's|lets|agreed to:)[,.!:]?\s+(?=\S)/i;
/** Headings of a report, and how many lines it was. */
const REPORT = /\b(?:Changes Made|(?:The )?Key Changes|What Changed|Summary|Done|Fixed)[.:]\s+(?=\S)/gi;
const LINE_COUNT = /\s*\(\+?\d+ lines\)/g;
/** A path says enough with its last part, a line's number changes with the next edit. */
const LONG_PATH = /(?<![\w:/.@-])(?:\.{0,2}\/)?(?:[\w.@-]+\/){2,}(?=[\w.-]+)/g;
const LINE_NUMBER = /(?<=\.[A-Za-z]\w{0,4}):\d+(?:-\d+)?\b/g;

/** Words of a user from where they begin to say something; what is left of them is as it was said. */
export function fromTheirPoint(words: string): string {
  for (let rest = words; ; ) {
    const shorter = rest.replace(LEADING, '');
    if (shorter === rest) return rest;
    rest = shorter;
  }
}

/** The outcome, without what a reader of memory does not need. */
export function shortOutcome(outcome: string): string {
  return outcome
    .replace(REPORT, '')
    .replace(LINE_COUNT, '')
    .replace(LONG_PATH, '')
    .replace(LINE_NUMBER, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const CODE = /`([^`\n]*)`/g;
/** Code that a page would not read as signs of its own. */
const PLAIN_CODE = /^[\w./:@,=()$+ -]+$/;

/** Without the signs around code and stress, where it reads the same without them. */
export function withoutSigns(text: string): string {
  return text
    .replace(CODE, (whole, code: string) => (PLAIN_CODE.test(code) ? code : whole))
    .replace(/\*\*([^*\n]+)\*\*/g, '$1');
}
