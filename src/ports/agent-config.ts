/** A place in a settings file; `own`: it is a list, and its item that holds these words is Keepsake's. */
export type ConfigPlace = { format: 'json' | 'toml'; at: readonly string[]; own?: string };

/** Settings files of agents, which belong to the user: edited with comments and order kept, one entry at a time. */
export interface AgentConfig {
  /** Undefined if there is no such file; refuses one that is not text. */
  read(path: string): Promise<string | undefined>;
  /** Whether there is a folder. */
  hasFolder(path: string): Promise<boolean>;
  /** The whole file, through links and with its rights; gives the folders that had to be made, the outermost first. */
  write(path: string, text: string): Promise<string[]>;
  /** The file, and these folders where they are empty now. */
  remove(path: string, folders: readonly string[]): Promise<void>;
  /** What a place holds; undefined if it holds nothing or the text can't be read. */
  entry(text: string, place: ConfigPlace): unknown;
  /** The text with an entry; undefined if it can't be read. */
  withEntry(text: string, place: ConfigPlace, entry: Record<string, unknown>): string | undefined;
  /** The text without it, and without what is around it and holds nothing else; undefined if it can't be read. */
  withoutEntry(text: string, place: ConfigPlace): string | undefined;
}
