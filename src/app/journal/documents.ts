import { LONGEST_POINT } from '../../core/journal/page.ts';
import { readPageMark } from '../../core/journal/page-text.ts';
import { plainLine } from '../../core/journal/plain-line.ts';
import { sectionBlocks, sectionsOf } from '../../core/journal/sections.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { Document } from '../../core/search/documents/document.ts';
import { redact } from '../../core/text/redact.ts';
import type { World } from '../world.ts';
import { JOURNAL_TEXTS } from './journal-texts.ts';

const MOST_DOCUMENTS = 2000;
const LONGEST = 1 << 20;

/** Keeps the text of a file of the journal for search. */
export async function noteForSearch(
  world: World,
  project: ProjectId,
  name: string,
  text: string,
): Promise<void> {
  const file = `${JOURNAL_TEXTS}/${name.replace(/^_memory\//, '')}`;
  const stored = await world.archive.files.read(project, file);
  const plain = redact(text.slice(0, LONGEST)).text;
  if (stored?.toString('utf8') !== plain) await world.archive.files.write(project, file, plain);
}

/** A file of the journal as documents: one per bullet and paragraph, with its heading. */
export function journalDocuments(file: string, text: string): Document[] {
  const name = `_memory/${file.slice(JOURNAL_TEXTS.length + 1)}`;
  const mark = readPageMark(text);
  const documents: Document[] = [];
  let title = name;
  let from = 0;
  for (const { level, name: heading, lines } of sectionsOf(text)) {
    if (level === 1) title = `${name}: ${plainLine(heading, 100)}`;
    for (const block of sectionBlocks(lines)) {
      if (block.startsWith('<!--') || documents.length >= MOST_DOCUMENTS) continue;
      const words = plainLine(block, 4 * LONGEST_POINT);
      if (!/\p{L}/u.test(words)) continue;
      const at = text.indexOf(block, from);
      if (at >= 0) from = at;
      const exchange = /\bex_[0-9a-f]{6,20}\b/.exec(words)?.[0];
      documents.push({
        title: level > 1 ? `${title}, ${plainLine(heading, 80)}` : title,
        text: words,
        ts: mark?.last ?? '',
        at: Math.max(0, at),
        by: 'journal',
        ...(mark ? { sessionId: mark.session } : {}),
        ...(exchange === undefined ? {} : { exchange }),
      });
    }
  }
  return documents;
}
