/** A path with its parts turned round (`a/b.ts` is `b.ts/a/`): paths that end alike begin alike. */
export function pathKey(path: string): string {
  const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
  return parts
    .reverse()
    .map((part) => `${part}/`)
    .join('')
    .toWellFormed();
}

/** Greater than every text that begins so, as SQLite compares bytes. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
