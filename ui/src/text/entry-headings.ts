import { momentText } from './times.ts';

const HEADING =
  /^## (\d{4}-\d\d-\d\d)_(\d\d)(\d\d)(?: \(local [\d_-]+\))?(?: session (\S+) lines (\d+)-(\d+))?$/;
/** What means something in Markdown is only a letter in a title. */
const plain = (words: string) => words.replace(/[\\`*_[\]<]/g, '\\$&');

/** Entries of memory.md as people call them: by the title of their session and the reader's clock, not by ids. */
export function withEntryTitles(text: string, titleOf: (session: string) => string | undefined): string {
  return text
    .split('\n')
    .map((line) => {
      const [all, day, hours, minutes, session, first, last] = HEADING.exec(line) ?? [];
      if (all === undefined) return line;
      const when = momentText(`${day}T${hours}:${minutes}:00Z`);
      const title = session === undefined ? undefined : titleOf(session);
      const lines = session === undefined ? '' : `, lines ${first} to ${last} of the session`;
      return title === undefined ? `## ${when}${lines}` : `## ${plain(title)}\n\n${when}${lines}\n`;
    })
    .join('\n');
}
