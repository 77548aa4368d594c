// Readers' judgments of the shown statements, chosen with weights fitted without their project.
import { chosenOf, judgedIn } from '../src/core/statements/statements-of.ts';
import type { FittedWeights } from '../src/core/statements/weights.ts';
import { table } from './bench-table.ts';
import { linesOf } from './session-lines.ts';
import { type KeptLabel, keptIn, keptSessions } from './statements-kept.ts';

type Row = { project: string; key: string; label: KeptLabel | undefined };

/** A statement that only some readers would keep counts as not kept. */
const KEPT = 0.9;

export function printReaders(folders: string[], weightsWithout: (folder: string) => FittedWeights): void {
  const rows: Row[] = [];
  let sessions = 0;
  for (const [path, project] of keptSessions(folders)) {
    sessions++;
    const { judged, segments } = judgedIn(linesOf(path));
    for (const { tier, foundBy, confidence, quotes } of chosenOf(judged, segments, weightsWithout(project))) {
      if (tier !== 'shown' || !quotes[0]) continue;
      const isSaid = ['words', 'refusal', 'pick'].includes(foundBy);
      const key = `${isSaid ? 'said by the user' : 'written down'}, ${confidence}`;
      rows.push({ project, key, label: keptIn(path, { foundBy, quote: quotes[0] }) });
    }
  }
  console.log(`Shown statements of ${sessions} sessions with readers' labels (strict ones in brackets)\n`);
  printShares('project', rows, ({ project }) => project.split('/').at(-1)!);
  printShares('confidence', rows, ({ key }) => key);
  printShares('all', rows, () => 'all');
}

function printShares(name: string, rows: Row[], keyOf: (row: Row) => string): void {
  const groups = Map.groupBy(rows, keyOf);
  table(
    [name, 'shown', 'labeled', 'kept'],
    [...groups].sort().map(([key, own]) => {
      const labels = own.flatMap(({ label }) => label ?? []);
      const strict = labels.filter(({ isStrict }) => isStrict);
      return [
        key,
        String(own.length),
        `${labels.length} (${strict.length})`,
        `${share(labels)} (${share(strict)})`,
      ];
    }),
  );
  console.log('');
}

function share(labels: KeptLabel[]): string {
  const kept = labels.filter((label) => label.kept >= KEPT).length;
  return labels.length === 0 ? '-' : `${((100 * kept) / labels.length).toFixed(0)}%`;
}
