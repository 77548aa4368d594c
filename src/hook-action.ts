import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ACTION_TOKENS,
  type ActionNote,
  type CommandNotes,
  type FileNotes,
} from './core/actions/action-note.ts';
import { noteForCommand, noteForEdit, type PendingEdit } from './core/actions/note-for-call.ts';
import { errorName } from './core/layers/command.ts';
import { shortError } from './core/layers/refine/tool-line.ts';
import { sanitizePath } from './core/model/ids.ts';
import { type Injection, injectionId, injectionsFile } from './core/model/injection.ts';
import { foldersUp } from './core/model/unrecorded.ts';
import { estimateTokens } from './core/text/estimate-tokens.ts';
import { checkoutOf } from './hook-record.ts';

/** The agent names the event before anything that a model wrote. */
const HEAD = 4096;
const EVENT = /"hook_event_name"\s*:\s*"PreToolUse"/;
const SESSION = /^[0-9A-Za-z][0-9A-Za-z_-]{7,63}$/;
/** Of the end of a transcript: the last command's result is there. */
const TAIL = 65_536;
/** Folders above the agent's own that are looked at for what was noted. */
const UP = 8;

type Input = {
  session_id?: unknown;
  transcript_path?: unknown;
  cwd?: unknown;
  tool_name?: unknown;
  tool_input?: Record<string, unknown>;
};
/** As `cache/hooks/actions/<folder>.commands.json` and `.files.json` have it. */
type Stored<T> = { version: number; root: string; project: string; tokens: number; notes: T };

/**
 * Answers a call that is about to run, and returns whether the event was one. It happens before every edit and command, so
 * that it reads one small file and loads nothing.
 */
export function answerAction(text: string, archive: string, now: () => Date): boolean {
  if (!EVENT.test(text.slice(0, HEAD))) return false;
  try {
    const input: Input = JSON.parse(text);
    const found = noteFor(input, archive);
    if (found) say(found.note, found.project, { archive, input, at: now().toISOString() });
  } catch {
    // Whatever it is, the call continues.
  }
  return true;
}

type Found = { note: ActionNote; project: string };

function noteFor(input: Input, archive: string): Found | undefined {
  const { tool_name: tool, tool_input: call = {}, cwd } = input;
  if (typeof cwd !== 'string' || !SESSION.test(String(input.session_id))) return undefined;
  if (tool === 'Bash' && typeof call.command === 'string') {
    const stored = readNotes<CommandNotes>(archive, cwd, 'commands');
    if (!stored) return undefined;
    const { errors } = stored.notes;
    const error = Object.keys(errors).length === 0 ? '' : lastError(String(input.transcript_path ?? ''));
    return found(stored, noteForCommand(stored.notes, { command: call.command, error }, isSaid(stored)));
  }
  const file = call.file_path;
  if (typeof file !== 'string') return undefined;
  const stored = readNotes<FileNotes>(archive, cwd, 'files', file.split(/[\\/]/).at(-1));
  return stored && found(stored, noteForEdit(stored.notes, { file, edits: editsOf(call) }, isSaid(stored)));

  function isSaid({ project }: { project: string }): (key: string) => boolean {
    let keys: Set<string> | undefined;
    return (key) => {
      keys ??= saidIn(logOf(archive, project, String(input.session_id)));
      return keys.has(key);
    };
  }
}

function found({ project }: { project: string }, note: ActionNote | undefined): Found | undefined {
  return note && { note, project };
}

function editsOf(call: Record<string, unknown>): PendingEdit['edits'] {
  const edits: unknown[] = Array.isArray(call.edits) ? call.edits : [call];
  const string = (value: unknown) => (typeof value === 'string' ? value : '');
  return edits.map((it) => {
    const edit = (it ?? {}) as Record<string, unknown>;
    return { before: string(edit.old_string), after: string(edit.new_string) || string(edit.content) };
  });
}

/** Undefined if there are none, or none that hold the word. */
function readNotes<T>(archive: string, cwd: string, kind: string, word?: string): Stored<T> | undefined {
  // A new worktree has no notes of its own as yet.
  const { root = '', main } = checkoutOf(cwd) ?? {};
  const up = foldersUp(cwd).slice(0, UP);
  for (const folder of [
    ...(main === undefined ? up : up.slice(0, up.indexOf(root) + 1)),
    ...(main ? [main] : []),
  ]) {
    let text: string;
    try {
      text = readFileSync(
        join(archive, 'cache', 'hooks', 'actions', `${sanitizePath(folder)}.${kind}.json`),
        'utf8',
      );
    } catch {
      continue;
    }
    if (word !== undefined && !text.includes(JSON.stringify(word))) return undefined;
    const stored: Stored<T> = JSON.parse(text);
    return stored.version === 1 && stored.root === folder && stored.tokens > 0 ? stored : undefined;
  }
  return undefined;
}

/** The log remembers what was injected into a session. */
function saidIn(file: string): Set<string> {
  return new Set(rowsOf(textOf(file)).flatMap(({ sources }) => sources.flatMap(({ id }) => id ?? [])));
}

/** Empty if there is none as yet. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Without lines that were torn. */
function rowsOf(log: string): Injection[] {
  return log.split('\n').flatMap((line) => {
    try {
      const row: Partial<Injection> | null = JSON.parse(line);
      return Array.isArray(row?.sources) && typeof row.text === 'string' ? [row as Injection] : [];
    } catch {
      return [];
    }
  });
}

function logOf(archive: string, project: string, session: string): string {
  return join(archive, 'projects', project, injectionsFile(session));
}

function say(
  note: ActionNote,
  project: string,
  { archive, input, at }: { archive: string; input: Input; at: string },
): void {
  const tokens = estimateTokens(note.text);
  const session = String(input.session_id);
  const file = logOf(archive, project, session);
  const log = textOf(file);
  const quoted = note.text.split('\n> ')[1] ?? note.text;
  // What came with the start or a prompt is in the context already.
  if (tokens > ACTION_TOKENS || rowsOf(log).some(({ text }) => text.includes(quoted))) return;
  const why =
    input.tool_name === 'Bash'
      ? 'A command of this form ran before.'
      : 'An edit of this file with these names.';
  const row: Omit<Injection, 'id'> = {
    at,
    session,
    on: 'action',
    why,
    tokens,
    sources: [{ session: note.session, id: note.key }],
    text: note.text,
  };
  const isTorn = log !== '' && !log.endsWith('\n');
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Before it is said: without a record it would be said again and again.
  appendFileSync(file, `${isTorn ? '\n' : ''}${JSON.stringify({ id: injectionId(row), ...row })}\n`, {
    mode: 0o600,
  });
  const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: note.text } };
  writeSync(1, `${JSON.stringify(answer)}\n`);
}

/** The name of the error that the last command of a transcript ended with; empty if it passed. */
function lastError(transcript: string): string {
  const lines = tailOf(transcript).split('\n').reverse();
  const line = lines.find((it) => it.includes('"tool_result"'));
  if (line === undefined || !line.includes('"is_error":true')) return '';
  try {
    const blocks: { type: string; is_error?: boolean; content?: unknown }[] =
      JSON.parse(line).message.content;
    const failed = blocks.find(({ type, is_error }) => type === 'tool_result' && is_error);
    const content = failed?.content;
    const text = Array.isArray(content)
      ? content.map((it) => it.text ?? '').join('\n')
      : String(content ?? '');
    return text === '' ? '' : errorName(shortError(text, (it) => it));
  } catch {
    return '';
  }
}

function tailOf(path: string): string {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, TAIL));
    readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8');
  } finally {
    closeSync(handle);
  }
}
