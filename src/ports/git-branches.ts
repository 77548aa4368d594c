/** Branches of the user's own repository, without its checkout: no file, index or current branch is touched. */
export interface GitBranches {
  /** The author of commits there; undefined if git does not know one. */
  userName(folder: string): Promise<string | undefined>;
  /** The target branch of pull requests; undefined if it is unknown. */
  mainBranch(folder: string): Promise<string | undefined>;
  /** A file of a branch's last commit; undefined if there is none. Fault `not-found` without the branch. */
  readFile(folder: string, branch: string, path: string): Promise<BranchFile | undefined>;
  /** Commits one file to a branch, creating the branch if needed. Fault `conflict` if it is checked out. */
  commitFile(folder: string, file: NewBranchFile): Promise<{ commit: string; isNew: boolean }>;
}

export type BranchFile = { commit: string; content: string };
export type NewBranchFile = { branch: string; path: string; content: string; message: string };
