/** A title's length, where a place has room for it. */
export const LONGEST_TITLE = 80;
/** A title that has no clause to end at before that may go on to here. */
export const LONGEST_WHOLE_TITLE = 115;

/** A shorter part of the length would say less than there is room for. */
const SHORTEST_PART = 0.4;
/** Before this the end of a sentence is an abbreviation or a single word. */
const FIRST_WORDS = 12;
const CLAUSE =
  /[.;:!?](?=\s|$)|\s[-–—(]\s?|,? (?:because|so that|so|since|as well as|which|while|where|when(?= i\b)|but|and (?:then|also|i|we|it)|if you|based on|can (?:you|we)|could (?:you|we)|i (?:think|guess|want|mean)|using the following|like so|e\.g\.|instead of|in order to|to (?:make|ensure|avoid)|and|for example)\b|,(?=\s)|[。！？；，、：]/gi;
const SENTENCE = /[.!?](?=\s)/g;
/** Characters of a further sentence that say nothing yet. */
const FEW_WORDS = 30;
/** What a sentence says more exactly from here on: without it, it is still one. */
const PHRASE =
  / (?:for|with|without|in|on|from|by|using|via|after|before|until|unless|when|if|during|through|across|between|inside|under|into|per|including|such as|rather than)\b/gi;
/** What the words before it can do without, where they must. */
const COMPLEMENT = / (?:that|to|of|who|whose|whether|about|as|at)\b/gi;
/** What stands in an open bracket is more than a remark where less than this stands before it. */
const SHORTEST_WHOLE = 0.6;
const LOOSE_END =
  /[\s,]+(?:the|a|an|to|of|in|for|on|and|or|with|by|that|is|are|from|at|as|when|if|we|i|you|it|this|be|not|but|so|into|than|its|their|our|your|my|und|der|die|das|mit|für)$/i;
/** The few first words of a further part, which say nothing without its rest. */
const BEGUN_PART = /, (?:and|or|but|so)(?: [\w'’-]+){1,2}$/i;
/** The number of the next item of a list. */
const NEXT_NUMBER = /[;,] \d{1,2}$/;
/** Of a clause only its first words: what it says is still to come. */
const BEGUN_CLAUSE = /\b(?:that|whether|which|because|so that)(?: [\w'’-]+){0,2}$/i;
const EDGES = /^[\s.,:;\-–—!…"'“”*_#>)]+|[\s.,:;\-–—!…"'“”*_(]+$/g;
const QUESTION =
  /^(?:is|are|was|were|why|how|what|what's|which|who|where|when|does|do|did|should|would|can|could|has|have|isn.t|doesn.t|any|wie|warum|was|wer|wo)\b/i;
/** `sessionState`, `mise.toml`, `a_b`: not to be changed. */
const NAME = /^[a-z][\w-]*(?:[A-Z_./:@]|\(\))/;

export type FittedTitle = { text: string; cut: boolean };

/** One sentence on one line and without signs; cut at a clause, else between two words. */
export function fitTitle(text: string, longest = LONGEST_TITLE): FittedTitle {
  const ended = firstSentence(onOneLine(text));
  return { text: capital(cutTitle(ended, longest)), cut: ended.length > longest };
}

/** A sentence on one line, without signs around it and with a capital. */
export function plainTitle(text: string): string {
  const plain = onOneLine(text);
  return capital(isStatement(plain) ? trimmed(plain.slice(0, -1)) : plain);
}

/** Cut to a length at a clause, else between two words, with no bracket left open. */
export function cutTitle(text: string, longest: number): string {
  const short = trimmed(text.length > longest ? shortened(text, longest) : text).replace(NEXT_NUMBER, '');
  return balanced(isStatement(short) ? trimmed(short.slice(0, -1)) : short);
}

function onOneLine(text: string): string {
  return trimmed(text.replace(/[`*]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)/g, '').replace(/\s+/g, ' '));
}

function isStatement(text: string): boolean {
  return /[?？]$/.test(text) && !QUESTION.test(text);
}

function firstSentence(text: string): string {
  const end = /[?!.;](?=\s)/.exec(text.slice(FIRST_WORDS));
  return end ? text.slice(0, FIRST_WORDS + end.index + (end[0] === '?' ? 1 : 0)) : text;
}

/** Never half a sentence: to the end of one, of a clause or of what a clause can do without. */
function shortened(text: string, longest: number): string {
  const most = longest === LONGEST_TITLE ? LONGEST_WHOLE_TITLE : longest;
  const endsOf = (pattern: RegExp) =>
    [...text.slice(0, most + 1).matchAll(pattern)]
      .filter(({ index }) => index <= most && index >= longest * SHORTEST_PART)
      .filter(({ 0: sign, index }) => /[.!?;:]/.test(sign) || !BEGUN_CLAUSE.test(text.slice(0, index)))
      .map(({ 0: sign, index }) => index + (/^[?？]$/.test(sign) ? 1 : 0));
  const ends = [...endsOf(CLAUSE), ...endsOf(PHRASE), ...(text.length <= most ? [text.length] : [])];
  const near = Math.max(0, ...ends.filter((end) => end <= longest));
  const beyond = ends.filter((end) => end > longest);
  const end = near || (beyond.length > 0 ? Math.min(...beyond) : Math.max(0, ...endsOf(COMPLEMENT)));
  // The few first words of a further sentence that has no clause to end at say nothing.
  const sentence = Math.max(0, ...endsOf(SENTENCE).filter((it) => it < end));
  if (sentence > 0 && end - sentence < FEW_WORDS && !/[.!?;。！？]/.test(text.slice(end - 1, end + 1)))
    return withoutLooseEnd(text.slice(0, sentence));
  if (end > 0) return withoutLooseEnd(withoutBegunPart(text.slice(0, end), longest));
  const head = text.slice(0, longest);
  const space = head.lastIndexOf(' ');
  const words = space > longest / 2 ? head.slice(0, space) : wholeCharacters(head.slice(0, -1));
  return `${withoutLooseEnd(words)}…`;
}

function withoutBegunPart(text: string, longest: number): string {
  const shorter = text.replace(BEGUN_PART, '');
  return shorter.length >= longest * SHORTEST_PART ? shorter : text;
}

function withoutLooseEnd(text: string): string {
  for (let rest = text; ; ) {
    const shorter = rest.replace(LOOSE_END, '');
    if (shorter === rest) return trimmed(rest);
    rest = shorter;
  }
}

function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function trimmed(text: string): string {
  const bare = text.replace(EDGES, '');
  return text.trimEnd().endsWith('…') ? `${bare}…` : bare;
}

/** A bracket near the end or a quotation that was cut open is left out. */
function balanced(text: string): string {
  const open = text.lastIndexOf('(');
  const isCut = open > FIRST_WORDS && open > text.length * SHORTEST_WHOLE && !text.includes(')', open);
  const whole = isCut ? withoutLooseEnd(trimmed(text.slice(0, open))) : text;
  if ((whole.match(/"/g)?.length ?? 0) % 2 === 0) return whole;
  const last = whole.lastIndexOf('"');
  return whole.slice(0, last) + whole.slice(last + 1);
}

function capital(text: string): string {
  if (text === '' || NAME.test(text)) return text;
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}
