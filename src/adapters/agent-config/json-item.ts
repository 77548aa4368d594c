import { jsonLines, withMember, withoutMember, withValue } from './json-edit.ts';
import { canReachPath, jsonEntry, jsonNode, withJsonEntry, withoutJsonEntry } from './json-entry.ts';

/** Which list, and the words by which its own item is known. */
export type ItemPlace = { at: readonly string[]; own: string };

/** The item of a list that contains these words. */
export function jsonItem(
  text: string,
  at: readonly string[],
  own: string,
): { index: number; value: unknown } | undefined {
  const list = jsonEntry(text, at);
  const index = Array.isArray(list) ? list.findIndex((it) => JSON.stringify(it).includes(own)) : -1;
  return index < 0 ? undefined : { index, value: (list as unknown[])[index] };
}

/** A document with an item at the end of a list, or instead of its own one; all else stays as it is. Undefined: it can't be read. */
export function withJsonItem(text: string, { at, own }: ItemPlace, item: unknown): string | undefined {
  const list = text.trim() === '' ? undefined : jsonEntry(text, at);
  if (list === undefined) return withJsonEntry(text, at, [item]);
  if (!Array.isArray(list) || !canReachPath(text, at)) return undefined;
  const index = jsonItem(text, at, own)?.index;
  const written = (indent: string | undefined) => jsonLines(text, item, indent);
  return index === undefined
    ? withMember(text, jsonNode(text, at)!, written)
    : withValue(text, jsonNode(text, [...at, index])!, written);
}

/** The same without it, and without the list and the objects around it that hold nothing else. */
export function withoutJsonItem(text: string, { at, own }: ItemPlace): string | undefined {
  if (!canReachPath(text, at)) return undefined;
  const found = jsonItem(text, at, own);
  if (!found) return text;
  const list = jsonEntry(text, at) as unknown[];
  if (list.length === 1) return withoutJsonEntry(text, at);
  return withoutMember(text, jsonNode(text, [...at, found.index])!);
}
