type JournalFile = { name: string; bytes: number; mtimeMs: number };

const folderOf = (scope: string) => (scope === '' ? '_memory/' : `_memory/${scope}/`);

/** The memory made of all pages of a scope. */
export const MASTER = (scope: string) => `${folderOf(scope)}master.md`;

/** Pages of conversations in a scope, the newest conversation first; what has no date here, by when it was written, at the end. */
export function pagesIn<F extends JournalFile>(
  files: readonly F[],
  scope: string,
  lastOf: (session: string) => string,
): F[] {
  const folder = `${folderOf(scope)}conversations/`;
  return files
    .filter(({ name }) => name.startsWith(folder) && name.endsWith('.md'))
    .map((file) => ({ file, last: lastOf(sessionOfPage(file.name)) }))
    .sort((a, b) => b.last.localeCompare(a.last) || b.file.mtimeMs - a.file.mtimeMs)
    .map(({ file }) => file);
}

/** A page is named after its session. */
export function sessionOfPage(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
