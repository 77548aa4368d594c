/** A text that is shown beside its weight needs no `##keepit0.80##` in it. */
export function withoutMarkers(text: string): string {
  return text.replace(/##keepit\d(?:\.\d{1,2})?##\s?/g, '');
}
