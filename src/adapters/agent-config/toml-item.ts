import { parse, patch } from '@decimalturn/toml-patch';
import type { ItemPlace } from './json-item.ts';

type Table = Record<string, unknown>;

/** The item of a list of tables that contains these words. */
export function tomlItem(text: string, [name = '']: readonly string[], own: string): Table | undefined {
  return itemsOf(read(text), name).find((item) => isOwn(item, own));
}

/** A TOML document with a table more in a list of tables, or instead of its own one; all else stays as it is. Undefined: it can't be read. */
export function withTomlItem(text: string, { at, own }: ItemPlace, item: Table): string | undefined {
  const [name = ''] = at;
  const whole = read(text);
  if (!whole || (whole[name] !== undefined && !Array.isArray(whole[name]))) return undefined;
  const items = itemsOf(whole, name);
  const index = items.findIndex((it) => isOwn(it, own));
  if (index >= 0) return patch(text, { ...whole, [name]: items.with(index, item) });
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const rows = Object.entries(item).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
  const added = `${text}${gap}${[`[[${name}]]`, ...rows, ''].join(eol)}`;
  // A list that was written in one line takes no table behind it: then it goes in there.
  return itemsOf(read(added), name).length === items.length + 1
    ? added
    : patch(text, { ...whole, [name]: [...items, item] });
}

/** The same without it. */
export function withoutTomlItem(text: string, { at, own }: ItemPlace): string | undefined {
  const [name = ''] = at;
  const whole = read(text);
  if (!whole) return undefined;
  const items = itemsOf(whole, name);
  if (!items.some((item) => isOwn(item, own))) return text;
  const left = items.filter((item) => !isOwn(item, own));
  const { [name]: _, ...rest } = whole;
  return withoutBlock(text, name, own) ?? patch(text, left.length === 0 ? rest : { ...rest, [name]: left });
}

/** Cuts out the lines of the table with the empty line before it, as it was put there; undefined if it is written otherwise. */
function withoutBlock(text: string, name: string, own: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  for (const [first, line] of lines.entries()) {
    if (line.trim() !== `[[${name}]]`) continue;
    let end = first + 1;
    while (end < lines.length && /^\s*[\w-]+\s*=/.test(lines[end]!)) end++;
    if (!lines.slice(first, end).join('').includes(own)) continue;
    const isLast = end === lines.length || lines[end]!.trim() === '';
    const start = lines[first - 1]?.trim() === '' && isLast ? first - 1 : first;
    const cut = [...lines.slice(0, start), ...lines.slice(end)].join('');
    return read(cut) && tomlItem(cut, [name], own) === undefined ? cut : undefined;
  }
  return undefined;
}

function itemsOf(whole: Table | undefined, name: string): Table[] {
  const list = whole?.[name];
  return Array.isArray(list) ? (list as Table[]) : [];
}

function isOwn(item: Table, own: string): boolean {
  return JSON.stringify(item).includes(own);
}

function read(text: string): Table | undefined {
  try {
    return parse(text) as Table;
  } catch {
    return undefined;
  }
}
