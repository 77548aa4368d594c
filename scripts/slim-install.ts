// Deletes installed files that nothing reads: a tenth of what the packages take up on the disk, and a third of Node and the tokenizer.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, '..', 'node_modules');
/** Positions in code before it was built, and what packages say about themselves; their licenses stay. */
const UNREAD =
  /\.map$|^(?:readme|changelog|history)[^/\\]*\.(?:md|markdown|txt)$|^(?:readme|changelog|history)$/i;

/** Headers and manual pages of the bundled Node, encodings of other models, second copies, translations and source maps. */
export function slimInstall(modules = MODULES): void {
  for (const name of namesIn(modules).filter((it) => /^node-(?:linux|win|darwin)-/.test(it)))
    for (const part of ['include', 'share']) remove(join(modules, name, part));
  const encodings = join(modules, 'ai-tokenizer', 'dist', 'encoding');
  for (const name of namesIn(encodings))
    if (/^(?:o200k|cl100k|p50k)_base-.*\.js$|-.*\.cjs$/.test(name)) remove(join(encodings, name));
  const compiler = join(modules, 'typescript', 'lib');
  for (const name of namesIn(compiler))
    if (/^[a-z]{2}(?:-[a-z]{2})?$/.test(name)) remove(join(compiler, name));
  remove(join(modules, 'reka-ui', 'src'));
  removeUnread(modules);
}

function removeUnread(folder: string): void {
  for (const entry of entriesIn(folder)) {
    const path = join(folder, entry.name);
    // Folders that begin with a dot are what tools remember.
    if (entry.isDirectory() && !entry.name.startsWith('.')) removeUnread(path);
    else if (entry.isFile() && UNREAD.test(entry.name)) remove(path);
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
