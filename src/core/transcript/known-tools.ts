import { isObject, type JsonObject } from './parse-line.ts';
import { calledByScript, patchedByCommand } from './patch-commands.ts';
import { type KnownCall, readPatch } from './read-patch.ts';

/** What other agents call the tools that Claude Code has, too: under one name they are understood alike. */
const NAMES = new Map<string, string>([
  ...names('Bash', 'shell', 'shell_command', 'local_shell', 'exec_command', 'container.exec', 'bash'),
  ...names('Bash', 'run_shell_command', 'local_shell_call'),
  ...names('Read', 'read', 'read_file', 'view'),
  ...names('Write', 'write', 'write_file', 'create_file'),
  ...names('Edit', 'edit', 'edit_file', 'replace', 'str_replace'),
  ...names('MultiEdit', 'multiedit'),
  ...names('Grep', 'grep', 'grep_files', 'search_file_content', 'grep_search'),
  ...names('Glob', 'glob', 'find_files'),
  ...names('TodoWrite', 'todowrite', 'write_todos', 'update_plan'),
  ...names('WebFetch', 'webfetch', 'web_fetch'),
  ...names('WebSearch', 'websearch', 'web_search', 'google_web_search'),
  ...names('Task', 'task', 'spawn_agent'),
]);

/** The first name is the common one, the others are what agents call the same thing. */
const FIELDS: [string, ...string[]][] = [
  ['command', 'cmd'],
  ['old_string', 'oldString', 'old_str'],
  ['new_string', 'newString', 'new_str'],
  ['content', 'contents', 'text'],
  ['todos', 'plan'],
  ['query', 'q'],
];
const WITH_FILE = new Set(['Read', 'Write', 'Edit', 'MultiEdit']);
const FILE = ['file_path', 'filePath', 'absolute_path', 'path', 'file'];

/** One call as the other stages know it; a patch is a call for each file it changes. */
export function knownCalls(name: string, input: JsonObject): [KnownCall, ...KnownCall[]] {
  const patch = patchIn(name, input);
  if (patch) {
    const [first, ...others] = readPatch(patch);
    if (first) return [first, ...others];
  }
  const script = name === 'exec' && typeof input.input === 'string' ? calledByScript(input.input) : undefined;
  if (script) return script;
  const known = NAMES.get(name.toLowerCase()) ?? name;
  if (known === name && !NAMES.has(name.toLowerCase())) return [{ name, input }];
  const common: JsonObject = { ...input };
  for (const [field, ...others] of FIELDS) fill(common, field, others);
  if (WITH_FILE.has(known)) fill(common, 'file_path', FILE);
  if (known === 'Bash') {
    common.command = commandOf(common.command);
    const patched = patchedByCommand(common.command as string, common.workdir);
    if (patched) return patched;
  }
  if (known === 'TodoWrite') common.todos = todosOf(common.todos);
  return [{ name: known, input: common }];
}

function patchIn(name: string, input: JsonObject): string | undefined {
  if (!/^(?:apply_)?patch$/.test(name)) return undefined;
  const text = input.input ?? input.patch ?? input.patchText;
  return typeof text === 'string' ? text : undefined;
}

/** `["bash", "-lc", "npm test"]` is `npm test`. */
function commandOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const words = value.filter((word) => typeof word === 'string');
  const isShell = /(?:^|[\\/])(?:ba|z|da)?sh$|powershell|pwsh/i.test(words[0] ?? '');
  return isShell && words.length > 2 ? words.slice(2).join(' ') : words.join(' ');
}

function todosOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((todo) => (isObject(todo) ? { ...todo, content: todo.content ?? todo.step } : todo));
}

function fill(input: JsonObject, field: string, others: string[]): void {
  if (input[field] !== undefined) return;
  const other = others.find((name) => typeof input[name] === 'string' || Array.isArray(input[name]));
  if (other !== undefined) input[field] = input[other];
}

function names(known: string, ...others: string[]): [string, string][] {
  return others.map((other) => [other, known]);
}
