import { INJECTED_AT, type Injection } from '../../core/model/injection.ts';
import { fields, figure, list, oneOf, text } from '../../core/model/shape.ts';
import type { StoredKind } from '../read-stored.ts';

/** The lines of `injections/<session>.jsonl`. */
export const INJECTIONS: StoredKind<Injection> = {
  schema: fields({
    id: text,
    at: text,
    session: text,
    on: oneOf(...INJECTED_AT),
    why: text,
    tokens: figure,
    sources: list(fields({ session: text }, { exchange: text, id: text })),
    text,
  }),
  damaged: 'The list of injections of this session is lost.',
  derived: true,
};
