/** A file that grows until it is done with. */
export type Scratch = {
  path: string;
  write(bytes: Uint8Array): void;
  close(): void;
  remove(): Promise<void>;
};

export type Written = { bytes: number; unpacked: number };

/** Bundle files: compressed lines of JSON. */
export interface Bundles {
  /** Written completely or not at all, readable only by the user. Fault `conflict` if the file exists, unless `force`. */
  write(path: string, lines: AsyncIterable<string>, options?: { force?: boolean }): Promise<Written>;
  /** The same bytes as a stream: if the reader stops, so does the writer. */
  pack(lines: AsyncIterable<string>): AsyncIterable<Uint8Array>;
  /** Each line once, in bounded memory; `path` is the user's name for the file. Fault `bad-input` if it is not a bundle, is truncated, or unpacks to too much. */
  read(file: string, path?: string): AsyncIterable<string>;
  /** Bytes of a file; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /** Whether a file is compressed like a bundle, whatever its name. */
  isPacked(path: string): Promise<boolean>;
  /** A copy in the archive, so that an import can be finished whatever happens to the file. */
  keep(path: string, name: string): Promise<string>;
  scratch(): Promise<Scratch>;
}
