/** Facts about a checkout. Undefined if there is none. */
export interface Git {
  /** The address of `origin`, or of the only remote unless that is called `upstream`, without credentials. */
  remote(folder: string): Promise<string | undefined>;
  /** The repository facts of the checkout around a folder; a few small reads, no history. */
  checkout(folder: string): Promise<Checkout | undefined>;
  /** Whether a repository contains a commit. */
  holds(folder: string, commit: string): Promise<boolean>;
  /** The first commit, in a full clone whose history can be read in a moment. */
  rootCommit(folder: string): Promise<string | undefined>;
  branch(folder: string): Promise<string | undefined>;
  /** The newest commits of the branch, newest first, along first parents; none if there is no history. */
  commits(folder: string, most: number): Promise<Commit[]>;
  /** The commits of a file's lines, or of one line; the one with the most lines first. None if git does not know. */
  blame(file: string, line?: number): Promise<BlamedCommit[]>;
}

export type Checkout = {
  /** Its top folder. */
  top: string;
  /** The top folder of the main checkout, if this is a linked worktree. */
  worktreeOf?: string;
  remote?: string;
  /** `keepsake.identity` and every `keepsake.scope` of the repository's own configuration. */
  identity?: string;
  scopes: string[];
};

export type Commit = {
  id: string;
  /** UTC, ISO 8601. */
  ts: string;
  subject: string;
};

/** A commit that wrote lines of a file. `ts` is the author's time; a rebase does not change it. */
export type BlamedCommit = Commit & {
  /** How many, and the first of them. */
  lines: number;
  first: number;
};
