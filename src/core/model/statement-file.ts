import { LAYERS_ENGINE } from './layers-engine.ts';
import { fields, figure, list, oneOf, type Shape, text } from './shape.ts';
import { type Overturned, type Quote, type SessionStatement, STATED_BY, STATED_KINDS } from './statement.ts';
import { VIAS, type Via } from './via.ts';

/** `memory/sessions/<stem>.statements.json`: what is true at the end of a session. */
export type StatementFile = {
  engine: number;
  /** The refined file that it was made from: its bytes, and which engine made that. */
  l1: { bytes: number; engine: number };
  statements: AuthoredStatement[];
  /** What was said in the session and taken back as a whole: no statement has it. */
  takenBack: Overturned[];
};

/** With whose words they are (`me`, or a name) and how they came in. */
export type AuthoredStatement = SessionStatement & { by: string; via: Via };

const quote: Shape<Quote> = fields({
  by: oneOf('user', 'assistant'),
  field: oneOf('text', 'asked', 'choice', 'target', 'diff', 'result'),
  line: figure,
  src: figure,
  text,
});
const overturned: Shape<Overturned> = fields({ was: list(quote), by: list(quote) });
const statement: Shape<AuthoredStatement> = fields(
  {
    id: text,
    by: text,
    via: oneOf(...VIAS),
    kind: oneOf(...STATED_KINDS),
    text,
    author: oneOf('user', 'assistant', 'pasted'),
    foundBy: oneOf(...STATED_BY),
    tier: oneOf('shown', 'candidate'),
    confidence: figure,
    quotes: list(quote),
    overturned: list(overturned),
    exchange: figure,
    ts: text,
  },
  { about: list(quote) },
);
export const statementFileShape: Shape<StatementFile> = fields({
  engine: oneOf(LAYERS_ENGINE),
  l1: fields({ bytes: figure, engine: figure }),
  statements: list(statement),
  takenBack: list(overturned),
});
