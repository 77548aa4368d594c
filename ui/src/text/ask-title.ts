/** The first line of a text as a title: whole words, at most `most` characters. */
export function askTitle(text: string, most = 90): string {
  const line = text.trim().split('\n')[0]?.trim() ?? '';
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  return `${cut.slice(0, cut.lastIndexOf(' ') > most / 2 ? cut.lastIndexOf(' ') : most).trimEnd()}…`;
}
