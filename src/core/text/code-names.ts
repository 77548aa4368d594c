const FILE = /(?:[\w.@-]+\/)*[\w.@-]*\w\.(?:[a-z]\w{0,4})\b/g;
const NAME =
  /`([^`\n]{4,60})`|(?<![\w-])([a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z]\w*(?:_\w+)+|--[a-z][\w-]{2,})/g;
const LEAST = 5;

/** Names in a text that code has, too: identifiers, flags, what is in backticks. */
export function codeNames(text: string): string[] {
  const found = new Set<string>();
  for (const [, quoted, bare] of text.matchAll(NAME)) {
    const name = (quoted ?? bare ?? '').replace(/\(.*$/, '').trim();
    if (name.length >= LEAST && !isFile(name) && isSpecial(name)) found.add(name);
  }
  return [...found];
}

/** Not a word of every day, nor one of a language. */
function isSpecial(name: string): boolean {
  return (
    /^[\w.:@$#-]+$/.test(name) &&
    /[A-Za-z]{3}/.test(name) &&
    /[a-z][A-Z]|\w[_.:]\w|^--|[a-z]-[a-z]+-|\d/.test(name)
  );
}

function isFile(name: string): boolean {
  return /\.(?:[a-z]\w{0,4})(?::\d+(?:-\d+)?)?$/.test(name) || name.includes('/');
}

/** The files that a text names, without their folders. */
export function fileNames(text: string): string[] {
  return [...new Set([...text.matchAll(FILE)].map(([path]) => path.split('/').at(-1)!))];
}
