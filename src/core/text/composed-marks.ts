import { shortHash } from '../model/ids.ts';

/** A composition inside a message; `lines`: how many lines of the session, including this one, are its text. */
export type ComposedMark = { id: string; lines?: number };

const ID_LENGTH = 16;
const BEGIN = /<!-- keepsake:begin ([0-9a-f]{16})(?: (\d{1,6}) lines)? -->/g;

/** The id of a composed text: the same text, the same id. No text can hold its own. */
export function composedId(body: string): string {
  return shortHash(body, ID_LENGTH);
}

export function beginMark(id: string, lines?: number): string {
  return `<!-- keepsake:begin ${id}${lines === undefined ? '' : ` ${lines} lines`} -->`;
}

export function endMark(id: string): string {
  return `<!-- keepsake:end ${id} -->`;
}

/** Whether it is worth looking for marks. */
export function mayHoldMarks(text: string): boolean {
  return text.includes('<!-- keepsake:begin ');
}

/** What a message says besides composed text. A mark that is never closed reaches to the end of its message. */
export function withoutComposed(text: string): { text: string; marks: ComposedMark[] } {
  const marks: ComposedMark[] = [];
  const own: string[] = [];
  let from = 0;
  BEGIN.lastIndex = 0;
  for (let found = BEGIN.exec(text); found; found = BEGIN.exec(text)) {
    const [begin, id = '', lines] = found;
    marks.push({ id, ...(lines === undefined ? {} : { lines: Number(lines) }) });
    own.push(text.slice(from, found.index));
    const end = text.indexOf(endMark(id), found.index + begin.length);
    from = end === -1 ? text.length : end + endMark(id).length;
    BEGIN.lastIndex = from;
  }
  if (marks.length === 0) return { text, marks };
  own.push(text.slice(from));
  const words = own.map((piece) => piece.trim()).filter((piece) => piece !== '');
  return { text: words.join('\n\n'), marks };
}
