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
  const open: string[] = [];
  /** A value, up to and with the sign that opens a list or an object. */
  const value = (): boolean => {
    if (takeChar('{')) open.push('}');
    else if (takeChar('[')) open.push(']');
    else return take(SCALAR);
    return true;
  };
  const key = (): boolean => {
    take(SPACE);
    return take(STRING) && takeChar(':');
  };
  /** With a stack of its own: someone else's file may nest deeper than ours reaches. */
  let depth = 0;
  let going = value();
  while (going && open.length > 0) {
    const close = open.at(-1)!;
    const isNew = open.length > depth;
    depth = open.length;
    if (takeChar(close)) {
      open.pop();
      depth = open.length;
    } else going = (isNew || takeChar(',')) && (close === ']' || key()) && value();
  }
  if (going) take(SPACE);
  return at;
}
