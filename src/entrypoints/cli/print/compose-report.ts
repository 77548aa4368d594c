import type { Composition } from '../../../app/compose/compose.ts';
import type { CompositionComponent } from '../../../core/model/composition.ts';
import type { Cli } from '../cli.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { count, plural } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

/** A bar while many sessions are rendered. */
export async function showComposing<T>(
  cli: Cli,
  work: (options: { onProgress(done: number, total: number): void; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { clock } = await cli.world();
  const bar = cli.console.progress('Composing', clock.millis);
  try {
    return await work({
      onProgress: (done, total) => bar.show({ done, total, bytes: 0, totalBytes: 0 }),
      signal: cli.signal(),
    });
  } finally {
    bar.end();
  }
}

/** What came, or would come, of a composition. */
export function printComposition(console: Console, done: Composition, preview: boolean): void {
  const included = done.components.filter(({ versionId }) => versionId !== 'none');
  const share = `${count(done.totalTokens)} of ${count(done.tokenBudget)} tokens`;
  const verb = preview ? 'would contain' : 'contains';
  console.print(
    `${console.style.accent(cleanLine(done.name))} ${verb} ${plural(included.length, 'session')}, ${share} (${done.strategy})`,
  );
  componentTable(console, done.components);
  const left = done.components.length - included.length;
  if (left > 0)
    console.print(`${plural(left, 'session')} did not fit: use a larger --budget or fewer sessions.`);
  if (preview) {
    console.note('Nothing was stored. Omit --preview to store it; use --markdown to print the text.');
    return;
  }
  console.print(console.style.dim(`projects/${done.projectId}/${done.outputFile}`));
  const [resumed] = done.resumed ?? [];
  if (resumed) console.print('', 'Continue from it:', `  claude --resume ${resumed.sessionId}`);
  else console.note(`Read it: keepsake compositions show ${JSON.stringify(done.name)} --markdown`);
}

export function componentTable(console: Console, components: CompositionComponent[]): void {
  const columns: Column<CompositionComponent>[] = [
    { title: '#', value: (it) => String(it.order + 1), align: 'right' },
    { title: 'session', value: (it) => it.sessionId.slice(0, 8), paint: console.style.accent },
    { title: 'version', value: (it) => it.versionId.replace('new', 'new version') },
    { title: 'tokens', value: (it) => count(it.tokenContribution), align: 'right' },
    { title: 'of', value: (it) => count(it.originalTokens ?? 0), align: 'right', spare: 2 },
    { title: 'ago', value: (it) => String(it.distance ?? ''), align: 'right', spare: 3 },
    { title: 'why', value: (it) => cleanLine(it.reason ?? ''), least: 20, wrap: true, spare: 1 },
  ];
  console.table(components, columns);
}
