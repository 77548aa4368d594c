import type { ExchangeRecord } from '../../model/exchange.ts';
import type { SessionStatement } from '../../model/statement.ts';
import type { EffectiveEdit } from './effective-edits.ts';
import { isHitId } from './ids.ts';

/** Messages that the user rejected as a whole: `session:src`. */
export type RejectedPlaces = ReadonlySet<string>;

export function rejectedPlaces(edits: readonly EffectiveEdit[]): RejectedPlaces {
  const places = edits.flatMap((edit) =>
    edit.action === 'reject' && isHitId(edit.factId) ? edit.places : [],
  );
  return new Set(places.map(({ sessionId, src }) => placeOf(sessionId, src)));
}

/** Where such messages of one session begin in its original. */
export function rejectedBytes(edits: readonly EffectiveEdit[], sessionId: string): ReadonlySet<number> {
  const bytes = new Set<number>();
  for (const edit of edits)
    if (edit.action === 'reject' && isHitId(edit.factId))
      for (const place of edit.places) if (place.sessionId === sessionId) bytes.add(place.src);
  return bytes;
}

/** Whether a statement quotes such a message. */
export function isOfRejected(
  { quotes }: Pick<SessionStatement, 'quotes'>,
  sessionId: string,
  places: RejectedPlaces,
): boolean {
  return quotes.some(({ src }) => places.has(placeOf(sessionId, src)));
}

type Spoken = { sessionId: string; exchanges: ExchangeRecord[]; statements?: SessionStatement[] };

/** A session without what such messages said. */
export function withoutRejected<S extends Spoken>(session: S, places: RejectedPlaces): S {
  const { sessionId, exchanges, statements } = session;
  return {
    ...session,
    exchanges: exchanges.map((record) => {
      const said = record.said.filter(({ src }) => !places.has(placeOf(sessionId, src)));
      return said.length === record.said.length ? record : { ...record, said };
    }),
    ...(statements ? { statements: statements.filter((one) => !isOfRejected(one, sessionId, places)) } : {}),
  };
}

function placeOf(sessionId: string, src: number): string {
  return `${sessionId}:${src}`;
}
