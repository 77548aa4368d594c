import type { CallReport } from './call-lane.ts';
import { printReport, seedFrom } from './fault-report.ts';
import { sumOf } from './laws.ts';
import { LANES, runLanes } from './run-lanes.ts';

/** [EVERY] [SEED]: one call in this many fails (default 1). */
export async function runCalls([every = '1', asked]: string[]): Promise<boolean> {
  const reports = await runLanes<CallReport>('call-lane.ts', [Number(every), seedFrom(asked)], LANES);
  const sum = (of: (report: CallReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  const errors = [...new Set(reports.flatMap(({ byError }) => Object.keys(byError)))].sort();
  const unexplained = reports.flatMap((report) => report.unexplained);
  const open = reports.flatMap((report) => report.leftOpen);
  const sound = printReport(
    [
      ['commands and hooks', sum((report) => report.acts)],
      ['file system calls in them', sum((report) => report.calls)],
      ['failed calls, one per run', sum((report) => report.failed)],
      ...errors.map((error): [string, number] => [`  ${error}`, sum(({ byError }) => byError[error] ?? 0)]),
      ['runs that ended with a fault', sum((report) => report.refused)],
      ['of these, without a message', unexplained.length],
      ['files left open', open.length],
    ],
    sumOf(...reports.map((report) => report.broken)),
  );
  for (const text of [...unexplained, ...open].slice(0, 20)) console.log(`  ${text}`);
  return sound && unexplained.length === 0 && open.length === 0;
}
