/** What a checkout says of itself. Undefined where there is none. */
export interface Git {
  /** The address of `origin`, or of the only remote, without credentials. */
  remote(folder: string): Promise<string | undefined>;
  branch(folder: string): Promise<string | undefined>;
  /** The newest commits of the branch, newest first, along first parents; none where there is no history. */
  commits(folder: string, most: number): Promise<Commit[]>;
}

export type Commit = {
  id: string;
  /** UTC, ISO 8601. */
  ts: string;
  subject: string;
};
