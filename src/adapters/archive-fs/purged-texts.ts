import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../core/model/manifest.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { type PurgedText, type PurgeMark, PurgeMask } from '../../core/model/purge-mask.ts';
import { fields, figure, list, oneOf, type Shape, text, tuple } from '../../core/model/shape.ts';
import { ifThere } from './disk-fault.ts';
import { writeFileAtomic } from './write-file.ts';

/** Below `cache/`: the purged texts of all projects. Removed, it is made again from the manifests. */
const PURGED_FILE = 'purged.json';

/** What the archive must not take in again; undefined where nothing was ever purged so. */
export type MaskNow = () => Promise<PurgeMask | undefined>;

export function purgedTexts(root: string, manifests: () => Promise<Manifest[]>): MaskNow {
  const file = join(root, 'cache', PURGED_FILE);
  let known: { text: string; mask: PurgeMask | undefined } | undefined;
  return async () => {
    const text = await ifThere(readFile(file, 'utf8'));
    if (text !== undefined && text === known?.text) return known.mask;
    const texts = (text === undefined ? undefined : parse(text)) ?? (await collect(file, manifests));
    const mask = texts.length === 0 ? undefined : new PurgeMask(texts);
    if (text !== undefined) known = { text, mask };
    return mask;
  };
}

const mark: Shape<PurgeMark> = fields(
  { length: figure, roll: figure, hash: text },
  { ranges: list(tuple(figure, figure)), plain: oneOf(true), unescaped: oneOf(true), cut: oneOf(true) },
);
const purged = fields({ texts: list(fields({ salt: text, marks: list(mark) })) });

/** Undefined where it is damaged: it is then made again. */
function parse(content: string): PurgedText[] | undefined {
  return parseStored(content, purged).value?.texts;
}

async function collect(file: string, manifests: () => Promise<Manifest[]>): Promise<PurgedText[]> {
  const all = await manifests();
  const texts = new Map<string, PurgedText>();
  for (const { tombstones = [] } of all)
    for (const { id, salt, marks } of tombstones)
      if (salt !== undefined && marks) texts.set(id, { salt, marks });
  // Only a shortcut: an archive that can't be written does without.
  if (all.length > 0)
    await writeFileAtomic(file, JSON.stringify({ texts: [...texts.values()] })).catch(() => {});
  return [...texts.values()];
}
