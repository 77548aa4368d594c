export type Versions = { keepsake: string; node: string; sqlite: string };

/** What `doctor` and `status` need from the machine. */
export interface Machine {
  versions(): Promise<Versions>;
  readText(path: string): Promise<string | undefined>;
  /** The bytes of a plain file; undefined if there is none. */
  readBytes(path: string): Promise<Buffer | undefined>;
  /**
   * Writes a file of the user's own, in one step; its permissions stay. Through a link only where that stays in
   * `within`. Made new, it is the user's as any other.
   */
  replaceFile(path: string, bytes: Uint8Array, within: string): Promise<void>;
  /** Names in a folder; empty if it does not exist. */
  list(path: string): Promise<string[]>;
  /** Identity, size and time of each path, without opening it; empty if it does not exist. */
  stamps(paths: readonly string[]): Promise<string[]>;
  /** missing, or what this user may do with it. A link whose target is gone is `dangling`. */
  accessTo(path: string): Promise<'missing' | 'dangling' | 'none' | 'read' | 'write'>;
  isLink(path: string): Promise<boolean>;
  /** Permission bits; undefined if the system has none or the path does not exist. */
  mode(path: string): Promise<number | undefined>;
  /** False if it belongs to another user of the machine. */
  isOwn(path: string): Promise<boolean>;
  /** Free bytes at this path; undefined if unknown. */
  freeBytes(path: string): Promise<number | undefined>;
  /** Bytes of all files below a folder. */
  treeBytes(path: string): Promise<number>;
}
