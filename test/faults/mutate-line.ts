import { anyOf } from './chance.ts';

type Draw = () => number;
const WRONG: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  [],
  {},
  '\u0000',
  '\ud800',
  [[[[[[]]]]]],
  JSON.parse('{"__proto__":{"a":1},"constructor":"x"}'),
];
const PIECES = [
  '"',
  '\\',
  '{',
  '}}}',
  ']',
  '\u2028',
  '\ufeff',
  '\\u00',
  ',"type":"user"',
  '<system-reminder>',
  '##keepit1.00##',
  'é',
  '\t',
];

/** Damages one line; it stays one line. */
export function mutateLine(line: string, draw: Draw): Buffer {
  const kind = Math.floor(draw() * 9);
  const at = Math.floor(draw() * line.length);
  const length = Math.floor(draw() * 40);
  if (kind === 0) return Buffer.from(line.slice(0, at));
  if (kind === 1) return Buffer.from(line.slice(at));
  if (kind === 2) return Buffer.from(line.slice(0, at) + line.slice(at + length));
  if (kind === 3) return Buffer.from(line.slice(0, at) + anyOf(PIECES, draw) + line.slice(at));
  if (kind === 4) return Buffer.from(line.slice(0, at) + line.slice(Math.floor(draw() * line.length)));
  if (kind === 5) return Buffer.from(line + line);
  if (kind === 6) return flipped(Buffer.from(line), draw);
  if (kind === 7) return Buffer.from(`${'['.repeat(Math.floor(draw() * 2000))}${line}`);
  return Buffer.from(wrongValue(line, draw));
}

function flipped(bytes: Buffer, draw: Draw): Buffer {
  for (let n = 0; n < 1 + draw() * 4; n++) {
    const at = Math.floor(draw() * bytes.length);
    const next = Math.floor(draw() * 256);
    bytes[at] = next === 10 ? 0 : next;
  }
  return bytes;
}

/** Valid JSON in which one value has a different type. */
function wrongValue(line: string, draw: Draw): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.slice(1);
  }
  if (typeof value !== 'object' || value === null) return line.slice(1);
  let node = value as Record<string, unknown>;
  for (let depth = 0; depth < 6; depth++) {
    const keys = Object.keys(node);
    if (keys.length === 0) break;
    const key = anyOf(keys, draw);
    const below = node[key];
    if (typeof below === 'object' && below !== null && draw() < 0.7) node = below as Record<string, unknown>;
    else {
      node[key] = anyOf(WRONG, draw);
      break;
    }
  }
  return JSON.stringify(value);
}
