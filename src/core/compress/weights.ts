/** What a piece of a session is. */
export type UnitKind =
  | 'user'
  | 'answer'
  | 'closing'
  | 'agent'
  | 'commit'
  | 'plan'
  | 'todo'
  | 'report'
  | 'header'
  | 'file'
  | 'read'
  | 'error'
  | 'edit'
  | 'note'
  | 'closing-code'
  | 'code'
  | 'command'
  | 'input'
  | 'output'
  | 'notice';

/** Every figure that decides what a version keeps; `npm run bench -- digest` and `digest-truth` measure them. */
export const COMPRESS_WEIGHTS = {
  /**
   * ln of the quality of a piece, by its kind. `answer` is a question with what was chosen, `closing` the last message of
   * an exchange, `file` an edited file, `note` what was written into a Markdown file.
   */
  kind: {
    user: 1.5,
    answer: 1.2,
    closing: 0.4,
    agent: -0.5,
    commit: 0.6,
    plan: 0,
    todo: -0.2,
    report: -1,
    header: -2.5,
    file: -0.4,
    read: -1.5,
    error: -0.6,
    edit: -1.2,
    note: -0.6,
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
  heading: -0.3,
  /** "Let me look at ...": what follows shows it. */
  narration: -2.5,
  /** A reason, a cause, a decision. */
  finding: 0.3,
  /** What was done. */
  done: 0.5,
  /** The first line of a commit. */
  subject: 0.3,
  /** What a person pasted and did not write, and what of it comes after its first words. */
  pasted: -3,
  pastedRest: -5,
  guess: -2,
  /** A proposal that the user did not take up. */
  notTaken: -2,
  /** An objection, and the words that give in to it. */
  turning: 2,
  /** It is, or is a part of, a statement that is true at the end: one that is shown, or a candidate. */
  stated: 1,
  candidate: 0.4,
  /** In a composition: the latest session leaves it open, or one before did. */
  openNow: 2,
  openBefore: -1,
  /** Withdrawn. */
  gone: -6,
  /** Said again later, or cited. */
  repeated: -2,
  /** Times how much of it the later words, or the user's, repeat beyond these shares. */
  saidAgain: -3,
  saidAgainFrom: 0.3,
  takenUp: -5,
  takenUpFrom: 0.2,
  /**
   * Messages between people: a time, a number or a quotation, a question, own news, first person, names; how rare and how new
   * its words are; from the first to the last of its chat; in the first chat. Fitted: `npm run bench -- compose FILE --fit`.
   */
  chat: {
    when: 1.06,
    exact: 0.88,
    asks: -0.85,
    ownNews: 0.22,
    firstPerson: 0.77,
    names: 0.68,
    rare: 0.62,
    fresh: 1.61,
    late: -0.52,
    firstChat: 0.85,
    base: -4.85,
  },
  abandoned: -8,
  /** Times how well a turn fits the topic, from 0 to 1. */
  topic: 2,
  /** What is left of a word's worth each time it is repeated. */
  repeat: 0.15,
  /** cost = (tokens + costBase) ^ costPower */
  costBase: 12,
  costPower: 0.9,
  /** Shares of a unit's words, by how rare they are, that the words which take it back must have in common with it. */
  conceded: 0.04,
  concededWeakly: 0.2,
  objected: 0.08,
  /** The same for one later message that says it again; more where code is quoted: to name it is not to say the same of it. */
  again: 0.15,
  againOfCode: 0.22,
  /** From this ratio on what was withdrawn is left out, instead of coming last. */
  leavesOutFrom: 8,
  /** Beyond this ratio what is said again later is left out, too: there is no room for both. Several sessions say a thing once. */
  repeatsUpTo: 20,
  repeatsOfSeveralUpTo: 7,
  /** Beyond this ratio what tools printed is left out. */
  outputUpTo: 10,
  /** From this ratio on what tools were fed is left out, except for their one line. */
  noInputFrom: 20,
  /** Beyond this ratio versions are laid out in paragraphs, and edits and commands are included by their result. */
  terseBeyond: 5,
};
