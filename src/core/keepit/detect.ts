import { shortHash } from '../model/ids.ts';
import { type CharRange, inlineCode, linesOf, type MarkdownLine } from './code-ranges.ts';
import { endOfBlock } from './extent.ts';
import { validWeight } from './weight.ts';

/** `start..end` is the marker with its content and closing tag; `contentStart..contentEnd` the content, trimmed. */
export type Keepit = {
  weight: number;
  content: string;
  start: number;
  end: number;
  contentStart: number;
  contentEnd: number;
};

/** paragraph: up to the end of the paragraph; message: up to the next marker or the end of the message. */
export type KeepitExtent = 'paragraph' | 'message';

/** A marker, a closing tag, or anything else that begins like a marker. */
const TAGS = /##keepit(?:(\d+\.\d{2})##)?|##\/keepit##/gi;

type Tag = { kind: 'marker' | 'close' | 'malformed'; weight: number; start: number; end: number };

/** The markers of one message, in order. Code is never a marker; a marker with nothing after it keeps nothing. */
export function detectKeepits(text: string, options: { extent?: KeepitExtent } = {}): Keepit[] {
  if (!/##keepit\d/i.test(text)) return [];
  const lines = linesOf(text);
  const tags = tagsOf(text, lines);
  const found: Keepit[] = [];
  let line = 0;
  for (let i = 0; i < tags.length; i++) {
    const tag = tags[i]!;
    if (tag.kind !== 'marker') continue;
    while (lines[line]!.end < tag.start) line++;
    const limit = options.extent === 'message' ? messageLimit(text, tags, i) : paragraphLimit(text, tags, i);
    const stop = limit.hard ? limit.at : endOfBlock(text, lines, { line, tag }, limit.at);
    const keepit = trimmed(text, tag, stop, limit.hard ? limit.closedAt : undefined);
    if (keepit) found.push(keepit);
  }
  return found;
}

/** The same marker gets the same id, however often its session is read. */
export function keepitId(sessionId: string, messageId: string, start: number): string {
  return `k_${shortHash(`${sessionId}\n${messageId}\n${start}`, 16)}`;
}

type Limit = { at: number; hard: boolean; closedAt?: number };

/** To the next marker at most; a closing tag before it means exactly up to there, over blank lines too. */
function paragraphLimit(text: string, tags: Tag[], from: number): Limit {
  for (let i = from + 1; i < tags.length; i++) {
    const tag = tags[i]!;
    if (tag.kind === 'close') return { at: tag.start, hard: true, closedAt: tag.end };
    if (tag.kind === 'marker') return { at: tag.start, hard: false };
  }
  return { at: text.length, hard: false };
}

/** The pattern without paragraphs: whatever begins like a marker ends the one before. */
function messageLimit(text: string, tags: Tag[], from: number): Limit {
  for (let i = from + 1; i < tags.length; i++) {
    if (tags[i]!.kind !== 'close') return { at: tags[i]!.start, hard: true };
  }
  return { at: text.length, hard: true };
}

function tagsOf(text: string, lines: MarkdownLine[]): Tag[] {
  const code: CharRange[] = [...lines.filter((line) => line.fenced), ...inlineCode(text, lines)];
  code.sort((a, b) => a.start - b.start);
  const tags: Tag[] = [];
  let next = 0;
  for (const match of text.matchAll(TAGS)) {
    while (next < code.length && code[next]!.end <= match.index) next++;
    const inside = code[next];
    if (inside && inside.start <= match.index && !opensTheFence(text, inside, match)) continue;
    const kind = match[1] ? 'marker' : match[0].startsWith('##/') ? 'close' : 'malformed';
    const weight = match[1] ? validWeight(Number(match[1])) : 0;
    tags.push({ kind, weight, start: match.index, end: match.index + match[0].length });
  }
  return tags;
}

/** A marker may be on the line of the fence that it keeps. */
function opensTheFence(text: string, line: CharRange, match: RegExpExecArray): boolean {
  return /^[\s>*+\-\d.)]*$/.test(text.slice(line.start, match.index)) && isFenceAfter(text, line, match);
}

function isFenceAfter(text: string, line: CharRange, match: RegExpExecArray): boolean {
  return /^[ \t]*(?:```|~~~)/.test(text.slice(match.index + match[0].length, line.end));
}

function trimmed(text: string, tag: Tag, stop: number, closedAt: number | undefined): Keepit | undefined {
  const raw = text.slice(tag.end, stop);
  const content = raw.trim();
  if (content === '') return undefined;
  const contentStart = tag.end + (raw.length - raw.trimStart().length);
  const contentEnd = contentStart + content.length;
  return {
    weight: tag.weight,
    content,
    start: tag.start,
    end: closedAt ?? contentEnd,
    contentStart,
    contentEnd,
  };
}
