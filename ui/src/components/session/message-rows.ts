import type { Line } from '../../api/records.ts';

export type ConversationRow = {
  line: Line;
  number: number;
  /** Said on the way, before the agent's last words of the exchange. */
  isNarration: boolean;
  /** In the place of lines that are folded away: how many; `line` is the first of them. */
  hides?: { messages: number; calls: number; others: number };
  /** The line of the prompt that it follows from. */
  prompt: number;
};

export const hasWords = ({ role, text }: Line) =>
  (role === 'user' || role === 'assistant') && text !== undefined;

/** Words of the user that ask for something: an exchange begins. */
export function isPrompt(line: Line): boolean {
  return line.role === 'user' && line.text !== undefined && !line.reply && !line.aside;
}

const MOST_NARRATED = 280;

/** A remark on the way; what has parts or is longer is an answer, though calls follow it. */
function isShort(text = ''): boolean {
  return text.length <= MOST_NARRATED && !/^(?:#{1,6} |[-*] |\d+\. |```|\|)/m.test(text);
}

type Options = { tools: boolean; folded: boolean; unfolded: ReadonlySet<number> };

/** Messages, with tool calls between them where wanted. Folded, an exchange is its prompt, one row, and the agent's last words. */
export function messageRows(lines: readonly Line[], { tools, folded, unfolded }: Options): ConversationRow[] {
  const rows: ConversationRow[] = [];
  let number = 0;
  let own: ConversationRow[] = [];
  const end = () => {
    const last = own.findLastIndex(({ line }) => line.role === 'assistant' && hasWords(line));
    own.forEach((row, at) => {
      row.isNarration = row.line.role === 'assistant' && at < last && isShort(row.line.text);
    });
    const first = own[0];
    const isFolded = folded && first !== undefined && !unfolded.has(first.prompt);
    rows.push(...(isFolded ? foldedRows(own, last) : own.filter(({ line }) => tools || hasWords(line))));
    own = [];
  };
  for (const line of lines) {
    if (isPrompt(line)) end();
    if (hasWords(line)) number++;
    own.push({ line, number, isNarration: false, prompt: own[0]?.line.line ?? line.line });
  }
  end();
  return rows;
}

function foldedRows(own: readonly ConversationRow[], last: number): ConversationRow[] {
  const stays = (row: ConversationRow, at: number) =>
    at === last || (row.line.role === 'user' && hasWords(row.line));
  const rows: ConversationRow[] = [];
  let hidden: ConversationRow[] = [];
  const end = () => {
    const [first] = hidden;
    const calls = hidden.filter(({ line }) => line.role === 'tool').length;
    const messages = hidden.filter(({ line }) => hasWords(line)).length;
    if (first) rows.push({ ...first, hides: { messages, calls, others: hidden.length - calls - messages } });
    hidden = [];
  };
  own.forEach((row, at) => {
    if (stays(row, at)) {
      end();
      rows.push(row);
    } else hidden.push(row);
  });
  end();
  return rows;
}
