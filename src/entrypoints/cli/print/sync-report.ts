import type { LeftOutCounts, SyncReport } from '../../../app/sync-report.ts';
import { FAULTS } from '../../../core/model/fault.ts';
import type { Console } from '../console.ts';
import { bytes, plural } from '../terminal/quantities.ts';

const SHOWN = 10;

/** The result of a run in one line, with problems below it. A problem changes the exit status. */
export function printReport(report: SyncReport, console: Console, unless = ''): void {
  for (const note of report.notes) console.note(note);
  for (const problem of report.problems.slice(0, SHOWN)) {
    console.warn(problem.hint === undefined ? problem.message : `${problem.message} ${problem.hint}`);
  }
  if (report.problems.length > SHOWN) {
    console.warn(`and ${plural(report.problems.length - SHOWN, 'more problem')}; --json lists them all.`);
  }
  if (report.problems.length > 0)
    process.exitCode =
      report.problems.length === report.leftOut.unknownAgent
        ? FAULTS['bad-input'].exit
        : FAULTS.unreadable.exit;
  if (console.json) console.printJson(report);
  else console.print(report.found === 0 && unless !== '' ? unless : reportLine(report));
}

export function reportLine(report: SyncReport): string {
  const kinds = [
    [report.added, 'new'],
    [report.grown, 'grown'],
    [report.replaced, 'replaced in place (everything archived is kept)'],
    [report.same, 'unchanged'],
    [report.skipped, `left out${reasons(report.leftOut)}`],
  ] as const;
  const counts = kinds.filter(([number]) => number > 0).map(([number, kind]) => `${number} ${kind}`);
  const files = `${plural(report.found, 'transcript')}, ${bytes(report.bytes)}`;
  return counts.length === 0 ? `${files}.` : `${files}: ${counts.join(', ')}.`;
}

function reasons({ unknownAgent, notRecorded, unusedComposition }: LeftOutCounts): string {
  const named = [
    [unknownAgent, 'of unknown agents'],
    [notRecorded, 'not recorded'],
    [unusedComposition, 'composed and not used yet'],
  ] as const;
  const parts = named.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
