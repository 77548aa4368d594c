/** The only source of what can't be foreseen. */
export interface Random {
  /** A fresh uuid, version 4. */
  uuid(): string;
}
