import type { VersionLine } from './version-line.ts';

/** A version as Markdown, and for each of its lines the place of the version line that it shows, or -1 for none. */
export type Layout = { markdown: string; lineOf: number[] };

const LONGEST_HEADING = 240;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Depends on nothing but the lines: what is stored as JSONL gives the same Markdown again. */
export function layout(lines: VersionLine[]): Layout {
  const parts: string[] = [];
  const lineOf: number[] = [];
  let day = '';
  let before: VersionLine | undefined;
  lines.forEach((line, index) => {
    const text = blockOf(line, line.form === 'ask' && day === line.ts.slice(0, 10));
    if (line.form === 'ask' && line.frame === undefined) day = line.ts.slice(0, 10);
    const close =
      (before?.form === 'tool' && line.form === 'tool') ||
      (before?.frame === 'none' && line.frame === 'none');
    if (before) parts.push(close ? '\n' : '\n\n');
    if (before && !close) lineOf.push(-1);
    parts.push(text);
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lineOf.push(index);
    lineOf.push(index);
    before = line;
  });
  // Where there is no room for a mark, there is none for a last newline.
  const end = before === undefined || before.frame === 'none' ? '' : '\n';
  return { markdown: `${parts.join('')}${end}`, lineOf };
}

function blockOf(line: VersionLine, sameDay: boolean): string {
  switch (line.form) {
    case 'title':
      return `# ${line.text}`;
    case 'ask':
      return line.frame === 'none' ? closed(demoted(line.text)) : askBlock(line, sameDay);
    case 'said':
      return `${line.frame === 'none' ? '' : speaker(line)}${closed(demoted(line.text))}`;
    case 'tool':
      return `- ${line.name ? `${line.name}${line.text === '' ? '' : ': '}` : ''}${line.text.replace(/\n/g, '\n  ')}`;
    case 'code':
      return fenced(line.text, line.diff ? 'diff' : '');
    case 'kept':
      return `${line.weight === undefined ? '' : `> kept ${line.weight.toFixed(2)}\n\n`}${closed(line.text)}`;
    case 'gap':
      return `*${line.text}*`;
  }
}

function askBlock(line: VersionLine, sameDay: boolean): string {
  const time = line.frame ? '' : sameDay ? line.ts.slice(11, 16) : line.ts.slice(0, 16).replace('T', ' ');
  const head = ['##', time, line.abandoned ? '(abandoned)' : '', line.name ? `${line.name}:` : '']
    .filter(Boolean)
    .join(' ');
  const newline = line.text.indexOf('\n');
  const first = newline === -1 ? line.text : line.text.slice(0, newline);
  if (line.text === '') return head;
  if (first.length > LONGEST_HEADING || /^\s*(?:`{3}|~{3}|\|)/.test(first)) {
    return `${head}\n\n${closed(demoted(line.text))}`;
  }
  const rest = newline === -1 ? '' : line.text.slice(newline + 1).replace(/^\s*\n/, '');
  return `${head} ${first.trim()}${rest === '' ? '' : `\n\n${closed(demoted(rest))}`}`;
}

function speaker(line: VersionLine): string {
  if (line.name) return `**${line.name}:** `;
  if (line.role === 'user') return '**User:** ';
  return '';
}

/** Headings inside a message are below those of the exchanges. */
function demoted(text: string): string {
  if (!text.includes('#')) return text;
  let fence: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      fence = fenceAfter(fence, line);
      return fence === undefined ? line.replace(/^ {0,3}#{1,3}(?=\s)/, '####') : line;
    })
    .join('\n');
}

/** A fence or a comment that is still open would swallow all that follows: it is closed outside the text. */
function closed(text: string): string {
  let fence: string | undefined;
  if (text.includes('```') || text.includes('~~~')) {
    for (const line of text.split('\n')) fence = fenceAfter(fence, line.replace(/\r$/, ''));
  }
  if (fence !== undefined) return `${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
  return text.lastIndexOf('<!--') > text.lastIndexOf('-->') ? `${text}\n-->` : text;
}

/** The fence that is open after a line. */
function fenceAfter(open: string | undefined, line: string): string | undefined {
  const [, signs = '', rest = ''] = FENCE.exec(line) ?? [];
  if (signs === '') return open;
  if (open === undefined) return signs[0] === '`' && rest.includes('`') ? undefined : signs;
  return signs[0] === open[0] && signs.length >= open.length && rest.trim() === '' ? undefined : open;
}

function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
