import type { BriefSession } from '../../state/sessions.ts';

import { dayKey } from '../../text/times.ts';

export type TimelineBar = {
  /** Its days, as the list is filtered by them: `2026-01-05..2026-01-11`. */
  key: string;
  from: Date;
  to: Date;
  count: number;
  tokens: number;
  /** Sessions that have a version, and their tokens. */
  compressed: number;
  compressedTokens: number;
};

const DAY = 86_400_000;
const MOST_BARS = 60;

/** Sessions in steps of equal length: days, weeks or months, whichever gives at most 60. */
export function timelineBars(sessions: readonly BriefSession[]): {
  step: 'day' | 'week' | 'month';
  bars: TimelineBar[];
} {
  const times = sessions.map((it) => new Date(it.last).getTime());
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const time of times) {
    if (Number.isNaN(time)) continue;
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  if (first > last) return { step: 'day', bars: [] };
  const days = (last - first) / DAY;
  const step = days < MOST_BARS - 2 ? 'day' : days / 7 < MOST_BARS - 2 ? 'week' : 'month';
  const bars: TimelineBar[] = [];
  for (let at = startOf(new Date(first), step); at.getTime() <= last; at = nextOf(at, step)) {
    const next = nextOf(at, step);
    const to = new Date(next.getFullYear(), next.getMonth(), next.getDate() - 1);
    const key = step === 'day' ? dayKey(at) : `${dayKey(at)}..${dayKey(to)}`;
    bars.push({ key, from: at, to, count: 0, tokens: 0, compressed: 0, compressedTokens: 0 });
  }
  const starts = bars.map(({ from }) => from.getTime());
  for (const [index, session] of sessions.entries()) {
    const time = times[index] ?? Number.NaN;
    // Days by the reader's clock are slow to ask for: each time is looked up between the starts of two bars.
    const bar = bars[starts.findLastIndex((start) => start <= time)];
    if (!bar) continue;
    bar.count++;
    bar.tokens += session.tokens;
    if (session.versions === 0) continue;
    bar.compressed++;
    bar.compressedTokens += session.tokens;
  }
  return { step, bars };
}

function startOf(time: Date, step: 'day' | 'week' | 'month'): Date {
  const day = new Date(time.getFullYear(), time.getMonth(), step === 'month' ? 1 : time.getDate());
  if (step === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day;
}

function nextOf(time: Date, step: 'day' | 'week' | 'month'): Date {
  const { year, month, day } = { year: time.getFullYear(), month: time.getMonth(), day: time.getDate() };
  return step === 'month'
    ? new Date(year, month + 1, 1)
    : new Date(year, month, day + (step === 'week' ? 7 : 1));
}
