import { isObject, type JsonObject } from './parse-line.ts';
import { calledByScript, patchedByCommand } from './patch-commands.ts';
import { type KnownCall, readPatch } from './read-patch.ts';

/** What other agents call the tools that Claude Code has, too: under one name they are understood alike. */
const NAMES = new Map<string, string>([
  ...names('Bash', 'shell', 'shell_command', 'local_shell', 'exec_command', 'container.exec', 'bash'),
  ...names(
    'Bash',
    'run_shell_command',
    'local_shell_call',
    'run_in_terminal',
    'run_terminal',
    'run_terminal_cmd',
  ),
  ...names(
    'Bash',
    'run_terminal_command',
    'run_command',
    'run_commands',
    'execute_command',
    'execute',
    'shell_exec',
  ),
  ...names('Bash', 'terminal', 'powershell'),
  ...names('Read', 'read', 'read_file', 'view', 'view_file', 'read_files', 'readfile', 'read_many_files'),
  ...names('Write', 'write', 'write_file', 'create_file', 'create', 'write_to_file', 'writefile'),
  ...names(
    'Edit',
    'edit',
    'edit_file',
    'replace',
    'str_replace',
    'strreplace',
    'replace_in_file',
    'search_replace',
  ),
  ...names(
    'Edit',
    'replace_string_in_file',
    'insert_edit_into_file',
    'apply_diff',
    'replace_file_content',
    'strreplacefile',
  ),
  ...names('Edit', 'insert_content', 'search_and_replace', 'code_edit', 'edit_notebook'),
  ...names('MultiEdit', 'multiedit'),
  ...names('Grep', 'grep', 'grep_files', 'search_file_content', 'grep_search', 'search_files', 'ripgrep'),
  ...names('Glob', 'glob', 'find_files', 'file_search', 'find'),
  ...names(
    'TodoWrite',
    'todowrite',
    'write_todos',
    'update_plan',
    'todo_write',
    'manage_todo_list',
    'update_todo_list',
  ),
  ...names('TodoWrite', 'todolist', 'settodolist', 'update_todos', 'updatetodos'),
  ...names('WebFetch', 'webfetch', 'web_fetch', 'fetch_url', 'fetchurl', 'fetch_webpage'),
  ...names('WebSearch', 'websearch', 'web_search', 'google_web_search'),
  ...names('Task', 'task', 'spawn_agent'),
]);

/** The first name is the common one, the others are what agents call the same thing. */
const FIELDS: [string, ...string[]][] = [
  ['command', 'cmd', 'commands', 'CommandLine', 'script'],
  ['old_string', 'oldString', 'old_str', 'oldText', 'old_text'],
  ['new_string', 'newString', 'new_str', 'newText', 'new_text'],
  ['content', 'contents', 'text', 'file_text', 'fileText', 'CodeContent'],
  ['todos', 'plan'],
  ['query', 'q'],
];
const WITH_FILE = new Set(['Read', 'Write', 'Edit', 'MultiEdit']);
const FILE = [
  'file_path',
  'filePath',
  'absolute_path',
  'path',
  'file',
  'target_file',
  'AbsolutePath',
  'TargetFile',
];

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
  if (!Array.isArray(value)) return isObject(value) ? JSON.stringify(value) : '';
  if (value.every((word) => typeof word === 'string' && /\s/.test(word))) return value.join('\n');
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
