import { once } from './once.ts';

const FENCE = /^\s*(`{3,}|~{3,})/;
/** What a line begins with in Markdown and says nothing: bullets, numbers, check boxes, headings. */
const LEAD = /^\s*(?:#{1,6}\s+)?(?:[-*+•]\s+|(?:\*\*)?\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?/;
const QUOTED = /^\s*>/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*(?:[-*_=]\s*){3,}$/;
/** An end of a sentence: a mark and a space, or a mark that needs no space after it. */
const ENDS = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[」』”）]*/gu;
const abbreviation = once(
  () => /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|nr|z\.B|d\.h|bzw|usw|ca|Mr|Ms|Dr|St|\p{Lu})$/u,
);
const LONGEST_ABBREVIATION = 12;
const EMPHASIS = /\*\*|__(?=\S)|(?<=\S)__/g;
/** A keepit's marker says how much its words weigh, and is none of them. */
const MARKER = /##\/?keepit[\d.]*##\s*/gi;
const LINK = /\[([^\]\n]{1,200})\]\((?:https?:|\/|\.)[^)\s]*\)/g;

/**
 * The sentences of prose, in order, without Markdown's signs. A line never continues into the next. Fenced code, quoted
 * lines and rows of tables are not prose and are left out.
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      continue;
    }
    if (fence !== undefined || QUOTED.test(line) || TABLE_ROW.test(line) || RULE.test(line)) continue;
    splitLine(
      line.replace(LEAD, '').replace(EMPHASIS, '').replace(MARKER, '').replace(LINK, '$1'),
      sentences,
    );
  }
  return sentences;
}

function splitLine(line: string, sentences: string[]): void {
  let from = 0;
  for (const match of line.matchAll(ENDS)) {
    const end = match.index + match[0].length;
    // An abbreviation is short: looking further back would cost more the longer a line is.
    const before = line.slice(Math.max(from, match.index - LONGEST_ABBREVIATION), match.index);
    if (match[0] === '.' && (abbreviation().test(before) || /^\s*\d{1,3}$/.test(before))) continue;
    push(line.slice(from, end), sentences);
    from = end;
  }
  push(line.slice(from), sentences);
}

function push(text: string, sentences: string[]): void {
  const plain = text.trim();
  if (/[\p{L}\p{N}]/u.test(plain)) sentences.push(plain);
}

/** Less than this share of the room in whole sentences or clauses says too little: then words are cut. */
const LEAST_WHOLE = 0.4;
const CLAUSE_ENDS = /(?:[.!?…]+["'”’)\]]*(?=\s)|[。！？]+[」』”）]*|;(?=\s))/gu;

/** As many whole sentences, or parts between semicolons, as fit; a first one that is longer is cut at a word. */
export function wholeSentences(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = 0;
  for (const match of text.slice(0, longest).matchAll(CLAUSE_ENDS))
    end = match[0] === ';' ? match.index : match.index + match[0].length;
  const whole = end < longest * LEAST_WHOLE ? cutAtWord(text, longest - 1) : text.slice(0, end).trimEnd();
  // What was quoted is closed again.
  const isOpen = (whole.match(/"/g)?.length ?? 0) % 2 === 1;
  return isOpen ? `${whole.replace(/…$/u, '')}…"` : whole;
}

/** White space that is more than one space between two words. */
const UNEVEN = /\s\s|[^\S ]|^\s|\s$/;

/** Cut between two words, never inside one, with a sign that something is missing. */
export function cutAtWord(text: string, longest: number): string {
  const plain = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  if (plain.length <= longest) return plain;
  const head = plain.slice(0, longest - 1);
  // Where words are not set apart by spaces, a character is where one may cut.
  const spaced = head.lastIndexOf(' ');
  const whole = spaced > longest / 2 ? head.slice(0, spaced) : withoutHalf(head);
  return `${whole.replace(/[\s,;:([{-]+$/u, '')}…`;
}

function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  const whole = last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
  const word = /[\p{L}\p{N}_]+$/u.exec(whole)?.[0] ?? '';
  const isSpaced = /^[\p{Script=Latin}\p{N}_]+$/u.test(word);
  return isSpaced && word.length < whole.length ? whole.slice(0, -word.length) : whole;
}
