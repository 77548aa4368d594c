import type { LocationQuery, LocationQueryRaw } from 'vue-router';

export const KINDS = [
  { kind: 'turn', title: 'Messages' },
  { kind: 'exchange', title: 'Exchanges' },
  { kind: 'fact', title: 'Facts' },
  { kind: 'concept', title: 'Concepts' },
  { kind: 'keepit', title: 'Keepits' },
  { kind: 'memory', title: 'Rolling memory' },
  { kind: 'summary', title: 'Archive summaries' },
  { kind: 'note', title: 'Notes' },
  { kind: 'journal', title: 'Journal' },
] as const;

const EMPTY = {
  q: '',
  project: '',
  grain: '',
  role: '',
  agent: '',
  files: '',
  onlyFiles: '',
  since: '',
  until: '',
  topics: '',
  keepitMin: '',
  keepitMax: '',
  by: '',
  kinds: '',
};
/** What is asked for, as it is in the address; an empty field asks for nothing. */
export type SearchForm = typeof EMPTY;
const NAMES = Object.keys(EMPTY) as (keyof SearchForm)[];

export function searchFormOf(query: LocationQuery): SearchForm {
  const form = { ...EMPTY };
  for (const name of NAMES) {
    const value = query[name];
    if (typeof value === 'string') form[name] = value;
  }
  return form;
}

/** Only what was filled in: links stay short. */
export function searchQueryOf(form: SearchForm): LocationQueryRaw {
  return Object.fromEntries(
    NAMES.flatMap((name) => (form[name].trim() === '' ? [] : [[name, form[name].trim()]])),
  );
}

/** Words or at least one filter: otherwise there is nothing to look for. */
export function asksFor(form: SearchForm): boolean {
  const { grain: _, onlyFiles: __, ...rest } = form;
  return Object.values(rest).some((value) => value.trim() !== '');
}

/** What was asked, for the server; kinds and a grain do not go together. */
export function requestOf(form: SearchForm, limit: number): Record<string, string | number> {
  const { grain, kinds, ...rest } = searchQueryOf(form) as Record<string, string>;
  const shape = kinds === undefined ? (grain === undefined ? {} : { grain }) : { kinds };
  return { ...rest, ...shape, limit };
}

/** How many filters besides the words are set; *Everything* is chosen above them. */
export function filtersSet(form: SearchForm): number {
  return NAMES.filter(
    (name) => name !== 'q' && form[name].trim() !== '' && !(name === 'kinds' && form.kinds === 'all'),
  ).length;
}
