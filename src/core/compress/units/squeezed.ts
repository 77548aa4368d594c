/** Letters and digits only, in lower case: the same words with other marks are the same. */
export function squeezed(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
