import type { FoundTranscript } from '../../ports/transcripts.ts';

/** Where to look, and what is known while looking. */
export type FindAsk = {
  folder: string;
  /** What can't be read is named here. */
  unreadable: string[];
  now: number;
  /** Where files of lines are made of what is none. */
  staging: string;
};

/** A document as rows, of which lines are made. */
export type DocumentAsk = {
  text: string;
  path: string;
  /** Nothing has been written for a while: what is not complete never will be. */
  isEnded: boolean;
};

/** How the sessions of an agent are found, and how those that are no files of lines become such. */
export type AgentFinder = {
  find?: (ask: FindAsk) => Promise<FoundTranscript[]>;
  /** A document of this agent in any folder, recognized by its name and contents; otherwise undefined. */
  document?: { name: RegExp; rows: (ask: DocumentAsk) => Iterable<object> | undefined };
};
