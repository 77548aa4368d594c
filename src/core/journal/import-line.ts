export const IMPORT_LINE = '@_memory/master.md';

/** CLAUDE.md with the line that has the agent load the master; every other byte stays. */
export function withImport(file: Buffer): Buffer {
  // One character a byte: nothing is lost that is no UTF-8.
  const text = file.toString('latin1');
  if (places(text).length > 0) return file;
  const newline = /\r\n/.test(text) && !/[^\r]\n/.test(text) ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : `${text}${newline}`;
  return Buffer.from(`${before}${IMPORT_LINE}${newline}`, 'latin1');
}

/** CLAUDE.md without it. */
export function withoutImport(file: Buffer): Buffer {
  let text = file.toString('latin1');
  for (const [from, to] of places(text).reverse()) text = text.slice(0, from) + text.slice(to);
  return Buffer.from(text, 'latin1');
}

function places(text: string): [from: number, to: number][] {
  return [...text.matchAll(/^@_memory\/master\.md[ \t]*(?:\r?\n|$)/gm)].map((it) => [
    it.index,
    it.index + it[0].length,
  ]);
}
