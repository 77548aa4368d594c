import type { Entry, TextEntry } from '../model/entry.ts';
import type { ReadObject } from '../model/read-object.ts';
import type { AgentPlace } from './agent-place.ts';

/** An object that is known and holds nothing for memory. */
export function skipped(kind: string): ReadObject {
  return { entries: [], facts: {}, skipped: kind };
}

/** An object of a kind that is not known: counted. */
export function unknown(kind: string): ReadObject {
  return { entries: [], facts: {}, unknown: kind || 'no type' };
}

export function only(entry: Entry): ReadObject {
  return { entries: [entry], facts: {} };
}

/** Several entries, or the kind of an object that had none. */
export function allOf(entries: Entry[], kind: string): ReadObject {
  return entries.length > 0 ? { entries, facts: {} } : skipped(kind);
}

export function notice(place: AgentPlace, text: string): TextEntry {
  return { ...place, kind: 'notice', origin: 'machine', text };
}

export function compaction(place: AgentPlace, text: string): Entry {
  return { ...place, kind: 'compaction', origin: 'machine', text };
}

export function titled(place: AgentPlace, text: string, custom = false): Entry[] {
  const title = text.trim();
  return title === '' ? [] : [{ ...place, kind: 'title', origin: 'machine', text: title, custom }];
}

/** What a person typed, or, without words of theirs, what the client put in their place. */
export function spoken(place: AgentPlace, text: string, own: string | undefined, images = 0): Entry[] {
  const words = own ?? '';
  if (words.trim() === '' && images === 0) return text.trim() === '' ? [] : [notice(place, text)];
  return [{ ...place, kind: 'user', origin: 'user', text: words, ...(images > 0 ? { images } : {}) }];
}
