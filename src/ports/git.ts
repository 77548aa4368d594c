/** What a checkout says of itself. Undefined where there is none. */
export interface Git {
  /** The address of `origin`, or of the only remote, without credentials. */
  remote(folder: string): Promise<string | undefined>;
  branch(folder: string): Promise<string | undefined>;
}
