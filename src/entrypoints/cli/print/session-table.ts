import { shortIds } from '../../../app/find/session.ts';
import type { SessionRow } from '../../../app/find/sessions.ts';
import { sessionTitle } from '../../../core/model/session-title.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Console } from '../console.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { bytes, count, shortCount } from '../terminal/quantities.ts';
import type { Column } from '../terminal/table.ts';

/** A project's name for people; the sample is labeled. */
export function projectLabel(project: { displayName: string; sample?: true }): string {
  const name = cleanLine(project.displayName);
  return project.sample && !/sample/i.test(name) ? `${name} (sample)` : name;
}

/** A title says more than any figure: those go before it gets shorter than this. */
const LEAST_TITLE = 30;

/** The columns of a list of sessions. `all` are the ids that a prefix must be unique among. */
export function sessionColumns(
  rows: SessionRow[],
  all: Iterable<string>,
  clock: Clock,
  console: Console,
): Column<SessionRow>[] {
  const short = shortIds(all);
  const { style } = console;
  const columns: Column<SessionRow>[] = [
    { title: 'id', value: (row) => short.get(row.sessionId) ?? row.sessionId, paint: style.accent },
    {
      title: 'project',
      value: (row) => projectLabel({ displayName: row.projectName, ...(row.sample ? { sample: true } : {}) }),
      least: 8,
    },
    { title: 'started', value: (row) => clock.local(row.firstTimestamp), spare: 7 },
    { title: 'last', value: (row) => clock.local(row.lastTimestamp), spare: 1 },
    { title: 'messages', value: (row) => count(row.originalMessages), align: 'right', spare: 4 },
    { title: 'tokens', value: (row) => shortCount(row.originalTokens), align: 'right', spare: 2 },
    { title: 'size', value: (row) => bytes(row.originalBytes), align: 'right', spare: 6 },
    { title: 'branch', value: (row) => cleanLine(row.metadata.gitBranch ?? ''), least: 12, spare: 5 },
    { title: 'keepits', value: (row) => keepits(row), align: 'right', spare: 3 },
    { title: 'title', value: (row) => titleOf(row), least: LEAST_TITLE },
  ];
  // A column that says nothing in any row is left out on a terminal; programs get them all.
  return console.width === undefined
    ? columns
    : columns.filter((it) => rows.some((row) => it.value(row) !== ''));
}

export function titleOf(row: SessionRow): string {
  const title = cleanLine(sessionTitle(row) ?? '');
  const whose = row.by === undefined ? title : `(by ${cleanLine(row.by)}) ${title}`.trim();
  return row.registered ? whose : `(unregistered) ${whose}`.trim();
}

function keepits(row: SessionRow): string {
  return row.keepitMarkers.length === 0 ? '' : String(row.keepitMarkers.length);
}
