import type { FactSource, Solution } from '../../model/fact.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { isAbout, readableError } from '../exchanges/reasons.ts';
import { citeExchange, day, type FactExchange, hundredths, someSources, verdictOf } from './context.ts';
import type { Events } from './contradictions.ts';
import type { EffectiveEdit } from './effective-edits.ts';
import { problemId } from './ids.ts';

/** The same problem so often, and then solved. */
export const REPEATED = 10;
const MOST_FILES = 12;

type Problem = {
  command: string;
  error: string;
  failures: number;
  /** Failures before the latest pass that counted as a solution. */
  attempts: number;
  trigger: Solution['trigger'] | undefined;
  solution: string;
  files: Set<string>;
  sources: FactSource[];
  solvedAt: string;
};

/** Problems that were solved: failed ten times or more before they passed, or failed and passed after files changed. */
export function solutionsOf(exchanges: FactExchange[], edits: EffectiveEdit[], events: Events): Solution[] {
  const problems = new Map<string, Problem>();
  const open = new Map<string, Set<Problem>>();
  for (const entry of exchanges) {
    const { record } = entry;
    for (const { command, error, times } of record.failed) {
      const problem = known(problems, command, error);
      problem.failures += times;
      open.set(command, (open.get(command) ?? new Set()).add(problem));
    }
    for (const fixed of record.fixed) {
      const explanation = fixed.why ?? explanationIn(record, fixed.error);
      // A later success is not a solution for a reader who does not know why it passed.
      if (explanation === undefined) continue;
      const problem = known(problems, fixed.command, fixed.error);
      solve(problem, entry, { ...fixed, explanation });
      problem.trigger ??= 'breakthrough';
      problem.attempts += fixed.attempts;
    }
    for (const command of record.commands) {
      for (const problem of open.get(command) ?? []) {
        // What can't be distinguished from other failures of the command is not one problem.
        if (problem.failures < REPEATED || problem.error === '') continue;
        solve(problem, entry, { ...record, explanation: record.summary });
        problem.trigger = 'repeated';
        problem.attempts = problem.failures;
      }
    }
  }
  return [...problems].flatMap(([id, problem]) => {
    const verdict = verdictOf(new Set([id]), edits);
    if (problem.trigger === undefined || verdict.forgotten) return [];
    const since = [problem.solvedAt, verdict.settled].sort().at(-1)!;
    const against = events.against([problem.command], since);
    const validated = [since, events.validated([problem.command], since)].sort().at(-1)!;
    const base = problem.trigger === 'repeated' ? 0.95 : Math.min(0.9, 0.5 + 0.15 * (problem.attempts - 1));
    return [
      {
        id,
        problem: [`\`${problem.command}\` fails`, readableError(problem.error)].filter(Boolean).join(': '),
        solution: verdict.content ?? problem.solution,
        attempts: problem.attempts,
        trigger: problem.trigger,
        command: problem.command,
        files: [...problem.files].slice(0, MOST_FILES),
        source: 'assistant' as const,
        confidence: hundredths((verdict.confirmed ? 1 : base) - 0.1 * against.length),
        contradictions: against.length,
        last_validated: day(validated),
        validatedByUser: verdict.confirmed,
        sources: someSources(problem.sources),
        against: someSources(against),
      },
    ];
  });
}

function known(problems: Map<string, Problem>, command: string, error: string): Problem {
  const id = problemId(command, error);
  const problem = problems.get(id) ?? {
    command,
    error,
    failures: 0,
    attempts: 0,
    trigger: undefined,
    solution: '',
    files: new Set<string>(),
    sources: [],
    solvedAt: '',
  };
  problems.set(id, problem);
  return problem;
}

/** What the exchange says of the things that the error names. */
function explanationIn({ summary, details }: FactExchange['record'], error: string): string | undefined {
  return sentencesOf(`${summary}\n${details}`).find((sentence) => isAbout(sentence, error));
}

/** The latest solution is the one that is kept. */
function solve(
  problem: Problem,
  entry: FactExchange,
  { src, files, explanation }: { src: number; files: string[]; explanation: string },
): void {
  const { record } = entry;
  const changed = files.slice(0, 3).join(', ');
  problem.solution = changed === '' ? explanation : `${explanation} (changed ${changed})`;
  for (const file of files) problem.files.add(file);
  problem.sources.push(citeExchange(entry, src, record.summary));
  problem.solvedAt = record.ts;
}
