import { isLikelySecret, isRandom } from './secret-shape.ts';
import type { SecretSpan } from './secret-span.ts';

const MOST_ROWS = 20;
/** Longer lines are no rows. */
const LONGEST = 400;
/** A line number or the mark of a diff. */
const MARGIN = /^[ \t+]{0,20}(?:\d{1,6}→)?[ \t]{0,8}/;
const RULE = /^\|?[ \t:|-]{3,400}$/;
const CSV_HEADER = /^["']?[A-Za-z][\w .-]{0,40}["']?(?:,["']?[A-Za-z][\w .-]{0,40}["']?){1,30}$/;
const BREAK = /(?:\\r)?\\n|\r?\n/;

type Line = { start: number; end: number; next: number; text: string };

/** A column of a Markdown table or of comma-separated lines whose heading promises a secret. */
export function findColumn(text: string, nameStart: number, nameEnd: number, kind: string): SecretSpan[] {
  const sign = /^\\{0,7}["']?[ \t]{0,20}(\||,|\r?\n|\\+[rn]|$)/.exec(text.slice(nameEnd, nameEnd + 30))?.[1];
  if (sign === undefined) return [];
  const head = lineAt(text, startOfLine(text, nameStart));
  if (!head || head.end < nameEnd) return [];
  const isTable = head.text.includes('|');
  // The text may be a value of JSON.
  const lead = isTable ? 0 : (/^.*:[ ]?\\*"/.exec(head.text)?.[0].length ?? 0);
  if (!isTable && !CSV_HEADER.test(head.text.slice(lead))) return [];
  const separator = isTable ? '|' : ',';
  const before = text.slice(head.start + lead, nameStart).split(separator).length - 1;
  const count = head.text.slice(lead).split(separator).length;
  let line = lineAt(text, head.next);
  if (isTable) {
    if (!line || !RULE.test(line.text) || !line.text.includes('-')) return [];
    line = lineAt(text, line.next);
  }
  const spans: SecretSpan[] = [];
  for (let row = 0; line && row < MOST_ROWS; row++) {
    const cells = line.text.split(separator);
    if (cells.length !== count) break;
    const cell = cells[before] ?? '';
    const value = /^[\s"'`]*([^\s"'`\\]{8,200}?)[\s"'`}\])]*$/.exec(cell)?.[1];
    if (value !== undefined && isLikelySecret(value, 'prose', kind === 'password') && isRandom(value)) {
      const start = line.start + cells.slice(0, before).join(separator).length + (before > 0 ? 1 : 0);
      const at = start + cell.indexOf(value);
      spans.push({ start: at, end: at + value.length, kind });
    }
    line = lineAt(text, line.next);
  }
  return spans;
}

function startOfLine(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST);
  const before = text.slice(from, at);
  const escaped = before.lastIndexOf('\\n');
  return from + Math.max(before.lastIndexOf('\n') + 1, escaped < 0 ? 0 : escaped + 2);
}

/** Undefined where none begins or it is too long; its margin is not part of it. */
function lineAt(text: string, from: number): Line | undefined {
  if (from >= text.length) return undefined;
  const rest = text.slice(from, from + LONGEST + 1);
  const found = BREAK.exec(rest);
  const end = found?.index ?? rest.length;
  if (end > LONGEST) return undefined;
  const margin = MARGIN.exec(rest)?.[0].length ?? 0;
  const start = from + Math.min(margin, end);
  return {
    start,
    end: from + end,
    next: from + end + (found?.[0].length ?? 1),
    text: text.slice(start, from + end),
  };
}
