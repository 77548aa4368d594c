/** Byte range in the original: `end` is exclusive and leaves the newline out. */
export type ByteRange = readonly [start: number, end: number];

/** Who the words come from. Only `user` can make the memory obey. */
export type Origin = 'user' | 'assistant' | 'tool' | 'machine';

type Base = {
  /** uuid of the line, `q_` + hash for queue lines, a generic chat line's own id. */
  id: string;
  parent?: string;
  ts: string;
  origin: Origin;
  src: ByteRange;
  /** Set when the entry belongs to a subagent and not to the conversation. */
  agentId?: string;
};

/**
 * How a client shows that words were typed: it has a mark; it marks typed words, but not these; there is no mark, and only other
 * lines of the session show whether it uses marks; it has no marks, and a notice could contain the same words.
 */
export type TypingEvidence = 'marked' | 'unmarked' | 'bare' | 'early' | 'blocks' | 'weak';

export type TextEntry = Base & {
  kind: 'user' | 'assistant' | 'thinking' | 'notice';
  text: string;
  /** The speaker of an imported chat. */
  name?: string;
  /** The chat line had an id of its own. */
  ownId?: true;
  /** Assistant lines with one message id are one message. */
  messageId?: string;
  model?: string;
  /** Typed while the agent worked; it may come again later as an ordinary line. */
  queued?: true;
  /** Said in answer to a tool: why a call was refused, what was chosen from a list. */
  reply?: true;
  /** The user stopped the agent here. */
  interrupts?: true;
  /** The agent's question that a reply answers. */
  asked?: string;
  /** The description of the chosen option, in the agent's words; set whenever the reply is an option that was offered. */
  choice?: string;
  /** The slash command before the words. */
  command?: string;
  /** Words to the client, not to the agent: they ask for no work. */
  aside?: true;
  /** Of a notice: a command of the client's own, or what the user ran behind `!`. */
  client?: true;
  /** Of a notice: why nobody's words were found in it, where that is not known of the client. */
  shape?: string;
  /** What the line shows of how a user's words came in. */
  evidence?: TypingEvidence;
  /** Words of a client that marks nothing, in a form that its notices have, too: shown, never obeyed. */
  unproven?: true;
  /** Of a notice: text under the role of the user, without the mark that its client gives to what is typed. */
  untyped?: true;
  images?: number;
  /** An agent that writes a message twice, as an item and as an event, says which of the two this is. */
  copy?: 'item' | 'event';
  /** Composed text was removed from the message. */
  composed?: { id: string; lines?: number }[];
};

export type ToolCallEntry = Base & {
  kind: 'tool-call';
  toolUseId: string;
  name: string;
  input: Record<string, unknown>;
  messageId?: string;
  model?: string;
  /** Complete in its own line (an imported chat): no result will follow. */
  settled?: true;
};

export type ToolResultEntry = Base & {
  kind: 'tool-result';
  toolUseId: string;
  text: string;
  isError: boolean;
  /** The user did not allow the call. */
  refused?: true;
  /** In these words. */
  said?: string;
  images?: number;
  /** Of a command that failed, where it is known. */
  exit?: number;
  /** The lines that an edit changed, as they are numbered after it: `12-30`. */
  changed?: string;
  /** The subagent that this call started. */
  startedAgentId?: string;
  /** What the client notes beside the result of a question. */
  answers?: AnswerBeside[];
};

/** A question, its answer, and what the user noted to it. */
export type AnswerBeside = [question: string, answer: string, note?: string];

/** An agent's own word that a patch was applied, which comes before the result of the call: a command behind it may fail. */
export type PatchedEntry = Base & { kind: 'patched'; files: { path: string; lines: string }[] };

export type CompactionEntry = Base & { kind: 'compaction'; text: string };

export type TitleEntry = Base & { kind: 'title'; text: string; custom: boolean; leaf?: string };

/** One normalized event of a session. */
export type Entry = TextEntry | ToolCallEntry | ToolResultEntry | PatchedEntry | CompactionEntry | TitleEntry;

/** What a line says of its session besides its entries. */
export type LineFacts = {
  sessionId?: string;
  cwd?: string;
  gitBranch?: string;
  /** The address of the repository, as the agent noted it. */
  repository?: string;
  version?: string;
  agentId?: string;
  sidechain?: boolean;
  /** A subagent's work is in this line, started by this call. */
  sub?: { agentId: string; toolUseId: string };
};
