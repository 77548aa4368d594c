/** When the prompt hook speaks: every figure in one place. docs/benchmarks.md says how they were found. */
export const EVIDENCE = {
  /** A question: the best exchange of this project beside the best of the others. */
  project: 1.05,
  /** What one turn of an exchange that is quoted must hold of the question: in words that nobody else said, and of all its words. */
  mass: 1,
  share: 0.42,
  /** One of these words must be so rare: 1 is a word that nobody said. */
  rareWord: 0.4,
  /** For an offer: share of the question's words, by how rare they are, in the best exchange. */
  offer: 0.2,
  /** What is asked about the past: a smaller share is enough, and more exchanges are quoted. */
  past: 0.2,
  mostOfPast: 3,
  /** What is shown must itself hold so much: with the parts of names, a share of all, and in words that weigh something and are not alike. */
  word: 0.3,
  askMass: 1.5,
  askWords: 1,
  askShare: 0.45,
  pastShare: 0.3,
  nameWords: 1.3,
  nameShare: 0.4,
  namesShare: 0.25,
  /** And so many of the prompt's names, of those that memory never saw, too: a prompt about other things gets no passage. */
  namesShown: 0.6,
  /** Exchanges that are nearly as good as the best are quoted, too, up to so many. */
  near: 0.8,
  most: 2,
  /** Work: so many of the prompt's names must be in what is quoted; a name is rare in such a share of this project's exchanges. */
  names: 0.5,
  rareName: 0.025,
  wordsWithName: 3,
  mostByName: 2,
  nameTokens: 300,
  /** Sentences of an exchange that are looked at. */
  shown: 4,
  /** In UTF-16 units: a longer prompt is a pasted text. */
  longestPrompt: 6000,
} as const;
