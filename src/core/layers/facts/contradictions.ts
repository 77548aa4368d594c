import type { FactSource } from '../../model/fact.ts';
import { commandOf, doesWork } from '../command.ts';
import { citeExchange, type FactExchange } from './context.ts';

const QUOTED = /`([^`\n]{2,120})`/g;

/** How the commands that facts name went, exchange by exchange. */
export type Events = {
  /** Exchanges after a time in which one of these failed and did not pass any more. */
  against(commands: string[], since: string): FactSource[];
  /** When one of these passed last, if after that time; else the empty string. */
  validated(commands: string[], since: string): string;
};

type Run = { exchange: FactExchange; ok: boolean; error: string; src: number };

export function eventsOf(exchanges: FactExchange[]): Events {
  const runs = new Map<string, Run[]>();
  const note = (command: string, run: Run) => {
    const known = runs.get(command);
    if (known) known.push(run);
    else runs.set(command, [run]);
  };
  for (const entry of exchanges) {
    for (const command of entry.record.commands)
      note(command, { exchange: entry, ok: true, error: '', src: entry.record.src });
    for (const { command, error, src } of entry.record.failed)
      if (!entry.record.commands.includes(command)) note(command, { exchange: entry, ok: false, error, src });
  }
  // Latest first: a fact costs what came since the latest pass, not all that ever ran.
  function* since(commands: string[], time: string): Generator<Run> {
    for (const command of commands.toReversed()) {
      const known = runs.get(command) ?? [];
      for (let at = known.length - 1; at >= 0 && known[at]!.exchange.record.ts > time; at--) yield known[at]!;
    }
  }
  return {
    against(commands, time) {
      const failed: Run[] = [];
      for (const run of since(commands, time)) {
        // A pass settles what failed before it.
        if (run.ok) break;
        failed.push(run);
      }
      return failed
        .reverse()
        .map(({ exchange: entry, src, error }) =>
          citeExchange(entry, src, error === '' ? 'It failed.' : error),
        );
    },
    validated(commands, time) {
      for (const run of since(commands, time)) if (run.ok) return run.exchange.record.ts;
      return '';
    },
  };
}

/** Commands that a text names, in backquotes. */
export function commandsNamed(text: string): string[] {
  return [...text.matchAll(QUOTED)].map(([, quoted]) => commandOf(quoted!).name).filter(doesWork);
}

/** Files that a text names, with the line where it says one. */
export function filesNamed(text: string): { file: string; line?: number }[] {
  const found: { file: string; line?: number }[] = [];
  for (const [, file, line] of text.matchAll(
    /(?<![\w:/.-])((?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,5})(?::(\d+))?(?![\w/])/g,
  )) {
    if (/^(?:e\.g|i\.e|etc\.)/.test(file!) || /^\d+\.\d/.test(file!)) continue;
    found.push({ file: file!, ...(line === undefined ? {} : { line: Number(line) }) });
  }
  return found;
}
