/** The ways to reach a model: Anthropic's API, the installed `claude` command, or a URL that speaks OpenAI's protocol. */
export type ModelService = 'anthropic' | 'claude' | 'openai';

export type ModelAsk = {
  /** As the service calls it. */
  model: string;
  system: string;
  prompt: string;
  /** Of the answer, thinking included. */
  maxTokens: number;
  /** What a session is to be called that an agent may open for this: a UUID that is noted before. */
  session: string;
  signal?: AbortSignal;
  /** Called while the answer arrives, with the characters so far. */
  onText?: (characters: number) => void;
};

export type ModelUsage = { input: number; output: number };

/** An answer is an expected outcome, whatever it is like; so is none. */
export type ModelAnswer =
  | {
      kind: 'text';
      text: string;
      /** `cut`: the limit of tokens was reached. `refused`: the service says that the model would not. */
      end: 'done' | 'cut' | 'refused';
      /** Not every service says. */
      usage?: ModelUsage;
    }
  | {
      kind: 'failed';
      why: 'key' | 'model' | 'rejected' | 'busy' | 'unreachable' | 'broken' | 'stopped';
      /** A sentence for a person. */
      message: string;
      /** Whether the same may go well a little later, and how long the service wants to be left alone. */
      again: boolean;
      waitMs?: number;
      /** What was paid anyway, where it is known; `nothing` where it is known that nothing was. */
      usage?: ModelUsage | 'nothing';
    };

export type ModelProbe = {
  reached: boolean;
  /** A sentence for a person. */
  message: string;
  /** The models of the service, if it lists them. */
  models: string[];
};

/** One service that answers. Every adapter passes the suite in `test/contracts/model.ts`. */
export interface Model {
  readonly service: ModelService;
  /** The URL or the command, without anything secret. */
  readonly place: string;
  /** It starts an agent of its own: its session must be noted before, so that nobody remembers it. */
  readonly startsAgent: boolean;
  /** Never throws. */
  ask(ask: ModelAsk): Promise<ModelAnswer>;
  /** Whether it can be reached, by something that costs nothing. */
  probe(): Promise<ModelProbe>;
}

export type ModelChoice = {
  service: ModelService;
  /** The base URL; empty for the service's own. */
  url: string;
  /** A file with the key, readable by its owner alone; empty for the environment or the archive's `keys/` folder. */
  keyFile: string;
  /** A call without progress for this long is ended. */
  timeoutMs: number;
};

/** A service that can't be opened: what is missing, and what to do. */
export type ModelMissing = { missing: string; hint: string };

export interface Models {
  /** Reads the key; sends nothing. */
  open(choice: ModelChoice): Promise<Model | ModelMissing>;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What was asked and what it cost; no word of it. A call is written down before it is made, and again when it ended. */
export type LedgerLine = {
  at: string;
  /** The same for the two lines of a call. */
  call: string;
  state: 'asked' | 'ended';
  use: string;
  service: ModelService;
  model: string;
  project?: string;
  session?: string;
  /** For a call that has not ended: the maximum. */
  input: number;
  output: number;
  usd: number;
  /** `answered`, or why there was no answer. */
  outcome?: string;
};

/** One file a month, lines only ever added. */
export interface Ledger {
  /** Months there are lines of, `2026-11`, oldest first. */
  months(): Promise<string[]>;
  lines(month: string): Promise<LedgerLine[]>;
  append(line: LedgerLine): Promise<void>;
}
