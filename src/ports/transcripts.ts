/** A file that an agent wrote. */
export type FoundFile = {
  path: string;
  size: number;
  mtimeMs: number;
  dev: number;
  ino: number;
};

/** A session's transcript, with the files that are beside it (subagents, long tool results). */
export type FoundTranscript = FoundFile & {
  beside: FoundFile[];
  /** The agent's working directory according to its files, which its lines may not have. */
  home?: { cwd?: string; name: string };
  /** Facts from its path: its session, the folder, whether it is a subagent's, and whose session it repeats. */
  known?: {
    session?: string | undefined;
    cwd?: string | undefined;
    agentId?: string | undefined;
    copyOf?: string | undefined;
  };
  /** For sessions that are not files of lines: creates such a file, to be deleted after use. `path` only names the session. */
  stage?: () => Promise<StagedLines>;
};

export type StagedLines = { path: string; remove(): Promise<void> };

/** Called for each line; false means "not complete yet", which only the last line of a file may be. */
export type OnLine = (line: Buffer, at: number, last: boolean) => boolean | 'stop';

export type ReadSummary = {
  /** Where reading continues next time: after the last accepted line. */
  end: number;
  /** Lines over the limit, skipped in bounded memory. */
  oversize: { at: number; bytes: number }[];
};

/** `hidden`: look into folders whose names begin with a dot, too. */
export type FindOptions = { hidden?: boolean };

/** The agents' own session files, only ever read. */
export interface Transcripts {
  /** Every transcript below a folder, by path; links are followed. What can't be read is named in `unreadable`. */
  find(folder: string, unreadable: string[], options?: FindOptions): Promise<FoundTranscript[]>;
  /** One transcript by its path; undefined if there is no such file. */
  inspect(path: string): Promise<FoundTranscript | 'folder' | undefined>;
  /** Fault `unreadable` where the file can't be read. */
  readLines(path: string, from: number, onLine: OnLine): Promise<ReadSummary>;
}
