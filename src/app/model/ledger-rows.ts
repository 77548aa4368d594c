import { type LedgerCall, type Spent, sumOf } from './ledger.ts';

/** What sums of the ledger go by. */
export const WAYS = ['day', 'month', 'model', 'use', 'session', 'project'] as const;

export type LedgerRow = Spent & { key: string; last: string };

export function rowsBy(
  calls: LedgerCall[],
  by: (typeof WAYS)[number],
  day: (at: string) => string,
): LedgerRow[] {
  const groups = new Map<string, LedgerCall[]>();
  for (const call of calls) {
    const key = {
      day: day(call.at),
      month: day(call.at).slice(0, 7),
      model: `${call.service}/${call.model}`,
      use: call.use,
      session: call.session ?? '(no session)',
      project: call.project ?? '(no project)',
    }[by];
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups].map(([key, own]) => ({ key, last: own.at(-1)!.at, ...sumOf(own) }));
}
