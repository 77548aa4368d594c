import type { Breakthrough, Failure } from '../../model/exchange.ts';
import { endingOf, type L1Line } from '../../model/l1.ts';
import { commandOf, doesWork, errorName } from '../command.ts';
import { reasonIn } from './reasons.ts';

/** The maximum number of tool calls between the failure and the pass. */
const EVENTS = 25;
const MOST_LISTED = 12;
const CHANGES_FILES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** A run that is meant to fail is no failure, and undoing a change no way out of it. */
const MEANT =
  /\binvert(?:ed|ing)?\b|\b(?:fails?|failing|failure|failed) as (?:expected|intended)|\b(?:should|must|will|to) (?:now )?fail\b|\bexpect(?:ed|ing)?\b[^.\n]{0,40}\bfail|\bfailing test first\b|\brevert(?:ed|ing|s)?\b|\bverify (?:that )?(?:it|the tests?) fails?\b|\bTDD\b/i;

export type ToolRun = {
  command: string;
  line: number;
  src: number;
  ok: boolean;
  error: string;
  meant: boolean;
};

type Edit = { line: number; file: string };

export type Runs = { runs: ToolRun[]; edits: Edit[]; messages: { line: number; text: string }[] };

/** Every run of a command that does work, and every change to a file, with what was said around them. */
export function runsIn(lines: L1Line[], firstLine: number): Runs {
  const found: Runs = { runs: [], edits: [], messages: [] };
  let spoken = '';
  let pending: ToolRun[] = [];
  lines.forEach((line, index) => {
    if (line.role === 'assistant' && line.text) {
      spoken = line.text;
      found.messages.push({ line: firstLine + index, text: spoken });
      // Said directly after it: "fails as expected".
      for (const run of pending) run.meant ||= MEANT.test(spoken);
      pending = [];
    }
    if (line.role === 'user' && line.text) spoken = line.text;
    if (line.role !== 'tool') return;
    const at = firstLine + index;
    if (CHANGES_FILES.has(line.name ?? '') && line.target && line.result === undefined)
      found.edits.push({ line: at, file: line.target });
    if (line.name !== 'Bash' || !line.target || isUnknown(line.result)) return;
    const { name, masked } = commandOf(line.target);
    if (!doesWork(name) || (masked && line.result === undefined)) return;
    const ok = line.result === undefined;
    const error = ok ? '' : errorName(line.result ?? '');
    const run = { command: name, line: at, src: line.src, ok, error, meant: MEANT.test(spoken) };
    found.runs.push(run);
    pending.push(run);
  });
  return found;
}

/** Never answered, or not allowed by the user: nothing is known of how it would have ended. */
function isUnknown(result: string | undefined): boolean {
  return result !== undefined && endingOf(result) !== 'failed';
}

/** Commands that failed, each with how often. */
export function failuresOf({ runs }: Runs): Failure[] {
  const failures = new Map<string, Failure>();
  for (const { command, error, ok, meant, src } of runs) {
    if (ok || meant) continue;
    const key = `${command}\0${error}`;
    const known = failures.get(key);
    if (known) known.times++;
    else failures.set(key, { command, error, times: 1, src });
  }
  return [...failures.values()].slice(0, MOST_LISTED);
}

/** Commands whose last run passed, the latest last. */
export function workedOf({ runs }: Runs): string[] {
  const last = new Map<string, boolean>();
  for (const { command, ok } of runs) {
    last.delete(command);
    last.set(command, ok);
  }
  return [...last]
    .filter(([, ok]) => ok)
    .map(([command]) => command)
    .slice(-MOST_LISTED);
}

/**
 * Commands that passed in this exchange after they had failed, here or in the exchange before, with a change to a file in
 * between.
 */
export function breakthroughsOf(before: Runs, here: Runs): Breakthrough[] {
  const runs = [...before.runs, ...here.runs];
  const edits = [...before.edits, ...here.edits];
  const found: Breakthrough[] = [];
  /** Of each command, since it last passed. */
  const failing = new Map<string, ToolRun[]>();
  let edited = 0;
  for (const [place, run] of runs.entries()) {
    const failures = failing.get(run.command) ?? [];
    if (!run.ok) {
      failing.set(run.command, failures);
      failures.push(run);
      continue;
    }
    failing.delete(run.command);
    const last = failures.at(-1);
    if (!last || run.meant || place < before.runs.length || run.line - last.line > EVENTS) continue;
    while (edited < edits.length && edits[edited]!.line < run.line) edited++;
    if ((edits[edited - 1]?.line ?? -1) <= last.line || failures.some((it) => it.meant)) continue;
    const first = failures[0]!;
    const between = edits.filter((edit) => edit.line > first.line && edit.line < run.line);
    // Afterwards the agent describes all that was done: only a known error shows what of it belongs here.
    const end = last.error === '' ? run.line - 1 : run.line + 1;
    const messages = [...before.messages, ...here.messages].filter(
      ({ line }) => line > first.line && line <= end,
    );
    const why = reasonIn(
      messages.map(({ text }) => text),
      last.error,
    );
    const files = [...new Set(between.map((edit) => edit.file))].slice(0, MOST_LISTED);
    const { command, src } = run;
    found.push({
      command,
      error: last.error,
      attempts: failures.length,
      files,
      ...(why === undefined ? {} : { why }),
      src,
    });
    if (found.length === MOST_LISTED) break;
  }
  return found;
}
