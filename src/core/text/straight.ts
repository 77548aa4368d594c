/** Straight quotation marks, as the cues have them. */
export function straight(text: string): string {
  return text.replaceAll('’', "'");
}
