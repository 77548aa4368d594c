/** What a piece of a session is. */
export type UnitKind =
  | 'user'
  | 'closing'
  | 'agent'
  | 'header'
  | 'error'
  | 'edit'
  | 'closing-code'
  | 'code'
  | 'command'
  | 'input'
  | 'output'
  | 'notice';

/** Every figure that decides what a version keeps; `npm run bench -- digest` measures them. */
export const COMPRESS_WEIGHTS = {
  /** ln of the quality of a piece, by its kind. `closing` is the last message of an exchange. */
  kind: {
    user: 0.8,
    closing: 0.4,
    agent: 0,
    header: -0.6,
    error: -0.6,
    edit: -0.3,
    'closing-code': -0.8,
    code: -1.5,
    command: -1.5,
    input: -1.5,
    output: -3.2,
    notice: -0.5,
  } satisfies Record<UnitKind, number>,
  /** Added to ln q, times the place in the session from 0 to 1. */
  recency: 1,
  /** First and last lines of an output matter more than those between. */
  edgeOfOutput: 0.2,
  /** Lines of an edit or an input after its first stretch. */
  laterLines: -1,
  /** A heading inside a message. */
  heading: -0.5,
  /** "Let me look at ...": what follows shows it. */
  narration: -0.9,
  /** A reason, a cause, a decision. */
  finding: 0.3,
  abandoned: -8,
  /** Times how well a turn fits the topic, from 0 to 1. */
  topic: 2,
  /** What is left of a word's worth each time it is repeated. */
  repeat: 0.15,
  idfPower: 0.3,
  /** A word that messages come back to is what they are about. */
  recurrence: 0.4,
  /** Hashes, ids and long numbers: worth so much of a word. */
  data: 0,
  /** cost = (tokens + costBase) ^ costPower */
  costBase: 6,
  costPower: 0.9,
};
