import { type KnownCall, readPatch } from './read-patch.ts';
import { stringOf } from './string-of.ts';

const PATCH = String.raw`(?<patch>\*\*\* Begin Patch\r?\n[\s\S]*?\n\*\*\* End Patch)\s*?`;
const APPLY = String.raw`\bapply_?patch\b`;
const HEREDOC = String.raw`<<-?\s*(?<mark>["']?)(?<word>\w+)\k<mark>`;
const ENDED = String.raw`(?:\r?\n\s*\k<word>\b)?`;
/** A here-document, one that is piped, an argument, and a here-string of PowerShell. */
const WAYS = [
  String.raw`${APPLY}\s*${HEREDOC}(?<rest>[^\n]*)\n\s*${PATCH}${ENDED}`,
  String.raw`(?:\bcat\s*)?${HEREDOC}\s*\|\s*${APPLY}(?<rest>[^\n]*)\n\s*${PATCH}${ENDED}`,
  String.raw`${APPLY}\s+(?<quote>["']?)\s*${PATCH}\s*\k<quote>`,
  String.raw`@(?<quote>["'])\r?\n${PATCH}\r?\n\k<quote>@\s*\|\s*${APPLY}`,
].map((way) => new RegExp(way, 'g'));
/** What is left of a shell that was started only for the patch. */
const EMPTY_SHELL = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-l?c\s*(["']?)\s*\1$/;
const MOVES = /^\s*cd\s+("[^"]+"|'[^']+'|[^\s;&|]+)\s*(?:&&|;|\n)\s*/;
const LITERAL = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`/g;
const VALUE_OF_CMD = /\bcmd["']?\s*:\s*$/;
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' };

/** The edits that a shell command makes with `apply_patch`, behind what else it runs; undefined if it makes none. */
export function patchedByCommand(command: string, workdir: unknown): [KnownCall, ...KnownCall[]] | undefined {
  if (!command.includes('*** Begin Patch')) return undefined;
  const patches: string[] = [];
  let plain = command;
  for (const way of WAYS) {
    plain = plain.replace(way, (...found) => {
      const { patch = '', quote, rest = '' } = found.at(-1) as Record<string, string | undefined>;
      patches.push(fromShell(patch, quote));
      return rest;
    });
  }
  const [, moved = ''] = MOVES.exec(plain) ?? [];
  const folder = below(stringOf(workdir), moved.replace(/^(["'])(.*)\1$/, '$2'));
  const edits = patches.flatMap((patch) => readPatch(patch)).map((edit) => placed(edit, folder));
  const left = plain.replace(MOVES, '').replace(/^[\s;&|]+|[\s;&|]+$/g, '');
  const others = left === '' || EMPTY_SHELL.test(left) ? [] : [{ name: 'Bash', input: { command: left } }];
  const [first, ...more] = [...others, ...edits];
  return edits.length > 0 && first ? [first, ...more] : undefined;
}

/** What a quoted argument of a shell means. */
function fromShell(argument: string, quote: string | undefined): string {
  if (quote === '"') return argument.replace(/\\(["$`\\])/g, '$1');
  return quote === "'" ? argument.replace(/'(?:\\'|"'")'/g, "'") : argument;
}

/** What a script of Codex does that calls its tools from JavaScript: `tools.exec_command`, `tools.apply_patch`. */
export function calledByScript(source: string): [KnownCall, ...KnownCall[]] | undefined {
  if (!/\btools\.(?:exec_command|apply_patch)\b/.test(source)) return undefined;
  const commands: string[] = [];
  const edits: KnownCall[] = [];
  for (const { 0: literal, index } of source.matchAll(LITERAL)) {
    if (VALUE_OF_CMD.test(source.slice(Math.max(0, index - 20), index))) commands.push(unquoted(literal));
    else if (literal.includes('*** Begin Patch')) edits.push(...readPatch(unquoted(literal)));
  }
  const [first, ...more] = [
    ...(commands.length > 0 ? [{ name: 'Bash', input: { command: commands.join('\n') } }] : []),
    ...edits,
  ];
  return first ? [first, ...more] : undefined;
}

function placed({ name, input }: KnownCall, folder: string): KnownCall {
  return { name, input: { ...input, file_path: below(folder, stringOf(input.file_path)) } };
}

function below(folder: string, path: string): string {
  if (path === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) || folder === '') return path || folder;
  return `${folder.replace(/[/\\]+$/, '')}/${path.replace(/^\.\//, '')}`;
}

/** The text of a string of JavaScript. */
function unquoted(literal: string): string {
  const escaped =
    /\\(?:(?:u\{([0-9a-fA-F]{1,6})\}|[ux]((?<=u)[0-9a-fA-F]{4}|(?<=x)[0-9a-fA-F]{2}))|([\s\S]))/g;
  return literal.slice(1, -1).replace(escaped, (_, braced, plain, one) => {
    if (one !== undefined) return one === '\n' ? '' : (ESCAPES[one] ?? one);
    const code = Number.parseInt(braced ?? plain, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
