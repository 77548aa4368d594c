import type { SearchFilters } from '../../../app/search/filters.ts';
import { Fault } from '../../../core/model/fault.ts';
import { DOCUMENT_KINDS, type HitKind } from '../../../core/model/search.ts';
import { isInCalendar, toUtc, wholeSeconds } from '../../../core/text/utc.ts';

/** A parser for an option that takes one of a few words. */
export function parseChoice<T extends string>(...words: T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    throw new Fault(
      'usage',
      `${JSON.stringify(text.slice(0, 40))} is not valid. Use one of ${words.join(', ')}.`,
    );
  };
}

export const HIT_KINDS: readonly HitKind[] = ['turn', ...DOCUMENT_KINDS];

/** `fact,note`, or `all`. */
export function kindList(text: string, before: HitKind[] = []): HitKind[] {
  const kinds = text.split(',').map((word) => word.trim());
  if (kinds.includes('all')) return [...HIT_KINDS];
  return [...new Set([...before, ...kinds.map(parseChoice(...HIT_KINDS))])];
}

/** For options that may be given more than once. */
export function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** A day stays a day; a time becomes UTC. */
export function parseDayOrTime(text: string): string {
  const utc = toUtc(text);
  if (utc !== undefined && /^\d{4}-\d\d-\d\d($|[T ])/.test(text) && isInCalendar(text)) {
    return text.length === 10 ? text : wholeSeconds(utc);
  }
  throw new Fault('usage', `${JSON.stringify(text.slice(0, 40))} is not a date.`, {
    hint: 'Use a day, such as 2026-01-05, or a time, such as 2026-01-05T14:00Z.',
  });
}

/** `0.8` is that weight or more; `0.5-0.8` is a range. */
export function keepitRange(text: string): Pick<SearchFilters, 'keepitMin' | 'keepitMax'> {
  const [, least, most] = /^(\d(?:\.\d+)?)(?:-(\d(?:\.\d+)?))?$/.exec(text) ?? [];
  const keepitMin = Number(least);
  const keepitMax = most === undefined ? 1 : Number(most);
  if (least !== undefined && keepitMin <= keepitMax && keepitMax <= 1) return { keepitMin, keepitMax };
  throw new Fault('usage', `${JSON.stringify(text.slice(0, 40))} is not a range of weights.`, {
    hint: 'Use 0.80 (that weight or more) or a range: 0.50-0.80. Weights go from 0 to 1.',
  });
}

/** `src/a.ts,./b.ts`: paths as sessions name them, relative to where the user is. */
export function fileList(cwd: string): (text: string, before?: string[]) => string[] {
  const here = /[\\/]$/.test(cwd) ? cwd : `${cwd}/`;
  return (text, before = []) => [
    ...before,
    ...text
      .split(',')
      .map((path) => path.trim().replace(/^(\.\/)+/, ''))
      .map((path) => (path.startsWith(here) ? path.slice(here.length) : path))
      .filter((path) => path !== ''),
  ];
}
