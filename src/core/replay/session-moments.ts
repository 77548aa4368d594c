import type { ExchangeRecord } from '../model/exchange.ts';
import { endingOf, isOwnWords, type L1Line } from '../model/l1.ts';
import type { SessionStatement } from '../model/statement.ts';
import { sameWords } from '../text/plain-text.ts';
import { instructionsIn, messageStart } from './instructions.ts';
import type {
  FailureMoment,
  FileMoment,
  FixMoment,
  InstructionMoment,
  SessionMoments,
  TimedPlace,
} from './moment.ts';

export type MomentSources = {
  lines: readonly L1Line[];
  exchanges: readonly ExchangeRecord[];
  statements: readonly SessionStatement[];
  /** Errors after which another command passed: when, what failed, what passed. */
  lessons: readonly { error: string; failed: string; worked: string; ts: string }[];
  nameError: (result: string) => string;
  /** What of a command's form its error complains about. */
  nameForm: (command: string, result: string) => string;
};

const LONGEST_PROMPT = 6000;
const LONGEST_WORDS = 600;
const LASTING = new Set(['rule', 'preference', 'constraint', 'environment']);
const SEARCHES = new Set(['Grep', 'Glob', 'LS', 'Search']);
const SEARCH_COMMAND = /^\s*(?:cd \S+ && )?(?:grep|rg|find|fd|ls|git (?:grep|ls-files))\b/;
const OPENS = new Set(['Read', 'NotebookRead']);
const CHANGES = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** Searches before a file was opened that may have been for it. */
const MOST_SEARCHES = 8;

export function momentsOf(sources: MomentSources): SessionMoments {
  const at = placer(sources);
  const { lines } = sources;
  const prompts = lines.flatMap((line, index) => {
    const { text, reply, aside, command, sent } = line;
    const isPrompt =
      isOwnWords(line) && text && !reply && !aside && command === undefined && sent === undefined;
    return isPrompt ? [{ ...at(index), text: text.slice(0, LONGEST_PROMPT) }] : [];
  });
  return {
    prompts,
    instructions: instructionsIn(prompts, wishesIn(sources, at)),
    failures: failuresIn(sources, at),
    fixes: fixesIn(sources, at),
    files: filesIn(sources, at),
    answers: lines.flatMap((line, index) => {
      const { asked, text, choice } = line;
      if (line.role !== 'user' || !asked || !text) return [];
      const answer = choice ? `${text} (${choice})` : text;
      return [{ ...at(index), question: cut(asked), answer: cut(answer) }];
    }),
  };
}

type Placer = (index: number) => TimedPlace;

function placer({ lines, exchanges }: MomentSources): Placer {
  return (index) => {
    const line = lines[index]!;
    const own = exchanges.find(({ l1_range: [first, last] }) => first <= index + 1 && index + 1 <= last);
    return { exchange: own?.id ?? '', src: line.src, ts: line.ts };
  };
}

function wishesIn({ lines, exchanges, statements }: MomentSources, at: Placer): InstructionMoment[] {
  const bySrc = new Map<number, number>();
  lines.forEach((line, index) => {
    if (line.role === 'user' && isOwnWords(line) && !bySrc.has(line.src)) bySrc.set(line.src, index);
  });
  const said = exchanges.flatMap((it) => it.said).filter(({ kind }) => LASTING.has(kind));
  const stated = statements
    .filter(({ author, kind, foundBy }) => author === 'user' && LASTING.has(kind) && foundBy === 'words')
    .flatMap(({ quotes }) =>
      quotes
        .filter(({ by, field }) => by === 'user' && field === 'text')
        .map(({ src, text }) => ({ src, text })),
    );
  const found = new Map<string, InstructionMoment>();
  for (const { src, text } of [...said, ...stated]) {
    const index = bySrc.get(src);
    const line = index === undefined ? undefined : lines[index];
    if (index === undefined || !line || line.command !== undefined) continue;
    const key = `${src} ${sameWords(text)}`;
    if (!found.has(key)) found.set(key, { ...at(index), text, message: messageStart(line.text ?? '') });
  }
  return [...found.values()].sort((a, b) => a.src - b.src);
}

function failuresIn({ lines, nameError, nameForm }: MomentSources, at: Placer): FailureMoment[] {
  return lines.flatMap((line, index) => {
    if (line.name !== 'Bash' || !line.target || line.result === undefined) return [];
    if (endingOf(line.result) !== 'failed') return [];
    const error = nameError(line.result);
    const form = nameForm(line.target, line.result);
    return error === '' ? [] : [{ ...at(index), command: cut(line.target), error, form }];
  });
}

function fixesIn({ lines, lessons, nameForm }: MomentSources, at: Placer): FixMoment[] {
  const flat = (command: string) => command.replace(/\s+/g, ' ').trim();
  return lessons.flatMap(({ error, failed, worked, ts }) => {
    const start = failed.replace(/…$/, '');
    const index = lines.findIndex(
      (line) => line.ts === ts && line.name === 'Bash' && flat(line.target ?? '').startsWith(start),
    );
    if (index < 0) return [];
    const part = worked.replace(/…$/, '');
    const after = lines.findIndex(
      (line, place) => place > index && line.result === undefined && flat(line.target ?? '').includes(part),
    );
    const form = nameForm(lines[index]!.target ?? '', lines[index]!.result ?? '');
    return [{ ...at(index), command: failed, error, form, worked, workedAt: at(after < 0 ? index : after) }];
  });
}

function filesIn({ lines }: MomentSources, at: Placer): FileMoment[] {
  const [opened, changed] = [new Map<string, number>(), new Map<string, number>()];
  lines.forEach(({ name = '', target = '', result }, index) => {
    if (target === '' || !(OPENS.has(name) || CHANGES.has(name))) return;
    if (!opened.has(target)) opened.set(target, index);
    if (CHANGES.has(name) && result === undefined && !changed.has(target)) changed.set(target, index);
  });
  return [...opened].map(([file, first]) => {
    const change = changed.get(file);
    const searches = searchesBefore(lines, first);
    const own = searches.length > 0 && !isNamedBefore(lines, first, file) ? searches : [];
    const place = { ...at(change ?? first), opened: at(first) };
    return { ...place, file, changed: change !== undefined, searches: own };
  });
}

function isNamedBefore(lines: readonly L1Line[], end: number, file: string): boolean {
  const base = file.split('/').at(-1) ?? file;
  return lines
    .slice(0, end)
    .some(({ text = '', target = '' }) => text.includes(base) || target.includes(base));
}

/** The last searches before a line, in the same exchange. */
function searchesBefore(lines: readonly L1Line[], line: number): string[] {
  const found: string[] = [];
  for (let place = line - 1; place >= 0 && found.length < MOST_SEARCHES; place--) {
    const { role, name = '', target = '' } = lines[place]!;
    if (role === 'user') break;
    if (SEARCHES.has(name) || (name === 'Bash' && SEARCH_COMMAND.test(target)))
      found.push(`${name} ${cut(target)}`);
  }
  return found.reverse();
}

function cut(text: string): string {
  return text.length <= LONGEST_WORDS ? text : `${text.slice(0, LONGEST_WORDS - 1)}…`;
}
