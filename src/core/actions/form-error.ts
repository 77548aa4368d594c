import { type CommandSegment, commandSegments, subcommandOf } from './command-segments.ts';

/** What the shape of a command has that does not work here, whatever the state of the project. */
export type FormError = {
  kind: 'missing' | 'word' | 'refused';
  program: string;
  subcommand: string;
  /** The word that is not understood; of a missing program its name. */
  word: string;
};

const MISSING = [
  /command not found: ([\w.@+-]+)/i,
  /(?:^|[\s:])([\w.@+-]+): command not found/i,
  /(?:^|: \d+: )([\w.@+-]+): not found$/im,
  /'([\w.@+-]+)' is not recognized as/i,
  /executable file not found[^\n]*"([\w.@+-]+)"|"([\w.@+-]+)": executable file not found/i,
];
const WORD = [
  /unknown (?:shorthand )?(?:flag|option|argument)s?:?\s+['"`]?(-{0,2}[\w-]+)/i,
  /unrecognized (?:arguments?|options?|flags?|subcommand)?:?\s*['"`]?(-{0,2}[\w-]+)/i,
  /(?:invalid|illegal|bad) (?:option|flag)(?: --)?:?\s+['"`]?(-{0,2}[\w-]+)/i,
  /unexpected argument ['"`](-{1,2}[\w-]+)/i,
  /unknown json field: ['"`]([\w.-]+)/i,
  /unknown (?:sub)?command:? ['"`]([\w:.-]+)/i,
  /no such (?:sub)?command:? ['"`]([\w:.-]+)/i,
  /['"`]([\w:.-]+)['"`] is not a [\w-]+ command/i,
  /missing script:? ['"`]?([\w:.-]+)/i,
  /no task ([\w:.-]+) found/i,
  /script not found ['"`]?([\w:.-]+)/i,
];
/** Not the command's words but the machine refuses it. */
const REFUSED =
  /externally-managed-environment|a terminal is required|a password is required|could not resolve host|publickey|not logged in|gh auth login|operation not permitted|GH013|protected branch/i;

/** The part of a command's form that its error complains about, if any. */
export function formErrorOf(command: string, result: string): FormError | undefined {
  const segments = commandSegments(command);
  const missing = firstMatch(MISSING, result);
  if (missing !== undefined) {
    const segment = segments.find(({ program }) => program === missing);
    return segment && { kind: 'missing', program: missing, subcommand: '', word: missing };
  }
  const word = firstMatch(WORD, result);
  const segment = word === undefined ? undefined : segments.find((it) => hasWord(it, word));
  if (word !== undefined && segment)
    return { kind: 'word', program: segment.program, subcommand: subcommandOf(segment), word };
  const [only] = segments;
  if (REFUSED.test(result) && only && segments.length === 1)
    return { kind: 'refused', program: only.program, subcommand: subcommandOf(only), word: '' };
  return undefined;
}

/** Whether a command has what did not work. */
export function hasForm(command: string, { kind, program, subcommand, word }: FormError): boolean {
  return commandSegments(command).some((segment) => {
    if (segment.program !== program) return false;
    if (kind === 'missing') return true;
    return subcommandOf(segment) === subcommand && (kind === 'refused' || hasWord(segment, word));
  });
}

function hasWord({ words }: CommandSegment, word: string): boolean {
  return words.slice(1).some((it) => it === word || it.split(/[=,]/).includes(word));
}

function firstMatch(patterns: RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return found.slice(1).find((it) => it !== undefined);
  }
  return undefined;
}
