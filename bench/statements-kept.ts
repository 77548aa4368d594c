// Which statements a reader would keep, by the place of their first quotation: labels without the words themselves.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Judged } from '../src/core/statements/select.ts';

type Label = [src: number, foundBy: string, hash: string, kept: 0 | 1, strict?: 1];
/** What a reader said of a statement; strict ones asked, too, whether it is understood alone. */
export type KeptLabel = { kept: boolean; isStrict: boolean };

const { kept } = JSON.parse(readFileSync(join(import.meta.dirname, 'kept-labels.json'), 'utf8')) as {
  kept: Record<string, Label[]>;
};

/** Paths of the sessions that have such labels, each with its folder. */
export function keptSessions(folders: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && Object.hasOwn(kept, entry.name))
        found.set(join(entry.parentPath, entry.name), folder);
  return found;
}

/** What a reader said of a candidate, if one did. */
export function keptIn(path: string, { candidate }: Judged): KeptLabel | undefined {
  const labels = Object.hasOwn(kept, basename(path)) ? kept[basename(path)]! : [];
  const quote = candidate.words.quotes[0];
  if (!quote || labels.length === 0) return undefined;
  const hash = createHash('sha1').update(quote.text).digest('hex').slice(0, 8);
  const label = labels.find(
    ([src, foundBy, own]) => src === quote.src && foundBy === candidate.foundBy && own === hash,
  );
  return label && { kept: label[3] === 1, isStrict: label[4] === 1 };
}
