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

/** Every figure that decides what a compression keeps; `npm run bench -- digest` measures them. */
export const WEIGHTS = {
  /** ln of the quality of a piece, by its kind. `closing` is the last message of an exchange. */
  kind: {
    user: 1.2,
    closing: 0.6,
    agent: 0,
    header: -0.3,
    error: -1,
    edit: -0.7,
    'closing-code': -1,
    code: -1.5,
    command: -1.5,
    input: -2,
    output: -3,
    notice: -0.5,
  } satisfies Record<UnitKind, number>,
  /** Added to ln q, times the place in the session from 0 to 1. */
  recency: 1,
  /** First and last lines of an output tell more than those between. */
  edgeOfOutput: 0.5,
  /** Lines of an edit or an input after its first stretch. */
  laterLines: -1,
  /** A heading inside a message. */
  heading: -0.5,
  abandoned: -8,
  /** Times how well a turn fits the topic, from 0 to 1. */
  topic: 2,
  /** What is left of a word's worth each time it is told again. */
  decay: 0.5,
  idfPower: 1.5,
  /** cost = (tokens + costBase) ^ costPower */
  costBase: 4,
  costPower: 0.8,
};
