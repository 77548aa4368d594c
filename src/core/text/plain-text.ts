const LINK = /\[([^\]\n]{1,200})\]\([^)\s]{1,400}\)/g;
const EMPHASIS = /\*\*|__(?=\S)|(?<=\S)__|~~/g;
const MARKED = /\*\*|__|~~/;
const PICTURES = /[\u{1F300}-\u{1FAFF}\u2600-\u27BF]|\uFE0F/gu;

/** Words without Markdown's signs and pictures, on one line. */
export function plainText(text: string): string {
  let plain = text;
  // Most texts have none of these, and looking for one sign is cheap.
  if (plain.includes('](')) plain = plain.replace(LINK, '$1');
  if (MARKED.test(plain)) plain = plain.replace(EMPHASIS, '');
  if (!isPlain(plain)) plain = plain.replace(PICTURES, '');
  return plain.replace(/\s+/g, ' ').trim();
}

/** Cut between two words, with a sign that something is missing. */
export function clipped(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const head = text.slice(0, longest);
  const space = head.lastIndexOf(' ');
  const whole = space > longest / 2 ? head.slice(0, space) : head.toWellFormed().replace(/\uFFFD$/, '');
  return `${whole.replace(/[\s,;:(-]+$/, '')} …`;
}

const STOP = new Set(
  (
    'the a an to of in for on and or with is are be was were from by at as it its this that these those not no but if then ' +
    'than so we i you they our your which what when how all any can will just should now into also do does did has have had ' +
    'let s t re ll ve d m there here them me my us some more one two make want need like use get see ok okay yes please could ' +
    'would about out up'
  ).split(' '),
);
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_./-]{2,}/gu;
const PLAIN_WORD = /[a-z0-9_][a-z0-9_./-]{2,}/g;
const OTHERS = /[\u0080-\uffff]/;

/** Whether all its letters are plain ones: then patterns need not know the others, which takes a third of the time. */
export function isPlain(text: string): boolean {
  return !OTHERS.test(text);
}

/** The words of a text that describe its topic. */
export function contentWords(text: string): Set<string> {
  const found = new Set<string>();
  const words = text.toLowerCase().match(isPlain(text) ? PLAIN_WORD : WORD);
  if (words) for (const word of words) if (!STOP.has(word)) found.add(word);
  return found;
}

const IDENTIFIER =
  /`([^`\s]{3,60})`|\b([A-Za-z]*[a-z][A-Z]\w+|\w+_\w+|[A-Z]{2,}-\d+|[\w-]+\.(?:go|tsx?|jsx?|py|md|json|rs|ya?ml|toml|sh|sql|vue|rb|java|kt|cs|css|html))\b|(--[a-z][\w-]+)/g;

/** Names of code, files, tickets and flags. */
export function identifiers(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, quoted, name, flag] of text.matchAll(IDENTIFIER)) {
    const plain = (quoted ?? name ?? flag ?? '').replace(/^[().,:]+|[().,:]+$/g, '').toLowerCase();
    if (plain !== '') found.add(plain);
  }
  return found;
}

export function numbersIn(text: string): Set<string> {
  return new Set(text.match(/(?<![\w.])\d+(?![\w.]*\w)/g) ?? []);
}

/** How many members two sets have in common. */
export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let count = 0;
  for (const one of small) if (large.has(one)) count++;
  return count;
}

/** Letters and digits only: what is the same to a reader is the same. */
export function sameWords(text: string): string {
  const pattern = isPlain(text) ? /[^a-z0-9]+/g : /[^\p{L}\p{N}]+/gu;
  return text.toLowerCase().replace(pattern, ' ').trim();
}
