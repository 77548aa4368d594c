import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type MaskNow, PURGED_FILE } from './purged-texts.ts';

type Content = string | Uint8Array;

/** Keeps out what was purged after this process read it. */
export type LatePurges = {
  /** Writes the content without it: looked at before, and again if someone purged meanwhile. */
  write(path: string, content: Content, write: (clean: Content) => Promise<void>): Promise<void>;
  /** A text without what was purged after the archive was opened here; the same if nothing in it was. */
  clean(text: string, form: 'json' | 'plain'): Promise<string>;
};

export function latePurges(root: string, maskNow: MaskNow): LatePurges {
  const file = join(root, 'cache', PURGED_FILE);
  const opened = stampOf(file);

  /** The same content if nothing in it is purged. */
  async function cleaned(content: Content, json: boolean): Promise<Content> {
    const now = stampOf(file);
    if (now !== undefined && now === opened) return content;
    const mask = await maskNow();
    const bytes = Buffer.from(content as Uint8Array);
    return mask && mask.apply(bytes, json).length > 0 ? bytes : content;
  }

  return {
    async write(path, content, write) {
      const json = /\.jsonl?$/.test(path);
      let written: Content | undefined;
      for (;;) {
        const before = stampOf(file);
        const clean = await cleaned(written ?? content, json);
        if (clean === written) return;
        await write(clean);
        if (stampOf(file) === before) return;
        written = clean;
      }
    },
    clean: async (text, form) => {
      const clean = await cleaned(text, form === 'json');
      return typeof clean === 'string' ? clean : Buffer.from(clean).toString('utf8');
    },
  };
}

/** Undefined where the list is absent, since a purge deletes it, or can't be looked at: then what is written is searched. */
function stampOf(file: string): string | undefined {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found && `${found.ino} ${found.mtimeMs} ${found.size}`;
  } catch {
    return undefined;
  }
}
