/** A quotation mark that opens one, before a word. */
const OPENS = /(?<=^|[\s([{:])["“„«]/g;
const CLOSES = /["“”»]/g;
const CLOSING_QUOTE = /["“”»](?![\p{L}\p{N}])/gu;

type QuotedLine = {
  start: number;
  end: number;
  /** Behind its `>`, where it begins with one. */
  quotedFrom: number;
  opens: number[];
  closes: number[];
  lastClosing: number;
};

/**
 * Whether a place of a text is in a quoted line or between quotation marks: those are someone else's words. A line is
 * read once for all its places, which come in order: a long line with many of them takes time by its length.
 */
export function quotedPlaces(text: string): (at: number) => boolean {
  let line: QuotedLine | undefined;
  return (at) => {
    if (!line || at < line.start || at > line.end) line = lineAt(text, at);
    if (at >= line.quotedFrom) return true;
    const opened = lastBelow(line.opens, at);
    return opened >= 0 && opened >= lastBelow(line.closes, at) && line.lastClosing >= at;
  };
}

function lineAt(text: string, at: number): QuotedLine {
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const newline = text.indexOf('\n', at);
  const end = newline === -1 ? text.length : newline;
  const line = text.slice(start, end);
  const places = (pattern: RegExp) => [...line.matchAll(pattern)].map(({ index }) => start + index);
  const sign = /^[ \t]*>/.exec(line);
  return {
    start,
    end,
    quotedFrom: sign ? start + sign[0].length : Number.POSITIVE_INFINITY,
    opens: places(OPENS),
    closes: places(CLOSES),
    lastClosing: places(CLOSING_QUOTE).at(-1) ?? -1,
  };
}

/** The greatest of the numbers below a limit, or -1. */
function lastBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return numbers[low - 1] ?? -1;
}
