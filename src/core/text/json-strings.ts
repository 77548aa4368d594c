import { parseOutside } from '../model/parse-stored.ts';
/** A string value inside a JSON text: where its characters are, without the quotes. */
export type JsonString = { path: (string | number)[]; start: number; end: number };

/** The string values of a text that is known to be JSON, in their order. Keys are not values. */
export function jsonStrings(json: string): JsonString[] {
  const found: JsonString[] = [];
  const path: (string | number)[] = [];
  /** For each open object `{`, for each open array `[`. */
  const open: string[] = [];
  let key: string | undefined;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    const inObject = open.at(-1) === '{';
    if (sign === '"') {
      const start = at + 1;
      at = endOfString(json, start);
      if (inObject && key === undefined) {
        key = String(parseOutside(json.slice(start - 1, at + 1)));
        path[open.length - 1] = key;
      } else found.push({ path: path.slice(0, open.length), start, end: at });
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      path[open.length - 1] = 0;
      key = undefined;
    } else if (sign === '}' || sign === ']') {
      open.pop();
      path.length = open.length;
      // Back in an object it was a value that ended: the key comes again after the comma.
      key = '';
    } else if (sign === ',') {
      if (inObject) key = undefined;
      else path[open.length - 1] = Number(path[open.length - 1]) + 1;
    }
  }
  return found;
}

/** The characters of a JSON string, and where each of them is in it; one place more for its end. */
export function decodeJsonString(raw: string): { value: string; places: number[] } {
  const places: number[] = [];
  let value = '';
  for (let at = 0; at < raw.length; ) {
    places.push(at);
    const length = raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2;
    value += length === 1 ? raw[at] : String(parseOutside(`"${raw.slice(at, at + length)}"`));
    at += length;
  }
  places.push(raw.length);
  return { value, places };
}

function endOfString(json: string, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}
