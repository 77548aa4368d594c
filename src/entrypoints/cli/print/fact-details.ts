import type { FactRow } from '../../../app/layers/facts.ts';
import type { FactSource } from '../../../core/model/fact.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { plural } from '../terminal/quantities.ts';
import { printPairs } from './session-details.ts';

/** A fact with everything that is known about it. */
export function printFact(row: FactRow, clock: Clock, console: Console): void {
  const { style } = console;
  printPairs(console, [
    ['fact', style.strong(row.id)],
    ['kind', kindWords(row)],
    ['project', `${cleanLine(row.projectName)}  ${style.dim(row.projectId)}`],
    ['problem', cleanLine(row.problem ?? '')],
    ['feature', cleanLine(row.feature ?? '')],
    [row.problem === undefined ? 'says' : 'solution', cleanLine(row.content)],
    ['rejected', row.rejected ? style.warn(rejectedWords(row.rejected)) : ''],
    ['said by', saidBy(row)],
    ['via', row.via],
    ['same as', (row.sameAs ?? []).map(({ id }) => id).join(', ')],
    [
      'confidence',
      row.rejected
        ? ''
        : row.validatedByUser
          ? 'confirmed by you'
          : `readers kept about ${sureness(row)} statements like this`,
    ],
    ['validated', row.last_validated],
    ['attempts', row.attempts === undefined ? '' : String(row.attempts)],
    ['files', (row.files ?? []).map(cleanLine).join(', ')],
    ['stale', row.stale === undefined ? '' : style.warn(cleanLine(row.stale))],
    ['against it', row.contradictions === 0 ? '' : plural(row.contradictions, 'contradiction')],
    ['review', row.review ? `keepsake facts keep|correct|forget ${row.id}` : ''],
  ]);
  printSources(console, clock, 'Sources', row.sources);
  printSources(console, clock, 'Contradictions', row.against);
  if (row.replaced === undefined) return;
  console.print('', style.dim('Replaced'));
  for (const { was, by } of row.replaced)
    console.print(`  ${cleanLine(was)}`, `    withdrawn by: ${cleanLine(by)}`);
}

/** `core logic`; of a candidate what it would be: `decision?` */
export function kindWords({ kind, becomes }: FactRow): string {
  return becomes === undefined ? kind.replace('_', ' ') : `${becomes}?`;
}

/** `3 of 4`, or that the user confirmed it. */
export function sureness({ share, validatedByUser, contradictions }: FactRow): string {
  return validatedByUser && contradictions === 0 ? 'confirmed' : share;
}

function rejectedWords({ at, note }: NonNullable<FactRow['rejected']>): string {
  return `by you on ${at.slice(0, 10)}${note === '' ? '' : `: ${cleanLine(note)}`}`;
}

function saidBy({ by, source }: FactRow): string {
  if (by === 'me') return source === 'user' ? 'you' : 'the agent';
  return `${cleanLine(by)}; to make it yours: \`keepsake facts confirm\``;
}

function printSources(console: Console, clock: Clock, title: string, sources: FactSource[]): void {
  if (sources.length === 0) return;
  console.print('', console.style.dim(title));
  for (const { sessionId, exchange, ts, excerpt } of sources) {
    const place =
      sessionId === '' ? '' : `session ${sessionId.slice(0, 8)}  ${console.style.accent(exchange)}`;
    console.print(`  ${clock.local(ts)}  ${place}`.trimEnd(), `    ${cleanLine(excerpt)}`);
  }
}
