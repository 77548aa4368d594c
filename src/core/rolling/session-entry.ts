import type { EntryParts } from './entry.ts';
import { entryHeading } from './entry.ts';
import { type EntrySource, entryBody, lineOfStatement, tokensFor } from './entry-body.ts';
import type { CountTokens } from './limits.ts';

/** A session that memory.md has an entry of, or gets one. */
export type SessionOfMemory = EntrySource & {
  /** As short as it is still unique. */
  session: string;
  /** How many lines its refined file has, and when the last was said. */
  lines: number;
  last: string;
};

/** What an entry says of these lines of a session; undefined if there is nothing to say. */
export function sessionEntry(
  whole: SessionOfMemory,
  [first, last]: [first: number, last: number],
  { count, local }: { count: CountTokens; local: (iso: string) => string },
): EntryParts | undefined {
  const { session, lines, statements } = whole;
  const isIn = (line: number) => line >= first && line <= last;
  const exchanges = whole.exchanges.filter(({ l1_range }) => isIn(l1_range[0]));
  const ts =
    (last >= lines ? whole.last : exchanges.at(-1)?.ts) || exchanges.at(-1)?.ts || '1970-01-01T00:00:00Z';
  const parts: EntryParts = { ts, local: local(ts), session, lines: [first, last], body: [] };
  const room = tokensFor(exchanges.length) - count(`${entryHeading(parts)}\n\n`);
  const own = statements.filter((it) => isIn(lineOfStatement(it)));
  const source = { exchanges, statements: own, way: `keepsake show ${session} --lines ${first}-${last}` };
  const body = entryBody(source, room, count);
  return body.length === 0 ? undefined : { ...parts, body };
}
