/** When the prompt hook speaks: every figure in one place. docs/benchmarks.md says how they were found. */
export const EVIDENCE = {
  /** The best exchange of this project beside the best of the others: for an offer, to quote beside a question, and beside work. */
  project: 1.05,
  askProject: 1.1,
  workProject: 1,
  /** For an offer: share of the question's words, by how rare they are, in the best exchange. */
  offer: 0.2,
  /** What is shown must itself hold so much of a question: of all its words, in words that nobody else said with the parts of names, in words that are not alike, and be as like it. */
  askShare: 0.4,
  unnamedShare: 0.7,
  askMass: 0.8,
  askWords: 0.5,
  askAlike: 0.2,
  /** What is asked about the past: a smaller share is enough. */
  pastShare: 0.3,
  /** What a word must weigh to say something; 1 is a word that nobody said. */
  word: 0.3,
  /** Work with names: so much in words that are not alike, a share of all, so many of the names, those that memory never saw included, and one name alone in a passage that is like the prompt. */
  nameWords: 1.3,
  nameShare: 0.4,
  namesShare: 0.25,
  namesShown: 0.6,
  nameAlike: 0.2,
  /** Other work: many words and most of the prompt; or fewer, and the passage as a whole is like the prompt. Some are words that not every project uses. */
  manyWords: 3,
  manyProject: 1.1,
  workShare: 0.4,
  someWords: 1.5,
  tellingWords: 1,
  alike: 0.3,
  muchAlike: 0.35,
  /** Exchanges that are nearly as good as the best are offered, too, up to so many. */
  near: 0.8,
  most: 2,
  /** Exchanges that are read, those whose sentences compete, and those that are quoted. */
  read: 8,
  looked: 4,
  ofPast: 3,
  quoted: 2,
  /** For an offer, so many of the prompt's names must be in an exchange; a name is rare in such a share of this project's exchanges. */
  names: 0.5,
  rareName: 0.025,
  wordsWithName: 3,
  mostByName: 2,
  /** Sentences of an exchange that are looked at. */
  shown: 4,
  /** In UTF-16 units: a longer prompt is a pasted text. */
  longestPrompt: 6000,
} as const;
