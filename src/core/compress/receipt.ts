import type { KeepitOutcome, Receipt } from '../model/version.ts';
import { firstWords } from './clip-at-word.ts';
import type { Turn } from './turn.ts';
import { errorText } from './units/tool-units.ts';
import type { VersionLine } from './write/version-line.ts';

const MOST_LOST = 300;
const LONGEST_LOST = 200;
const FILE_TOOLS = new Set(['Read', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'NotebookRead']);
/** A path: at least one slash, or a name with an extension. */
const PATH = /(?<![\p{L}\p{N}_./@~-])[~.]{0,2}\/?(?:[\p{L}\p{N}_.@+-]+\/)+[\p{L}\p{N}_.@+-]*[\p{L}\p{N}_]/gu;
const LONGEST_PATH = 200;

type Tally = Receipt['paths'];

/** What of the original's paths, commands and errors is in the version. */
export function receiptOf(
  turns: Turn[],
  { lines, markdown }: { lines: VersionLine[]; markdown: string },
  outcomes: KeepitOutcome[],
  ratios: { asked: number; reached: number; reason?: string | undefined },
): Receipt {
  const { reason } = ratios;
  const toolTexts = textsOfTools(lines);
  return {
    keepits: outcomes,
    paths: pathsOf(turns, toolTexts, markdown),
    commands: tallied(commandsOf(turns), toolTexts, markdown),
    errors: tallied(errorsOf(turns), toolTexts, markdown),
    askedRatio: ratios.asked,
    reachedRatio: ratios.reached,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** What tool lines say, piece by piece: most of what is looked for is found here without a search. */
function textsOfTools(lines: VersionLine[]): Set<string> {
  const texts = new Set<string>();
  for (const { form, text } of lines) {
    if (form === 'code') texts.add(text);
    if (form !== 'tool') continue;
    for (const part of [text, ...text.split(' → '), ...text.split(', ')]) texts.add(part);
  }
  return texts;
}

function pathsOf(turns: Turn[], tools: Set<string>, markdown: string): Tally {
  const all = new Set<string>();
  for (const { line } of turns) {
    if (line.role === 'tool' && FILE_TOOLS.has(line.name ?? '') && line.target) all.add(line.target);
    if (line.role !== 'tool') for (const path of pathsIn(line.text ?? '')) all.add(path);
  }
  const included = new Set(pathsIn(markdown));
  return tally(all, (path) => included.has(path) || tools.has(path) || appearsIn(markdown, path));
}

function pathsIn(text: string): string[] {
  if (!text.includes('/')) return [];
  return (text.match(PATH) ?? []).filter((path) => path.length <= LONGEST_PATH && /[./][\p{L}_]/u.test(path));
}

function commandsOf(turns: Turn[]): Set<string> {
  const all = new Set<string>();
  for (const { line, detail } of turns) {
    if (line.role !== 'tool' || line.name !== 'Bash' || !line.target) continue;
    const whole = detail?.input?.command;
    all.add(line.target.endsWith('…') && typeof whole === 'string' ? whole : line.target);
  }
  return all;
}

function errorsOf(turns: Turn[]): Set<string> {
  const all = new Set<string>();
  for (const { line } of turns) if (line.role === 'tool' && line.result) all.add(errorText(line.result));
  return all;
}

/** The words as they are in the Markdown, where lines of a list are indented. */
function tallied(all: Set<string>, toolTexts: Set<string>, markdown: string): Tally {
  return tally(
    all,
    (text) =>
      toolTexts.has(text) || appearsIn(markdown, text.replace(/\n/g, '\n  ')) || appearsIn(markdown, text),
  );
}

function tally(all: Set<string>, isIncluded: (text: string) => boolean): Tally {
  const lost = [...all].filter((text) => !isIncluded(text));
  const words = lost.map((text) => (text.length > LONGEST_LOST ? firstWords(text, LONGEST_LOST) : text));
  return {
    total: all.size,
    kept: all.size - lost.length,
    lost: [...new Set(words)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).slice(0, MOST_LOST),
  };
}

/** As whole words: `a.ts` is not in `data.ts`. */
function appearsIn(markdown: string, text: string): boolean {
  for (let at = markdown.indexOf(text); at !== -1; at = markdown.indexOf(text, at + 1)) {
    if (!isWord(markdown[at - 1]) && !isWord(markdown[at + text.length])) return true;
  }
  return false;
}

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}_/]/u.test(sign);
}
