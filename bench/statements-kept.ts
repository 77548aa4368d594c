// Readers' judgments whether to keep a statement, stored by the place of its first quotation, without the words themselves.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Quote } from '../src/core/model/statement.ts';

type Label = [src: number, foundBy: string, hash: string, kept: number, strict?: 1];
/** A reader's judgment of a statement; strict readers also asked whether it can be understood alone. */
export type KeptLabel = { kept: number; isStrict: boolean };

const { kept } = labelsIn(join(import.meta.dirname, 'kept-labels.json'));

/** Adds labels in the same form: `kept` is 1, 0, or the share of readers who would keep it. */
export function addKept(path: string): void {
  for (const [name, labels] of Object.entries(labelsIn(path).kept))
    kept[name] = [...labels, ...(Object.hasOwn(kept, name) ? kept[name]! : [])];
}

function labelsIn(path: string): { kept: Record<string, Label[]> } {
  return JSON.parse(readFileSync(path, 'utf8')) as { kept: Record<string, Label[]> };
}

/** Paths of the sessions that have such labels, each with its folder. */
export function keptSessions(folders: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && Object.hasOwn(kept, entry.name))
        found.set(join(entry.parentPath, entry.name), folder);
  return found;
}

/** The readers' judgment of a candidate, if there is one. */
export function keptIn(
  path: string,
  { foundBy, quote }: { foundBy: string; quote: Quote | undefined },
): KeptLabel | undefined {
  const labels = Object.hasOwn(kept, basename(path)) ? kept[basename(path)]! : [];
  if (!quote || labels.length === 0) return undefined;
  const hash = createHash('sha1').update(quote.text).digest('hex').slice(0, 8);
  const label = labels.find(([src, by, own]) => src === quote.src && by === foundBy && own === hash);
  return label && { kept: label[3], isStrict: label[4] === 1 };
}
