import {
  applyEdits,
  type FormattingOptions,
  getNodeValue,
  modify,
  type ParseError,
  parseTree,
} from 'jsonc-parser';

const LENIENT = { allowTrailingComma: true, disallowComments: false } as const;

/** A JSON document, comments allowed, with a value at a path; all else stays as it is. Undefined: it can't be read. */
export function withJsonEntry(text: string, path: readonly string[], value: unknown): string | undefined {
  if (text.trim() === '') return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  if (!canReachPath(text, path)) return undefined;
  return applyEdits(text, modify(text, [...path], value, { formattingOptions: formatOf(text) }));
}

/** The same without it, and without the objects around it that hold nothing else. */
export function withoutJsonEntry(text: string, path: readonly string[]): string | undefined {
  if (!canReachPath(text, path)) return undefined;
  let out = text;
  for (let length = path.length; length > 0; length--) {
    const at = path.slice(0, length);
    const value = jsonEntry(out, at);
    if (value === undefined || (length < path.length && Object.keys(value as object).length > 0)) break;
    out = applyEdits(out, modify(out, [...at], undefined, { formattingOptions: formatOf(out) }));
  }
  return out;
}

/** What is at a path; undefined where there is nothing. */
export function jsonEntry(text: string, path: readonly string[]): unknown {
  const tree = parseTree(text, [], LENIENT);
  let value: unknown = tree && getNodeValue(tree);
  for (const key of path)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined;
  return value;
}

/** An object down to where the value goes. */
export function canReachPath(text: string, path: readonly string[]): boolean {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, LENIENT);
  if (errors.length > 0 || tree?.type !== 'object') return false;
  return path.slice(0, -1).every((_, at) => {
    const value = jsonEntry(text, path.slice(0, at + 1));
    return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
  });
}

/** As the document is written. */
export function formatOf(text: string): FormattingOptions {
  const [, indent = '  '] = /\n([ \t]+)["/]/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}
