export type ProjectFile = {
  /** Relative to the project's folder, `/` between parts. */
  name: string;
  bytes: number;
  mtimeMs: number;
};

/** A project's own files. Nothing outside its folder is ever read or written, even through links. */
export interface ProjectFiles {
  /** Plain files below a folder of the project, sorted; up to this number. */
  list(root: string, folder: string, most: number): Promise<ProjectFile[]>;
  /** Paths of the whole project, without installed, built or hidden files. `cut`: there are more. */
  tree(root: string, most: number): Promise<{ files: string[]; cut: boolean }>;
  /** The first bytes of a file, up to this number; undefined if there is none. */
  read(root: string, name: string, most: number): Promise<Buffer | undefined>;
  /** In one step: a reader sees the old file or the new one. Folders are made. Fault `conflict` where a link leads out. */
  write(root: string, name: string, text: string): Promise<void>;
  /** Deletes a file; does nothing if there is none. Fault `conflict` if a link leads out. */
  remove(root: string, name: string): Promise<void>;
}
