const SPACE = /[ \t\r\n]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;

/** Where JSON text stops being JSON: the engine names no position for half of its errors. Lines and columns from 1. */
export function jsonFaultPlace(text: string): { line: number; column: number } {
  const before = text.slice(0, firstBad(text)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function firstBad(text: string): number {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found !== null;
  };
  const takeChar = (char: string): boolean => {
    take(SPACE);
    if (text[at] !== char) return false;
    at++;
    return true;
  };
  /** The items of an object or a list up to its closing sign; false where it breaks. */
  const items = (close: string, item: () => boolean): boolean => {
    if (takeChar(close)) return true;
    do if (!item()) return false;
    while (takeChar(','));
    return takeChar(close);
  };
  const member = (): boolean => {
    take(SPACE);
    return take(STRING) && takeChar(':') && value();
  };
  const value = (): boolean => {
    if (takeChar('{')) return items('}', member);
    if (takeChar('[')) return items(']', value);
    return take(SCALAR);
  };
  if (value()) take(SPACE);
  return at;
}
