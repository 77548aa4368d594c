import type { L1Line } from '../model/l1.ts';
import { codeNames, fileNames } from '../text/code-names.ts';
import { aboutWords } from './about-words.ts';

/** How many of a line's own words, and which share, must occur in a session that uses it. */
const FEWEST = 3;
const SHARE = 0.25;

/** Lines of a text, and those of them that the session touched. */
export type TouchedLines = { shown: number; touched: number };

/**
 * Which of the lines that a start quotes a session touched: a file of the line was opened or changed, a name of it was written,
 * or several of its words came up. What the user says there would have come up anyway and does not count.
 */
export function touchedLines(text: string, lines: readonly L1Line[]): TouchedLines {
  const asked = lines.flatMap(({ role, text = '' }) => (role === 'user' ? [text] : [])).join('\n');
  const own = lines.filter(({ role }) => role === 'assistant' || role === 'tool');
  const targets = own.map(({ target = '' }) => target).join('\n');
  const written = `${own.map(({ text = '' }) => text).join('\n')}\n${targets}`;
  const [opened, names] = [new Set(fileNames(targets)), new Set(codeNames(written))];
  const [words, askedWords] = [aboutWords(written), aboutWords(asked)];
  const quoted = text.split('\n').filter((line) => /^>\s*\S/.test(line));
  const isTouched = (line: string) => {
    if (fileNames(line).some((file) => opened.has(file) && !asked.includes(file))) return true;
    if (codeNames(line).some((name) => names.has(name) && !asked.includes(name))) return true;
    const about = [...aboutWords(line)].filter((word) => !askedWords.has(word));
    const came = about.filter((word) => words.has(word)).length;
    return came >= FEWEST && came >= SHARE * about.length;
  };
  return { shown: quoted.length, touched: quoted.filter(isTouched).length };
}
