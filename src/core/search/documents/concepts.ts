import type { ConceptFile } from '../../model/concept.ts';
import type { Document } from './document.ts';

/** Topics, with the words and files by which they are known. */
export function conceptDocuments({ concepts }: ConceptFile): Document[] {
  return concepts.map(({ id, name, summary, keywords, files, updated, by }) => {
    const known = [keywords.join(', '), files.slice(0, 8).join(', ')].filter((part) => part !== '');
    return {
      title: name,
      text: [summary, ...known].join('\n'),
      ts: updated,
      id,
      ...(by ? { author: by.join(', ') } : {}),
    };
  });
}
