// The project's instructions that a session saw, according to its own file.
import { existsSync, readFileSync } from 'node:fs';

const NAME = /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS|MEMORY)\.md$|\/memory\/[^/]+\.md$/;
const GIVEN = /^# AGENTS\.md instructions\b/;

/** Texts of CLAUDE.md, AGENTS.md and the agent's own memory that a session read, wrote or got from the client. */
export function instructionsSeen(file: string): string[] {
  if (!existsSync(file)) return [];
  const found = new Set<string>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!/(?:CLAUDE|AGENTS|MEMORY|\/memory\/[^"/]+)(?:\.local)?\.md/.test(line)) continue;
    try {
      collect(JSON.parse(line), found);
    } catch {
      // A line that is not JSON contains no instructions.
    }
  }
  return [...found];
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (GIVEN.test(value)) found.add(value);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) collect(one, found);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const own = value as Record<string, unknown>;
  const path = [own.filePath, own.file_path, own.path].find((it) => typeof it === 'string');
  const text = [own.content, own.text].find((it) => typeof it === 'string');
  if (typeof path === 'string' && typeof text === 'string' && NAME.test(path)) found.add(text);
  for (const one of Object.values(own)) collect(one, found);
}

const SHINGLE = 5;
const MOST_SHARED = 0.8;

/** Lines that repeat the instructions: four of five of their five-word sequences occur there. */
export function repeatedLines(text: string, instructions: string[]): string[] {
  const known = new Set(instructions.flatMap((it) => it.split('\n').flatMap(shingles)));
  return text.split('\n').filter((line) => {
    const own = shingles(line);
    return own.length > 0 && own.filter((it) => known.has(it)).length >= MOST_SHARED * own.length;
  });
}

function shingles(line: string): string[] {
  const words = line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return Array.from({ length: Math.max(0, words.length - SHINGLE + 1) }, (_, at) =>
    words.slice(at, at + SHINGLE).join(' '),
  );
}
