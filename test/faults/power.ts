import { printReport, seedFrom } from './fault-report.ts';
import { sumOf } from './laws.ts';
import type { PowerReport } from './power-lane.ts';
import { LANES, runLanes } from './run-lanes.ts';

/** [EVERY] [SEED]: the power fails after one write in this many (default 1). */
export async function runPower([every = '1', asked]: string[]): Promise<boolean> {
  const reports = await runLanes<PowerReport>('power-lane.ts', [Number(every), seedFrom(asked)], LANES);
  const sum = (of: (report: PowerReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  return printReport(
    [
      ['commands and hooks', sum((report) => report.acts)],
      ['operations that change the disk', sum((report) => report.operations)],
      ['power failures', sum((report) => report.failures)],
    ],
    sumOf(...reports.map((report) => report.broken)),
  );
}
