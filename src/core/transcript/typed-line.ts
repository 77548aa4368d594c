import { isClientCommand, takesWords } from './client-commands.ts';

/** What a person typed to the client in one of its short forms, where no wrapping of the client's own shows it. */
export type TypedLine =
  | { kind: 'command'; command: string; words: string }
  /** A command of the client's own with a sentence behind it. */
  | { kind: 'aside'; command: string; words: string }
  | { kind: 'client' }
  | { kind: 'note'; words: string };

const COMMAND = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/i;
/** Folders of a file system, and words that follow the name of a route or a page: `/etc is full`, `/users returns 404`. */
const FOLDER =
  /^(?:app|applications|bin|boot|data|dev|etc|home|lib|lib64|media|mnt|opt|private|proc|root|run|sbin|src|srv|sys|tmp|users|usr|var|volumes|workspace|workspaces)$/i;
const SAYS_OF_IT =
  /^(?:is|are|was|were|isn['’]t|has|have|had|does|doesn['’]t|did|didn['’]t|should|shouldn['’]t|will|won['’]t|would|can|can['’]t|could|must|needs?|fails?|failed|returns?|returned|shows?|gives?|works?|looks?|seems?|responds?|redirects?|throws?|crash(?:es|ed)?|still|no longer|and|or|endpoint|route|page|path|folder|directory|url|api)\b/i;
/** `! ls -la`: clients run the text after the sign. */
const SHELL = /^!(?!important\b|=)\s*[\w./~$"'(][^\n]*$/;
/** `# always use tabs`: clients write it into their notes. An issue's number, a color, a heading with text below it are none. */
const NOTE = /^#(?![\d#!]|(?:[0-9a-f]{6}|[a-f]+\d[0-9a-f]*)\b)\s*(\S[^\n]*)$/i;

/** Undefined where a text is plain talk. */
export function typedLine(text: string): TypedLine | undefined {
  const trimmed = text.trim();
  if (SHELL.test(trimmed)) return { kind: 'client' };
  const note = NOTE.exec(trimmed)?.[1];
  // `#checkout is hidden` is about an element of a page.
  const isName = note !== undefined && /^#\w/.test(trimmed) && SAYS_OF_IT.test(note.replace(/^\S+\s*/, ''));
  if (note !== undefined) return isName ? undefined : { kind: 'note', words: note };
  const [, name = '', rest = ''] = COMMAND.exec(trimmed) ?? [];
  const words = rest.trim();
  if (name === '') return undefined;
  if (!isClientCommand(name))
    return FOLDER.test(name) || SAYS_OF_IT.test(words)
      ? undefined
      : { kind: 'command', command: `/${name}`, words };
  if (words === '' || !takesWords(name)) return { kind: 'client' };
  return SAYS_OF_IT.test(words) ? undefined : { kind: 'aside', command: `/${name}`, words };
}
