import { pathToFileURL } from 'node:url';

/** Prints a header and rows with aligned columns. */
export function table(head: string[], rows: string[][]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const print = (row: string[]) =>
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    );
  print(head);
  print(widths.map((width) => '-'.repeat(width)));
  for (const row of rows) print(row);
}

export function percentile(values: number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? Number.NaN;
}

export function median(values: number[]): number {
  return percentile(values, 50);
}

export function mebibytes(bytes: number): string {
  return (bytes / 1048576).toFixed(1);
}

/** Whether a benchmark was started directly, not through bench/run.ts. */
export function isMain(url: string): boolean {
  return process.argv[1] !== undefined && url === pathToFileURL(process.argv[1]).href;
}
