/** Every way a command can end badly, with its one exit status and its one HTTP status. */
export const FAULTS = {
  usage: { exit: 2, http: 400 },
  unauthorized: { exit: 2, http: 401 },
  forbidden: { exit: 2, http: 403 },
  method: { exit: 2, http: 405 },
  'media-type': { exit: 2, http: 415 },
  'not-found': { exit: 3, http: 404 },
  ambiguous: { exit: 4, http: 409 },
  conflict: { exit: 5, http: 409 },
  'in-use': { exit: 6, http: 409 },
  'changed-meanwhile': { exit: 5, http: 412 },
  'too-large': { exit: 65, http: 413 },
  'bad-input': { exit: 65, http: 422 },
  unreadable: { exit: 66, http: 422 },
  remote: { exit: 68, http: 502 },
  model: { exit: 69, http: 502 },
  'over-cap': { exit: 79, http: 429 },
  'read-only': { exit: 73, http: 507 },
  'disk-full': { exit: 74, http: 507 },
  busy: { exit: 75, http: 503 },
  corrupt: { exit: 76, http: 500 },
  'newer-version': { exit: 77, http: 500 },
  config: { exit: 78, http: 500 },
  'verify-failed': { exit: 10, http: 500 },
  cancelled: { exit: 130, http: 499 },
  internal: { exit: 70, http: 500 },
} as const satisfies Record<string, { exit: number; http: number }>;

export type FaultCode = keyof typeof FAULTS;

/** One of several things that a request could mean, by what distinguishes it. */
export type FaultChoice = { projectId?: string; sessionId?: string; id?: string; name?: string };

type Options = {
  hint?: string;
  choices?: FaultChoice[];
  /** The same request goes through with its option `force`. */
  canForce?: true;
  cause?: unknown;
};
/** A fault about several matches lists them. */
type FaultArguments =
  | [code: Exclude<FaultCode, 'ambiguous'>, message: string, options?: Options]
  | [code: FaultCode, message: string, options: Options & { choices: FaultChoice[] }];

/** Thrown only if the caller cannot continue: `message` is a sentence for a person, `hint` the next step. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly hint: string | undefined;
  readonly choices: FaultChoice[] | undefined;
  readonly canForce: boolean;

  constructor(...[code, message, options = {}]: FaultArguments) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.hint = options.hint;
    this.choices = options.choices;
    this.canForce = options.canForce === true;
  }
}
