/** The only source of randomness. */
export interface Random {
  /** A fresh uuid, version 4. */
  uuid(): string;
}
