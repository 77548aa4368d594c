import type { Answer } from '../../api/call-api.ts';
import { bytesText, counted, wholeNumber } from '../../text/numbers.ts';

export type HistoryItem = Answer<'get /api/memory/history'>['items'][number];

/** A sentence in three parts: what was done, to which session, and what is to be said of it. */
export type HistorySentence = { before: string; session: string; after: string };

/** Of actions on a session: the words before and after its title. */
const OF_SESSION: Record<string, [before: string, after: string]> = {
  register: ['Added', 'to memory.'],
  grow: ['Synced', '.'],
  replaced: ['Replaced the copy of', '.'],
  unregister: ['Removed', 'from memory.'],
  purge: ['Purged', '.'],
  rename: ['Renamed', '.'],
  import: ['Imported', '.'],
  recover: ['Recovered', '.'],
  keepit: ['Changed a keepit in', '.'],
  compress: ['Compressed', '.'],
  prune: ['Deleted versions of', '.'],
  link: ['Linked', '.'],
  journal: ['Wrote a journal page of', '.'],
  decay: ['Aged the versions of', '.'],
};
const OF_PROJECT: Record<string, string> = {
  create: 'Found the project.',
  purge: 'Purged a text.',
  rename: 'Renamed the project.',
  join: 'Joined a folder to the project.',
  split: 'Split a folder off.',
  import: 'Imported a bundle.',
  migrate: 'Brought older records into shape.',
  recover: 'Recovered the records.',
  settings: 'Changed a setting.',
  compose: 'Changed a composition.',
  link: 'Changed a link.',
  memory: 'Updated memory.md.',
  fact: 'Changed a fact.',
  concept: 'Changed a concept.',
  journal: 'Wrote the journal.',
  decay: 'Aged versions.',
  export: 'Exported a bundle.',
};

export function historySentence(row: HistoryItem): HistorySentence {
  const note = ended(separated((row.note ?? growthOf(row.details)).trim()));
  const parts = OF_SESSION[row.action];
  if (row.sessionId === undefined || !parts)
    return {
      before: note === '' ? (OF_PROJECT[row.action] ?? ended(row.action)) : note,
      session: '',
      after: '',
    };
  const session = row.title || `session ${row.sessionId.slice(0, 8)}`;
  // `.` stands right behind the title, words after a blank.
  const end = parts[1] === '.' ? '.' : ` ${parts[1]}`;
  return { before: `${parts[0]} `, session, after: note === '' ? end : `${end} ${note}` };
}

/** `103881 to 3446 tokens` with separators. */
function separated(text: string): string {
  return text.replace(/\b\d{4,}(?= tokens\b| to \d+ tokens\b)/g, (digits) => wholeNumber(Number(digits)));
}

function growthOf(details: HistoryItem['details']): string {
  const { before, after } = details ?? {};
  const isMore = typeof before === 'number' && typeof after === 'number' && after > before;
  return isMore ? `${bytesText(after - before)} more` : '';
}

function ended(text: string): string {
  return text === '' || /[.!?…)]$/.test(text) ? text : `${text}.`;
}

/** `you, on the command line`; `2 projects` where a purge was in several. */
export function historyWhere({ projects, projectName, by, via }: HistoryItem): string {
  const where = projects ? counted(projects, 'project') : projectName;
  return by === undefined ? where : `${where}, by ${by === 'me' ? 'you' : by}, via ${via}`;
}
