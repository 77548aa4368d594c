/** Every figure of ranking, in one place. docs/benchmarks-in-detail.md says how they were found. */
export const SEARCH_WEIGHTS = {
  /** BM25 of turns, which are short, and of exchanges and sessions, which are long. */
  turn: { k1: 0.9, b: 0.4 },
  exchange: { k1: 1.2, b: 0.75 },
  session: { k1: 1.2, b: 0.75 },
  /** Facts, concepts, entries of memory.md: from a sentence to a page. */
  document: { k1: 1.2, b: 0.6 },

  /** Turns: what the neighbors in the session and the session as a whole add to a turn's own score. */
  previous: 0.5,
  next: 0.4,
  second: 0.2,
  /** The turn before asks a question: this one may be its answer. */
  answer: 0.4,
  ofSession: 0.5,
  speakerNamed: 1.8,
  asksWhen: 1.7,
  asksHowMany: 1.3,
  shortQuestion: 0.8,
  /** Any turn that ends in a question. */
  question: 0.9,
  monthNamed: { times: 2.5, plus: 0.3 },
  dayNamed: { times: 3, plus: 0.5 },

  /** A speaker's name as a word of the text, where their turns are preferred already. */
  speakerAsWord: 0.2,
  /** A word that only shapes the question. */
  shapingWord: 0.7,
  /** A related word in addition to the word itself; only for words, and with words, that this few of all lines contain. */
  related: 0.4,
  relatedTo: 0.05,
  relatedIs: 0.05,

  /** Sessions: their own score, those of their best exchange, best line, and best turn as turns are ranked. */
  sessionOwn: 0.5,
  sessionBestExchange: 0.7,
  sessionBestTurn: 0.2,
  sessionBestLine: 0.5,
  line: { k1: 0.9, b: 0.4 },
  /** Words of the user and of tool calls, where the assistant's are 1. */
  saidByUser: 3,
  saidByTool: 0.5,
  /** Words of a compaction's summary, beside those of the exchange it is in; sessions are ranked without them. */
  ofSummary: 0.5,
  /** A word of a named file's name, where a word of the query is 1. */
  fileName: 0.3,
  /** Changed files that were named, by how rare they are. */
  files: 1,
  branch: 0.4,

  /** Passages: an exchange by its own words, its session's, and those of its turns. */
  passage: {
    exchange: 1,
    session: 0.15,
    bestTurn: 0.5,
    userTurn: 0.5,
    lastTurn: 0.15,
    otherTurn: 0.15,
    /** The agent's last words before it: what a short answer answers. */
    turnBefore: 0.5,
    shapingWord: 0.7,
    /** A word of the trade that may be in the answer instead, and beside a word that only shapes the question. */
    tradeWord: 0.6,
    tradeOfShaping: 0.6,
  },

  /** What a document of each kind is worth beside a turn: what people wrote or confirmed most, what repeats turns least. */
  worth: {
    note: 1,
    fact: 1,
    keepit: 1,
    journal: 0.95,
    concept: 0.8,
    summary: 0.8,
    memory: 0.75,
    exchange: 0.7,
  },

  /** Suggestions: shares of the score, and days after which a session counts half as recent. */
  suggest: { found: 1, files: 0.1, branch: 0.4, recency: 0.15, halfLife: 7 },
} as const;

/** Lines that are looked at closely. */
export const CANDIDATES = 200;
