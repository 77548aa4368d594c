const ANEW = new Set(['new', 'composed']);
const WORDS: Record<string, string> = { auto: 'auto', original: 'original', none: 'no room' };

/** `part1_v002+new` as people say it. */
export function specText(versionId: string): string {
  const parts = versionId.split('+');
  const named = parts.filter((part) => !ANEW.has(part)).map((part) => WORDS[part] ?? part);
  if (named.length === parts.length) return named.join(' + ');
  return named.length === 0 ? 'compressed to fit' : `${named.join(' + ')}, the rest compressed to fit`;
}

/** Why it was chosen; the tokens that each part was made for say nothing beside those that it has. */
export function reasonText(reason: string | undefined): string {
  return (reason ?? '')
    .replace(
      /(?:Chosen|Selected|Part \d+ selected)(?: together with the other sessions)? to fit [\d,]+ tokens\./g,
      '',
    )
    .replace(/(?:Made|Compressed) to fit [\d,]+ tokens(?:; of its keepits|\.)/g, (words) =>
      words.endsWith('.') ? '' : 'Of its keepits',
    )
    .replace(/\s+/g, ' ')
    .trim();
}
