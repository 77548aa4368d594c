/** Marks that Keepsake leaves in its files for itself are not for reading. */
export function withoutMarks(text: string): string {
  return text.replace(/^<!-- keepsake:.*-->\n?/gm, '');
}
