import { parse, patch } from '@decimalturn/toml-patch';

type Table = Record<string, unknown>;
/** A TOML document with a table at its end; all else stays as it is. Undefined: it can't be read. */
export function withTomlEntry(text: string, path: readonly string[], entry: Table): string | undefined {
  const before = read(text);
  if (!before) return undefined;
  if (tomlEntry(text, path) !== undefined) return patched(text, before, path, entry);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const rows = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const block = [`[${path.join('.')}]`, ...rows, ''].join(eol);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  const added = `${text}${gap}${block}`;
  if (JSON.stringify(entryIn(read(added), path)) === JSON.stringify(entry)) return added;
  // A table that was written in one line, or otherwise closed: then it goes in there.
  return patched(text, before, path, entry);
}

function patched(text: string, whole: Table, path: readonly string[], entry: Table): string | undefined {
  let table: Table = whole;
  for (const key of path.slice(0, -1)) {
    table[key] ??= {};
    table = table[key] as Table;
    if (typeof table !== 'object' || table === null) return undefined;
  }
  table[path.at(-1)!] = entry;
  return patch(text, whole);
}

/** The same without it. */
export function withoutTomlEntry(text: string, path: readonly string[]): string | undefined {
  const whole = read(text);
  if (!whole) return undefined;
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((table, key) => (table as Table | undefined)?.[key], whole) as Table | undefined;
  if (parent?.[path.at(-1)!] === undefined) return text;
  delete parent[path.at(-1)!];
  if (path.length === 2 && Object.keys(parent).length === 0) delete whole[path[0]!];
  return withoutTable(text, path) ?? patch(text, whole);
}

/** Cuts out the lines of a table with the empty line before it, as it was put there; undefined if it is written otherwise. */
function withoutTable(text: string, path: readonly string[]): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const first = lines.findIndex((line) => line.trim() === `[${path.join('.')}]`);
  if (first < 0) return undefined;
  let end = first + 1;
  while (end < lines.length && /^\s*[\w-]+\s*=/.test(lines[end]!)) end++;
  const start =
    lines[first - 1]?.trim() === '' && (end === lines.length || lines[end]!.trim() === '')
      ? first - 1
      : first;
  const cut = [...lines.slice(0, start), ...lines.slice(end)].join('');
  return entryIn(read(cut), path) === undefined && read(cut) ? cut : undefined;
}

/** What is at a path; undefined if there is nothing. */
export function tomlEntry(text: string, path: readonly string[]): unknown {
  return entryIn(read(text), path);
}

function entryIn(table: Table | undefined, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Table)[key] : undefined),
    table,
  );
}

function read(text: string): Table | undefined {
  try {
    return parse(text) as Table;
  } catch {
    return undefined;
  }
}
