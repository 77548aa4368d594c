import { shortHash } from '../../model/ids.ts';
import type { AgentPlace } from '../agent-place.ts';
import type { AgentReader } from '../agent-reader.ts';
import { knownFields, withGaps } from '../known-fields.ts';
import { only, skipped, titled, unknown } from '../read-parts.ts';
import { isStaged, stagedRow } from '../staged-rows.ts';
import { stringOf } from '../string-of.ts';

const AGENT = 'memory-files';
const SESSION = knownFields('session', 'title:s');

/** Files in which agents remember, from the lines that are made of their sections. An agent wrote them: nothing in them is a user's. */
export const memoryFileReader: AgentReader = {
  is: (object) => isStaged(object, AGENT),
  read: (object, src) => {
    const { kind, row } = stagedRow(object, AGENT) ?? { kind: '', row: {} };
    const text = stringOf(row.text).trim();
    const place: AgentPlace = { id: `n_${shortHash(`${kind}\n${text}`, 16)}`, ts: stringOf(row.ts), src };
    if (kind === 'session') {
      const cwd = stringOf(row.cwd);
      const facts = { sessionId: stringOf(row.id), ...(cwd ? { cwd } : {}) };
      return withGaps({ entries: titled(place, stringOf(row.title), true), facts }, SESSION, row);
    }
    if (kind !== 'section') return unknown(kind);
    if (text === '') return skipped('no words');
    const name = stringOf(row.file);
    return only({
      ...place,
      messageId: place.id,
      kind: 'assistant',
      origin: 'assistant',
      ...(name ? { name } : {}),
      text,
    });
  },
};
