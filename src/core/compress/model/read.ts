import { type Grounding, groundingIn } from '../../text/grounding.ts';
import { redact } from '../../text/redact.ts';
import { plainAnswer } from '../../text/tagged-items.ts';
import { textBlocks } from '../units/blocks.ts';
import type { Chunk } from './ask.ts';
import { type OverturnedWords, restated } from './overturned.ts';
import type { ExchangePiece } from './pieces.ts';

/** A piece as a model compressed it: only what is sound. `kept` is the mark of something kept word for word. */
export type CompressedPiece = {
  piece: ExchangePiece;
  parts: ({ text: string } | { kept: string })[];
  dropped: string[];
};

export type ReadReply = { compressed: CompressedPiece[]; missing: { piece: ExchangePiece; why: Why }[] };
export type Why = 'refused' | 'empty' | 'unfounded' | 'cut' | 'foreign';

const SECTION =
  /<exchange\s+n="?(\d{1,4})"?[^>]*>([\s\S]*?)(?=<\/exchange\s*>|<exchange\s+n=|$)(<\/exchange\s*>)?/gi;
const REFUSAL =
  /^\W{0,3}(?:i(?:'|’)?m (?:sorry|unable|not able)|i am (?:sorry|unable|not able)|sorry\b|i (?:can(?:'|’)?t|cannot|won(?:'|’)?t|must decline)|as an ai|unfortunately,? i)/i;
/** A mark, or what a model made of one. */
const MARK = /\bKEEP\W{0,3}[0-9a-f]{4}\b/;
/** An answer of another language shares hardly a word with its source; names aside. */
const LEAST_SHARE = 0.25;
const FEWEST_TERMS = 8;
const LONGEST_DROPPED = 200;

/**
 * What of an answer can be used. A sentence that names a path, a number, a command or a name that was not in the
 * question is dropped, so is one that says nothing about the source, one that comes again, and one that states what was withdrawn.
 */
export function readReply(answer: string, end: 'done' | 'cut' | 'refused', chunk: Chunk): ReadReply {
  const plain = redact(plainAnswer(answer)).text;
  const sections = sectionsOf(plain, end, chunk.pieces.length);
  const grounding = groundingIn(chunk.pieces.map(({ text }) => text).join('\n\n'));
  const reply: ReadReply = { compressed: [], missing: [] };
  chunk.pieces.forEach((piece, at) => {
    const section = sections.get(at + 1);
    if (section === undefined || section.trim() === '') {
      reply.missing.push({ piece, why: whyNothing(plain, end) });
      return;
    }
    const compressed = readSection(section, piece, { grounding, overturned: chunk.overturned ?? [] });
    if (typeof compressed === 'string') reply.missing.push({ piece, why: compressed });
    else reply.compressed.push(compressed);
  });
  return reply;
}

/** By number. A single stretch may come without its tags; of one that was cut off the last sentence does not count. */
function sectionsOf(answer: string, end: string, pieces: number): Map<number, string> {
  const found = new Map<number, string>();
  for (const [, number, text = '', closed] of answer.matchAll(SECTION)) {
    const whole = closed !== undefined || end === 'done';
    if (!found.has(Number(number))) found.set(Number(number), whole ? text : withoutLast(text));
  }
  const bare = answer.replace(/<\/?exchange[^>]*>/gi, '').trim();
  if (found.size === 0 && pieces === 1 && bare !== '' && end !== 'refused' && !REFUSAL.test(bare))
    found.set(1, end === 'cut' ? withoutLast(bare) : bare);
  return found;
}

function withoutLast(text: string): string {
  const last = textBlocks(text, 0, text.length).at(-1);
  return last ? text.slice(0, last.start) : '';
}

function whyNothing(answer: string, end: string): Why {
  if (end === 'refused' || REFUSAL.test(answer)) return 'refused';
  return end === 'cut' ? 'cut' : answer.trim() === '' ? 'empty' : 'unfounded';
}

type Checks = { grounding: Grounding; overturned: readonly OverturnedWords[] };

function readSection(section: string, piece: ExchangePiece, checks: Checks): CompressedPiece | Why {
  const { grounding } = checks;
  if (REFUSAL.test(section.trim()) && section.length < 600 && grounding.share(section) < 0.5)
    return 'refused';
  const compressed: CompressedPiece = { piece, parts: [], dropped: [] };
  const seen = new Set<string>();
  const marks = new Set<string>();
  for (const paragraph of paragraphsOf(section)) {
    const mark = paragraph.trim();
    if (piece.kept.has(mark)) {
      if (!marks.has(mark)) compressed.parts.push({ kept: mark });
      marks.add(mark);
      continue;
    }
    const text = soundOf(paragraph, checks, seen, compressed.dropped);
    if (text !== '') compressed.parts.push({ text });
  }
  // A mark that the answer lost: its content comes last.
  for (const mark of piece.kept.keys()) if (!marks.has(mark)) compressed.parts.push({ kept: mark });
  const words = compressed.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  if (isForeign(words === '' ? section : words, grounding)) return 'foreign';
  if (words === '') return compressed.dropped.length > 0 ? 'unfounded' : 'empty';
  return compressed;
}

/** Marks are alone, whatever is written around them; a block of code is never parted. */
function paragraphsOf(section: string): string[] {
  const apart = section.replace(/[`*]*(\{\{KEEP-[0-9a-f]+-\d+\}\})[`*]*/g, '\n\n$1\n\n');
  const paragraphs: string[] = [];
  let own: string[] = [];
  let fence = false;
  for (const line of apart.split('\n')) {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) fence = !fence;
    if (line.trim() !== '' || fence) own.push(line);
    else if (own.length > 0) {
      paragraphs.push(own.join('\n'));
      own = [];
    }
  }
  if (own.length > 0) paragraphs.push(own.join('\n'));
  return paragraphs;
}

function soundOf(paragraph: string, checks: Checks, seen: Set<string>, dropped: string[]): string {
  const { grounding, overturned } = checks;
  let text = '';
  let before = -1;
  for (const { start, end, kind } of textBlocks(paragraph, 0, paragraph.length)) {
    const unit = paragraph.slice(start, end);
    const same = unit
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (same === '') continue;
    const unknown = kind === 'code' ? linesUnknown(unit, grounding) : grounding.unknownIn(unit);
    const empty =
      kind === 'prose' && unknown.length === 0 && (grounding.share(unit) === 0 || MARK.test(unit));
    const again = kind === 'prose' ? restated(unit, overturned) : undefined;
    const isUnsound = unknown.length > 0 || empty || again !== undefined;
    if (again) dropped.push(describeRestated(unit, again));
    else if (isUnsound) dropped.push(describeDropped(unit, unknown));
    else if (!seen.has(same)) {
      const between = before === -1 ? '' : paragraph.slice(before, start);
      text +=
        before === -1
          ? ''
          : between.trim() === '' && between !== ''
            ? between
            : between.includes('\n')
              ? '\n'
              : ' ';
      text += unit;
    }
    if (!seen.has(same) && !isUnsound) before = end;
    seen.add(same);
  }
  return text.trim();
}

/** Code is sound when each of its lines is; the word that names its language says nothing. */
function linesUnknown(block: string, grounding: Grounding): string[] {
  const lines = block
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^(?:`{3,}|~{3,})\s*(?:[a-z][a-z0-9+#-]{0,14}\s*$)?/i, '')
        .trim(),
    )
    .filter((line) => line !== '');
  return lines.flatMap((line) => grounding.unknownIn(`\`${line.replaceAll('`', "'")}\``));
}

function describeRestated(unit: string, { by, ts }: OverturnedWords): string {
  return `${shortened(unit)} (said at ${ts.slice(0, 16).replace('T', ' ')}, taken back later: "${by}")`;
}

function shortened(unit: string): string {
  const plain = unit.replace(/\s+/g, ' ').trim();
  return plain.length > LONGEST_DROPPED ? `${plain.slice(0, LONGEST_DROPPED)}…` : plain;
}

function describeDropped(unit: string, unknown: string[]): string {
  const short = shortened(unit);
  return unknown.length === 0 ? short : `${short} (not in the source: ${unknown.slice(0, 3).join(', ')})`;
}

function isForeign(text: string, grounding: Grounding): boolean {
  const words = text.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return words.length >= FEWEST_TERMS && grounding.share(text) < LEAST_SHARE;
}
