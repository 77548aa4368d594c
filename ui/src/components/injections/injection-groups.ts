import type { Answer } from '../../api/call-api.ts';
import { dayKey } from '../../text/times.ts';

export type ListedInjection = Answer<'get /api/memory/injections'>['items'][number];
/** What one session got on one day. */
export type InjectionGroup = {
  key: string;
  day: string;
  isFirstOfDay: boolean;
  session: string;
  title: string;
  projectId: string;
  tokens: number;
  rows: ListedInjection[];
};

/** Injections by day and session, in the order they come: the newest first. */
export function injectionGroups(rows: readonly ListedInjection[]): InjectionGroup[] {
  const groups = new Map<string, InjectionGroup>();
  let last = '';
  for (const row of rows) {
    const day = dayKey(new Date(row.at));
    const key = `${day} ${row.session}`;
    const known = groups.get(key);
    if (known) {
      known.rows.push(row);
      known.tokens += row.tokens;
      continue;
    }
    const { session, title, projectId, tokens } = row;
    const isFirstOfDay = day !== last;
    groups.set(key, { key, day, isFirstOfDay, session, title, projectId, tokens, rows: [row] });
    last = day;
  }
  return [...groups.values()];
}
