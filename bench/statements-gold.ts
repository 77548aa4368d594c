// Labels of sessions: what should be remembered, what must not be, and the check whether a text says it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type GoldRow = {
  session: string;
  kind: string;
  statement?: string;
  status?: string;
  lasting?: string;
  importance?: number;
  by?: string;
  quote?: string;
  verdict?: string;
  keys: string[][];
};

export function readGold(folder: string): GoldRow[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as GoldRow);
}

export function isTrue({ kind, status = 'stands', lasting }: GoldRow): boolean {
  return kind !== 'not-true' && kind !== 'question' && status === 'stands' && lasting === 'project';
}

export function isNotTrue({ kind }: GoldRow): boolean {
  return kind === 'not-true';
}

export const low = (text: string) => text.toLowerCase().replace(/[`*]/g, '').replace(/\s+/g, ' ');
const alternatives = ({ keys }: GoldRow) =>
  keys.map((group) => group.flatMap((one) => one.split('|')).map((one) => one.toLowerCase()));
const inside = (groups: string[][], text: string) =>
  groups.every((group) => group.some((one) => text.includes(one)));

/** True if 400 characters in a row contain an alternative of every group of keys. */
export function holds(text: string, row: GoldRow): boolean {
  const [groups, plain] = [alternatives(row), low(text)];
  if (!inside(groups, plain)) return false;
  if (plain.length <= 400) return true;
  for (let at = 0; at < plain.length - 300; at += 100)
    if (inside(groups, plain.slice(at, at + 400))) return true;
  return false;
}

const STOP = new Set(
  'the a an to of in for on and or with is are be was were from by at as it its this that these those not no but if then than so we i you they our your which what when how all any can will just should now into also do does did has have had let s t'.split(
    ' ',
  ),
);
export const wordsOf = (text: string) =>
  new Set((low(text).match(/[a-z0-9_]{2,}/g) ?? []).filter((word) => !STOP.has(word)));

/** The keys match, and less than half of the refuting words are near them. */
export function affirms(text: string, row: GoldRow): boolean {
  const [groups, plain] = [alternatives(row), low(text)];
  if (!inside(groups, plain)) return false;
  const verdict = wordsOf(row.verdict ?? '');
  for (let at = 0; at < Math.max(1, plain.length - 300); at += 100) {
    if (!inside(groups, plain.slice(at, at + 400))) continue;
    const near = wordsOf(plain.slice(Math.max(0, at - 150), at + 550));
    const refuted =
      verdict.size > 0 && [...verdict].filter((word) => near.has(word)).length >= verdict.size / 2;
    if (!refuted) return true;
  }
  return false;
}

/** The files of labeled sessions in these folders, by session; a file name contains the session's id. */
export function sessionFiles(
  folders: string[],
  sessions: Set<string>,
): Map<string, { path: string; project: string }> {
  const found = new Map<string, { path: string; project: string }>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const stem = basename(entry.name).replace(/\.[^.]+$/, '');
      const session = sessions.has(stem) ? stem : /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.exec(stem)?.[0];
      if (entry.isFile() && session && sessions.has(session) && !found.has(session))
        found.set(session, { path: join(entry.parentPath, entry.name), project: folder });
    }
  }
  return found;
}
