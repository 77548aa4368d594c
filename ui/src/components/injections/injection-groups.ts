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

export type KindBudgets = Answer<'get /api/memory/injections'>['budgets'];

/** What a session may get for the injections it got, and how much of that each kind took. */
export function injectionBudget(
  { rows, tokens }: Pick<InjectionGroup, 'rows' | 'tokens'>,
  budgets: KindBudgets,
): { allowed: number; kinds: { on: ListedInjection['on']; tokens: number; share: number }[] } {
  const allowed = rows.reduce((sum, { on }) => sum + budgets[on], 0);
  const taken = new Map<ListedInjection['on'], number>();
  for (const row of rows) taken.set(row.on, (taken.get(row.on) ?? 0) + row.tokens);
  // A budget that was lowered since: the bar is full.
  const whole = Math.max(allowed, tokens, 1);
  return { allowed, kinds: [...taken].map(([on, sum]) => ({ on, tokens: sum, share: sum / whole })) };
}
