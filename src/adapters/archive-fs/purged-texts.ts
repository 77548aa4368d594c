import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../core/model/manifest.ts';
import { parseStored } from '../../core/model/parse-stored.ts';
import { type PurgedText, type PurgeMark, PurgeMask } from '../../core/model/purge-mask.ts';
import { fields, figure, list, oneOf, type Shape, text, tuple } from '../../core/model/shape.ts';
import { ifThere } from './disk-fault.ts';
import { writeFileAtomic } from './write-file.ts';

/** Below `cache/`: the purged texts of all projects. If deleted, it is rebuilt from the manifests. */
export const PURGED_FILE = 'purged.json';

/** Texts that the archive must not store again; undefined if no text was ever purged. */
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

/** Undefined if it is damaged; it is then rebuilt. */
function parse(content: string): PurgedText[] | undefined {
  return parseStored(content, purged).value?.texts;
}

async function collect(file: string, manifests: () => Promise<Manifest[]>): Promise<PurgedText[]> {
  let all = await manifests();
  for (let texts = textsIn(all); ; ) {
    if (all.length === 0) return texts;
    // Only a shortcut: an archive that can't be written does without.
    const written = await writeFileAtomic(file, JSON.stringify({ texts })).then(
      () => true,
      () => false,
    );
    if (!written) return texts;
    // A purge meanwhile removed the file before it was written: then it is too old.
    all = await manifests();
    const now = textsIn(all);
    if (now.length === texts.length) return now;
    texts = now;
  }
}

function textsIn(manifests: Manifest[]): PurgedText[] {
  const texts = new Map<string, PurgedText>();
  for (const { tombstones = [] } of manifests)
    for (const { id, salt, marks } of tombstones)
      if (salt !== undefined && marks) texts.set(id, { salt, marks });
  return [...texts.values()];
}
