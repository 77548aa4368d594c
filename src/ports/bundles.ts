/** A file that grows until it is done with. */
export type Scratch = {
  path: string;
  write(bytes: Uint8Array): void;
  close(): void;
  remove(): Promise<void>;
};

export type Written = { bytes: number; unpacked: number };

/** Files in which memory travels: lines of JSON, packed. */
export interface Bundles {
  /** Whole or not at all, for the user alone. Fault `conflict` where a file exists, unless `force`. */
  write(path: string, lines: AsyncIterable<string>, options?: { force?: boolean }): Promise<Written>;
  /** The same bytes as they come: who stops reading stops what makes them. */
  pack(lines: AsyncIterable<string>): AsyncIterable<Uint8Array>;
  /** Each line once, in bounded memory; `path` is what the user calls it. Fault `bad-input` for what is no such file, is cut short, or swells. */
  read(file: string, path?: string): AsyncIterable<string>;
  /** Bytes of a file; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /** Whether a file is packed as such files are, whatever its name. */
  isPacked(path: string): Promise<boolean>;
  /** A copy in the archive, so that an import can be finished whatever happens to the file. */
  keep(path: string, name: string): Promise<string>;
  scratch(): Promise<Scratch>;
}
