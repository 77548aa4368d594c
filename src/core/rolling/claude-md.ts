export const BLOCK_BEGIN = '<!-- keepsake:begin -->';
export const BLOCK_END = '<!-- keepsake:end -->';

export type BlockEdit = { bytes: Buffer } | { refused: string };

/**
 * CLAUDE.md with the block between its marks, put at the end if there is none. Every other byte stays as it is: the
 * file is looked at as bytes, whatever its encoding.
 */
export function withBlock(file: Buffer, block: string): BlockEdit {
  const found = findBlock(file);
  if ('refused' in found) return found;
  const { text, newline } = found;
  const made = latin([BLOCK_BEGIN, ...block.trim().split(/\r?\n/), BLOCK_END].join(newline));
  if (found.range) {
    const [start, end] = found.range;
    return { bytes: bytesOf(text.slice(0, start) + made + text.slice(end)) };
  }
  // If the file has no newline at its end, the block gets none either, so that removing the block restores the file exactly.
  if (text === '' || text.endsWith('\n')) return { bytes: bytesOf(`${text}${made}${newline}`) };
  // After a lone CR, a lone LF would form one newline with it, and both would be removed later.
  return { bytes: bytesOf(`${text}${text.endsWith('\r') ? '\r\n' : newline}${made}`) };
}

/** CLAUDE.md as it was before the block was put there. */
export function withoutBlock(file: Buffer): BlockEdit {
  const found = findBlock(file);
  if ('refused' in found) return found;
  if (!found.range) return { bytes: file };
  const { text } = found;
  const [start, end] = found.range;
  const after = /^\r?\n/.exec(text.slice(end))?.[0];
  if (after !== undefined) return { bytes: bytesOf(text.slice(0, start) + text.slice(end + after.length)) };
  return { bytes: bytesOf(text.slice(0, start).replace(/\r?\n$/, '') + text.slice(end)) };
}

/** The text of the block that is there. */
export function blockIn(file: Buffer): string | undefined {
  const found = findBlock(file);
  if ('refused' in found || !found.range) return undefined;
  const [start, end] = found.range;
  const inside = found.text.slice(start + BLOCK_BEGIN.length, end - BLOCK_END.length);
  return bytesOf(inside).toString('utf8').replace(/\r\n/g, '\n').trim();
}

type Found = { text: string; newline: string; range?: [start: number, end: number] } | { refused: string };

function findBlock(file: Buffer): Found {
  // One character a byte, so that nothing is lost that is no UTF-8.
  const text = file.toString('latin1');
  if (text.includes('\0')) return { refused: 'CLAUDE.md is not UTF-8 text and was not changed.' };
  const newline = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
  const begins = places(text, BLOCK_BEGIN);
  const ends = places(text, BLOCK_END);
  if (begins.length === 0 && ends.length === 0) return { text, newline };
  const [begin] = begins;
  const [end] = ends;
  const whole = begins.length === 1 && ends.length === 1 && begin! < end!;
  if (!whole || !isAlone(text, begin!, BLOCK_BEGIN) || !isAlone(text, end!, BLOCK_END)) {
    return {
      refused: `CLAUDE.md has ${begins.length} "${BLOCK_BEGIN}" and ${ends.length} "${BLOCK_END}" lines; it needs exactly one of each, in this order. It was not changed.`,
    };
  }
  return { text, newline, range: [begin!, end! + BLOCK_END.length] };
}

function places(text: string, mark: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found.push(at);
  return found;
}

function isAlone(text: string, at: number, mark: string): boolean {
  return (
    (at === 0 || text[at - 1] === '\n' || isMarkedStart(text, at)) &&
    /^\r?(\n|$)/.test(text.slice(at + mark.length, at + mark.length + 2))
  );
}

/** Behind a byte order mark a line begins, too. */
function isMarkedStart(text: string, at: number): boolean {
  return at === 3 && text.startsWith('\u00ef\u00bb\u00bf');
}

function latin(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
