/** What a checkout says of itself. Undefined if there is none. */
export interface Git {
  /** The address of `origin`, or of the only remote unless that is called `upstream`, without credentials. */
  remote(folder: string): Promise<string | undefined>;
  /** What the checkout around a folder says of its repository; a few small reads, no history. */
  checkout(folder: string): Promise<Checkout | undefined>;
  /** Whether a repository holds a commit. */
  holds(folder: string, commit: string): Promise<boolean>;
  /** The first commit, in a full clone with a history that can be walked in a moment. */
  rootCommit(folder: string): Promise<string | undefined>;
  branch(folder: string): Promise<string | undefined>;
  /** The newest commits of the branch, newest first, along first parents; none where there is no history. */
  commits(folder: string, most: number): Promise<Commit[]>;
  /** The commits that a file's lines are from, or one of its lines; the one with most lines first. None if git doesn't know. */
  blame(file: string, line?: number): Promise<BlamedCommit[]>;
}

export type Checkout = {
  /** Its top folder. */
  top: string;
  /** The top folder of the main checkout, where this one is a linked worktree. */
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

/** A commit that lines of a file are from. `ts` is when its author made it; a rebase does not change that. */
export type BlamedCommit = Commit & {
  /** How many, and the first of them. */
  lines: number;
  first: number;
};
