import { parseOutside } from '../model/parse-stored.ts';
import { isFields } from '../model/shape.ts';
/** One archived memory file. */
export type RotatedFile = {
  file: string;
  rotatedAt: string;
  tokenCount: number;
  summary: string;
  summaryGenerated: boolean;
};

/** `memory-index.json`. Fields that are not known here stay as they are. */
export type MemoryIndex = {
  version: 1;
  current: string;
  rotatedFiles: RotatedFile[];
  stats: { totalRotations: number; lastRotation: string | null };
  counter: number;
  lastMemoryUpdateTs: string | null;
  deltaCreatedAtMemoryMtime: number | null;
  [other: string]: unknown;
};

export type ReadIndex = {
  index: MemoryIndex;
  /** The text is no index: it is to be kept aside before it is written over. */
  broken: boolean;
};

export function emptyIndex(): MemoryIndex {
  return {
    version: 1,
    current: 'memory.md',
    rotatedFiles: [],
    stats: { totalRotations: 0, lastRotation: null },
    counter: 0,
    lastMemoryUpdateTs: null,
    deltaCreatedAtMemoryMtime: null,
  };
}

/** Reads what can be read. Of a damaged text the fields that are still readable are taken. */
export function readIndex(text: string | undefined): ReadIndex {
  if (text === undefined) return { index: emptyIndex(), broken: false };
  const parsed = parse(text);
  const fields = parsed ?? salvage(text);
  const filled: MemoryIndex = { ...emptyIndex(), ...fields };
  const checked = check(filled);
  const index = { ...filled, ...checked };
  const kept = Object.keys(checked).every(
    (key) => fields[key] === undefined || same(fields[key], checked[key as keyof typeof checked]),
  );
  return { index, broken: parsed === undefined || !kept };
}

export function formatIndex(index: MemoryIndex): string {
  return `${JSON.stringify(index, null, 2)}\n`;
}

/** With an archive that the index did not know; one that it knows stays as it is. */
export function withRotated(index: MemoryIndex, rotated: RotatedFile): MemoryIndex {
  if (index.rotatedFiles.some(({ file }) => file === rotated.file)) return index;
  const rotatedFiles = [...index.rotatedFiles, rotated].sort((a, b) => (a.file < b.file ? -1 : 1));
  const last = rotatedFiles.at(-1)!.rotatedAt;
  return {
    ...index,
    rotatedFiles,
    stats: { ...index.stats, totalRotations: index.stats.totalRotations + 1, lastRotation: last },
  };
}

export function withSummary(index: MemoryIndex, file: string): MemoryIndex {
  const rotatedFiles = index.rotatedFiles.map((it) =>
    it.file === file ? { ...it, summaryGenerated: true } : it,
  );
  return { ...index, rotatedFiles };
}

type Fields = Record<string, unknown>;

function parse(text: string): Fields | undefined {
  const value = parseOutside(text.replace(/^\uFEFF/, ''));
  return isFields(value) ? value : undefined;
}

function check(index: Fields): Omit<MemoryIndex, string> & Partial<MemoryIndex> {
  const stats = isFields(index.stats) ? index.stats : {};
  const rotated = Array.isArray(index.rotatedFiles) ? index.rotatedFiles : [];
  return {
    rotatedFiles: rotated.flatMap(rotatedFile),
    stats: {
      ...stats,
      totalRotations: whole(stats.totalRotations),
      lastRotation: textOr(stats.lastRotation, null),
    },
    counter: whole(index.counter),
    lastMemoryUpdateTs: textOr(index.lastMemoryUpdateTs, null),
    deltaCreatedAtMemoryMtime:
      typeof index.deltaCreatedAtMemoryMtime === 'number' ? index.deltaCreatedAtMemoryMtime : null,
  };
}

function rotatedFile(value: unknown): RotatedFile[] {
  if (!isFields(value) || typeof value.file !== 'string' || !/^[\w.-]+\.md$/.test(value.file)) return [];
  return [
    {
      ...value,
      file: value.file,
      rotatedAt: textOr(value.rotatedAt, ''),
      tokenCount: whole(value.tokenCount),
      summary: textOr(value.summary, value.file.replace(/\.md$/, '.summary.json')),
      summaryGenerated: value.summaryGenerated === true,
    },
  ];
}

/** Fields of a text that is no longer JSON, recognized by how they are written. */
function salvage(text: string): Fields {
  const fields: Fields = {};
  const scalar = /"([A-Za-z]\w{0,60})"\s*:\s*("(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)\s*[,}\n]/g;
  const outside = text.replace(/\{[^{}]*"file"[^{}]*\}/g, '');
  for (const [, name, value] of outside.matchAll(scalar)) {
    if (name === 'totalRotations' || name === 'lastRotation')
      fields.stats = { ...(fields.stats as Fields), [name]: parseOutside(value!) };
    else if (name !== '__proto__' && name !== 'constructor') fields[name!] = parseOutside(value!);
  }
  fields.rotatedFiles = [...text.matchAll(/\{[^{}]*"file"[^{}]*\}/g)].flatMap(
    ([object]) => parse(object) ?? [],
  );
  fields.version = 1;
  return fields;
}

function same(a: unknown, b: unknown): boolean {
  return (
    JSON.stringify(a) === JSON.stringify(b) || (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
  );
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other;
}
