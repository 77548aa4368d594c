/** The ways to reach a model: Anthropic's API, the installed `claude` command, or a URL that speaks OpenAI's protocol. */
export type ModelService = 'anthropic' | 'claude' | 'openai';

export type ModelAsk = {
  /** The service's own name for it. */
  model: string;
  system: string;
  prompt: string;
  /** Maximum of the answer, including thinking. */
  maxTokens: number;
  /** The id for a session that an agent may open for this: a UUID that is recorded first. */
  session: string;
  signal?: AbortSignal;
  /** Called while the answer arrives, with the characters so far. */
  onText?: (characters: number) => void;
};

export type ModelUsage = { input: number; output: number };

/** Any answer is an expected outcome, and so is none. */
export type ModelAnswer =
  | {
      kind: 'text';
      text: string;
      /** `cut`: the token limit was reached. `refused`: the service reports that the model refused. */
      end: 'done' | 'cut' | 'refused';
      /** Not reported by every service. */
      usage?: ModelUsage;
    }
  | {
      kind: 'failed';
      why: 'key' | 'model' | 'rejected' | 'busy' | 'unreachable' | 'broken' | 'stopped';
      /** A sentence for a person. */
      message: string;
      /** Whether a retry may succeed, and how long the service asks to wait. */
      again: boolean;
      waitMs?: number;
      /** What it cost anyway, if known; `nothing` if it is known to be free. */
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
  /** It starts an agent: its session must be recorded first, so that it does not become memory. */
  readonly startsAgent: boolean;
  /** Never throws. */
  ask(ask: ModelAsk): Promise<ModelAnswer>;
  /** Whether it can be reached, checked at no cost. */
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

/** A service that cannot be opened: what is missing, and what to do. */
export type ModelMissing = { missing: string; hint: string };

export interface Models {
  /** Reads the key; sends nothing. */
  open(choice: ModelChoice): Promise<Model | ModelMissing>;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Model calls and their cost, without their text. A call is recorded before it is made, and again when it has ended. */
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

/** One file per month, append-only. */
export interface Ledger {
  /** Months there are lines of, `2026-11`, oldest first. */
  months(): Promise<string[]>;
  lines(month: string): Promise<LedgerLine[]>;
  append(line: LedgerLine): Promise<void>;
}
