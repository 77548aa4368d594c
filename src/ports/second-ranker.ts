/** A second opinion on what answers a question, beside its words. None is shipped: without one words alone decide. */
export interface SecondRanker {
  /** For each text how much more likely it answers than words say: 1 changes nothing, 0 rules it out. */
  factors(question: string, texts: readonly string[]): Promise<readonly number[]>;
}
