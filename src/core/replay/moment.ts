/** A place in a session, and when it was. */
export type TimedPlace = { exchange: string; src: number; ts: string };
/** What the user typed. */
export type PromptMoment = TimedPlace & { text: string };
/** A sentence of the user's on how to work, and how the message around it begins. */
export type InstructionMoment = TimedPlace & { text: string; message: string };
/** A command that failed. `form`: what of its shape the error complains about; empty if it does not. */
export type FailureMoment = TimedPlace & { command: string; error: string; form: string };
/** A command that failed, and the one that passed instead. */
export type FixMoment = FailureMoment & { worked: string; workedAt: TimedPlace };
/** A file that the session opened, and changed or not: with the searches of the same exchange before anyone had named it. */
export type FileMoment = TimedPlace & {
  file: string;
  changed: boolean;
  searches: string[];
  opened: TimedPlace;
};
/** A question of the agent's, and the user's answer. */
export type AnswerMoment = TimedPlace & { question: string; answer: string };

/** What of a session can come again in a later one. It depends on that session alone. */
export type SessionMoments = {
  prompts: PromptMoment[];
  instructions: InstructionMoment[];
  failures: FailureMoment[];
  fixes: FixMoment[];
  files: FileMoment[];
  answers: AnswerMoment[];
};
