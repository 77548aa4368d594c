/** A place in a settings file; `own`: it is a list, and the item that contains these words is Keepsake's. */
export type ConfigPlace = { format: 'json' | 'toml'; at: readonly string[]; own?: string };

/** Settings files of agents, which belong to the user: edited with comments and order kept, one entry at a time. */
export interface AgentConfig {
  /** Undefined if there is no such file; refuses one that is not text. */
  read(path: string): Promise<string | undefined>;
  /** Whether there is a folder. */
  hasFolder(path: string): Promise<boolean>;
  /** Writes the whole file, through links and with its permissions; returns the folders that were created, outermost first. */
  write(path: string, text: string): Promise<string[]>;
  /** Deletes the file, and these folders if they are empty now. */
  remove(path: string, folders: readonly string[]): Promise<void>;
  /** The value at a place; undefined if there is none or the text cannot be read. */
  entry(text: string, place: ConfigPlace): unknown;
  /** The text with an entry; undefined if it can't be read. */
  withEntry(text: string, place: ConfigPlace, entry: Record<string, unknown>): string | undefined;
  /** The text without the entry, and without containers that only held it; undefined if it cannot be read. */
  withoutEntry(text: string, place: ConfigPlace): string | undefined;
}
