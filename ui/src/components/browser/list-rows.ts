import type { BriefSession } from '../../state/sessions.ts';
import { dayKey, monthKey, monthText } from '../../text/times.ts';

export type ListRow =
  | { kind: 'month'; key: string; title: string; count: number; tokens: number }
  | { kind: 'session'; key: string; session: BriefSession };

export type ListOrder = 'newest' | 'largest' | 'title';

/** Sessions that hold every word that was typed. */
export function filterSessions(sessions: readonly BriefSession[], typed: string): BriefSession[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...sessions];
  return sessions.filter(({ title, sessionId, branch }) => {
    const text = `${title} ${sessionId} ${branch}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** `2026-01-05..2026-01-11`, both days included; sessions without a date are in none. */
export function inDays(sessions: readonly BriefSession[], days: string): readonly BriefSession[] {
  const [from = '', to = from] = days.split('..');
  if (days === '') return sessions;
  return sessions.filter(({ last }) => {
    const time = new Date(last);
    const day = Number.isNaN(time.getTime()) ? '' : dayKey(time);
    return day !== '' && day >= from && day <= to;
  });
}

/** Months with their sessions below them, newest first; those without a date come last. */
export function byMonth(sessions: readonly BriefSession[], folded: ReadonlySet<string>): ListRow[] {
  const months = new Map<string, BriefSession[]>();
  for (const session of sessions) {
    const key = monthKey(session.last);
    const month = months.get(key);
    if (month) month.push(session);
    else months.set(key, [session]);
  }
  const rows: ListRow[] = [];
  for (const key of [...months.keys()].sort().reverse()) {
    const month = months.get(key) ?? [];
    const tokens = month.reduce((sum, it) => sum + it.tokens, 0);
    rows.push({ kind: 'month', key, title: monthText(month[0]?.last), count: month.length, tokens });
    if (!folded.has(key)) rows.push(...month.map(rowOf));
  }
  return rows;
}

/** One list, without months. */
export function inOrder(sessions: readonly BriefSession[], order: ListOrder): ListRow[] {
  const sorted = [...sessions];
  if (order === 'largest') sorted.sort((a, b) => b.tokens - a.tokens);
  if (order === 'title') sorted.sort((a, b) => a.title.localeCompare(b.title));
  return sorted.map(rowOf);
}

function rowOf(session: BriefSession): ListRow {
  return { kind: 'session', key: session.sessionId, session };
}
