/** When the prompt hook speaks: every figure in one place. docs/benchmarks-in-detail.md says how they were found. */
export const EVIDENCE = {
  /**
   * The best exchange of this project beside the best of the others: for an offer; to quote beside a question, or to offer to one about
   * what is at hand; beside work; and where nothing else has to speak for it.
   */
  project: 1.05,
  askProject: 1.1,
  workProject: 1,
  farAhead: 1.5,
  /** For an offer to a question that opens a session: share of its words, by how rare they are, in the best exchange. */
  offer: 0.2,
  /** An offer is one line, of at most so many tokens. */
  offerTokens: 30,
  /** The minimum for shown text: share of all words; words weighted by rarity (1: in no other session); words that not every project uses; similarity to the whole prompt. */
  ask: { share: 0.4, mass: 0.8, words: 0.5, alike: 0.3 },
  unnamedAsk: { share: 0.7, telling: 0.5 },
  /** What is asked about the past when a session begins: memory is what is asked. */
  past: { share: 0.3, mass: 1 },
  /**
   * A question that opens a session, if there are at least this many earlier ones: whether they agree on one of them (fitted on
   * questions of other projects each time), and what is shown of it. If no other project is known, also words that not every
   * project uses.
   */
  oneSession: {
    sessions: 4,
    byShare: 1.8,
    byAhead: 2.2,
    mostAhead: 2,
    least: 1.8,
    shown: 0.2,
    telling: 0.5,
  },
  /** What recalls something earlier, in the middle of a session. */
  recalled: { share: 0.5, alike: 0.38 },
  /**
   * Work: the minimum for shown text, and how far its session's best exchange must be ahead of every other session's. Shared words
   * alone cannot separate the same work from other work on the same things; a clear lead over all other sessions can. Fitted on
   * prompts of ten projects, each checked with the others.
   */
  work: { share: 0.35, mass: 2.5, telling: 1, alike: 0.28, exchangeAlike: 0.27, ahead: 1.15 },
  /** The same in the middle of a session, where work follows from the session: what fits by its words is seldom what is needed. */
  workGoingOn: { share: 0.35, mass: 3, telling: 1, alike: 0.28, exchangeAlike: 0.33, ahead: 1.3 },
  /** As like as this where no other session has anything to do with it: then being ahead says nothing. */
  onlySession: 0.3,
  /** Middling evidence, worth an offer: and such a share of the chance that any sentence that was read answers. */
  near: { share: 0.4, mass: 2, telling: 0.4, alike: 0.25, exchangeAlike: 0.2, chance: 0.3 },
  /** What a word must weigh to say something; 1 is a word that nobody said. */
  word: 0.3,
  /** Words that are not the prompt's own: what only repeats the work that was asked for adds nothing. */
  newWords: 8,
  /** The share of the prompt's names that must be shown, including names that memory has never seen. */
  namesShown: 0.6,
  /** Work without a rare name needs this weight of matching words to be considered. */
  someWords: 1.5,
  /** Exchanges nearly as good as the best are also offered, up to this number. */
  nearBest: 0.8,
  most: 2,
  /** Exchanges that are read, those whose sentences compete, and those that are quoted. */
  read: 8,
  looked: 4,
  ofPast: 3,
  quoted: 2,
  quotedRecalled: 1,
  /** The share of the prompt's names that must be rare and known to memory; a name is rare up to this share of the project's exchanges. */
  names: 0.5,
  rareName: 0.025,
  /** In UTF-16 units: a longer prompt is a pasted text. */
  longestPrompt: 6000,
} as const;
