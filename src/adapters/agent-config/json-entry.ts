import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { jsonLines, withMember, withoutMember, withValue } from './json-edit.ts';

const LENIENT = { allowTrailingComma: true, disallowComments: false } as const;

/** A JSON document, comments allowed, with a value at a path; all else stays as it is. Undefined: it can't be read. */
export function withJsonEntry(text: string, path: readonly string[], value: unknown): string | undefined {
  if (text.trim() === '') return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  if (!canReachPath(text, path)) return undefined;
  const there = jsonNode(text, path);
  if (there) return withValue(text, there, (indent) => jsonLines(text, value, indent));
  const depth = path.findIndex((_, at) => !jsonNode(text, path.slice(0, at + 1)));
  const [key, ...below] = path.slice(depth);
  const parent = jsonNode(text, path.slice(0, depth))!;
  return withMember(
    text,
    parent,
    (indent) =>
      `${JSON.stringify(key)}:${indent === undefined ? '' : ' '}${jsonLines(text, nested(below, value), indent)}`,
  );
}

/** The same without it, and without the objects around it that hold nothing else, not even a comment. */
export function withoutJsonEntry(text: string, path: readonly string[]): string | undefined {
  if (!canReachPath(text, path)) return undefined;
  let out = text;
  for (let length = path.length; length > 0; length--) {
    const value = jsonNode(out, path.slice(0, length));
    if (!value?.parent) break;
    if (length < path.length && !isBlank(out.slice(value.offset + 1, value.offset + value.length - 1))) break;
    out = withoutMember(out, value.parent);
  }
  return out;
}

/** What is at a path; undefined if there is nothing. */
export function jsonEntry(text: string, path: readonly string[]): unknown {
  const node = jsonNode(text, path);
  return node && getNodeValue(node);
}

/** Where it is. */
export function jsonNode(text: string, path: readonly (string | number)[]): Node | undefined {
  const tree = parseTree(text, [], LENIENT);
  return tree && findNodeAtLocation(tree, [...path]);
}

/** An object down to where the value goes. */
export function canReachPath(text: string, path: readonly string[]): boolean {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, LENIENT);
  if (errors.length > 0 || tree?.type !== 'object') return false;
  return path.slice(0, -1).every((_, at) => {
    const node = findNodeAtLocation(tree, path.slice(0, at + 1));
    return node === undefined || node.type === 'object';
  });
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}
