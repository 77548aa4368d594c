/** Hints are written for the command line; where a button does the same, the page names that. */
export function hintText(hint: string): string {
  return hint
    .replace(/Run `keepsake sync`/g, 'Press Sync everything')
    .replace(/`keepsake sync`/g, 'Sync everything');
}

/** A text in pieces: what stands in backticks is code. */
export function codePieces(text: string): { text: string; code: boolean }[] {
  const parts = text.split('`');
  // One without its other half is a sign like any other.
  if (parts.length % 2 === 0) return [{ text, code: false }];
  return parts.map((part, at) => ({ text: part, code: at % 2 === 1 })).filter((it) => it.text !== '');
}
