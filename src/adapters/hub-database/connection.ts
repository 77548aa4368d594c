export type Row = Record<string, unknown>;
/** `$1`, `$2` ... are placeholders for the values. */
export type Run = (statement: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What the tables of members need of a database; both kinds have it. */
export type HubConnection = {
  run: Run;
  /** All of it or nothing. */
  begin<T>(work: (run: Run) => Promise<T>): Promise<T>;
};

export type Migration = { name: string; statements: readonly string[] };
