export type Versions = { keepsake: string; node: string; sqlite: string };

/** What `doctor` and `status` ask of the machine itself. */
export interface Machine {
  versions(): Promise<Versions>;
  readText(path: string): Promise<string | undefined>;
  /** Names in a folder; none where there is none. */
  list(path: string): Promise<string[]>;
  /** missing, or what this user may do with it. A link whose target is gone is `dangling`. */
  accessTo(path: string): Promise<'missing' | 'dangling' | 'none' | 'read' | 'write'>;
  isLink(path: string): Promise<boolean>;
  /** Permission bits, undefined where the system has none or nothing is there. */
  mode(path: string): Promise<number | undefined>;
  /** Bytes that may still be written where this path lies; undefined where unknown. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Bytes of all files below a folder. */
  treeBytes(path: string): Promise<number>;
}
