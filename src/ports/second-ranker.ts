/** A second opinion on what answers a question, in addition to its words. None is shipped: then words alone decide. */
export interface SecondRanker {
  /** For each text, how much more likely it answers than its words suggest: 1 changes nothing, 0 rules it out. */
  factors(question: string, texts: readonly string[]): Promise<readonly number[]>;
}
