type JournalFile = { name: string; bytes: number; mtimeMs: number };

const folderOf = (scope: string) => (scope === '' ? '_memory/' : `_memory/${scope}/`);

/** The memory made of all pages of a scope. */
export const MASTER = (scope: string) => `${folderOf(scope)}master.md`;

/** Pages of conversations in a scope, newest first. */
export function pagesIn<F extends JournalFile>(files: readonly F[], scope: string): F[] {
  const folder = `${folderOf(scope)}conversations/`;
  return files
    .filter(({ name }) => name.startsWith(folder) && name.endsWith('.md'))
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** A page is named after its session. */
export function sessionOfPage(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/, '');
}
