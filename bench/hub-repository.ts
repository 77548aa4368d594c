import { createHash } from 'node:crypto';
import type { SessionRecord } from '../src/core/model/session.ts';
import type { Talk } from '../test/made/talk-lines.ts';

const WORD = /[a-z]{4,}/g;
/** In each copy, one of this many words is replaced by a new one, since larger repositories have more distinct words. */
const NEW_WORDS = 25;

/** Copies a session's lines under another id. */
export function copyOf({ record, text }: Talk, copy: number): Talk {
  if (copy === 0) return { record, text };
  const mark = copy.toString(36);
  // As agents name them: files are called by how an id begins, and copies must not be told apart by their ends alone.
  const hash = createHash('sha256').update(`${record.sessionId} ${copy}`).digest('hex');
  const sessionId = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${mark}` as SessionRecord['sessionId'];
  const [head = '', ...lines] = text.split('\n');
  let count = 0;
  // Field names do not occur in the values that are replaced.
  const changed = lines.map((line) =>
    line.replace(/"text":"((?:[^"\\]|\\.)*)"/g, (_, words: string) => {
      const other = words.replace(WORD, (word) => (++count % NEW_WORDS === 0 ? `${word}${mark}q` : word));
      return `"text":"${other}"`;
    }),
  );
  return {
    record: { ...record, sessionId },
    text: [head, ...changed]
      .join('\n')
      .replaceAll(/"id":"([^"]+)"/g, (_, id: string) => `"id":"${id}-${mark}"`),
  };
}
