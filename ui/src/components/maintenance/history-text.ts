import type { RouteLocationRaw } from 'vue-router';
import type { Answer } from '../../api/call-api.ts';
import { bytesText, counted, separated, wholeNumber } from '../../text/numbers.ts';
import { viaText } from '../../text/via-text.ts';

export type HistoryItem = Answer<'get /api/memory/history'>['items'][number];

/** A sentence in three parts: what was done, to what, and what is to be said of it; `to` leads to what it was done to. */
export type HistorySentence = { before: string; what: string; after: string; to?: RouteLocationRaw };

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
  decay: ['Ran retention on', '.'],
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
  decay: 'Ran retention.',
  export: 'Exported a bundle.',
};

export function historySentence(row: HistoryItem): HistorySentence {
  const text = separated((row.note ?? growthOf(row.details)).trim());
  const named = ofFact(row) ?? ofComposition(row);
  if (named) return named;
  const note = ended(text.replace(MARKER_ID, '').replace(FIRST_SEEN, '').replace(SUMMARIZED, ''));
  const parts = OF_SESSION[row.action];
  if (row.sessionId === undefined || !parts)
    return {
      before: note === '' ? (OF_PROJECT[row.action] ?? ended(row.action)) : note,
      what: '',
      after: '',
    };
  const what = row.title || `session ${row.sessionId.slice(0, 8)}`;
  // `.` comes right behind the title, words after a blank.
  const end = parts[1] === '.' ? '.' : ` ${parts[1]}`;
  const params = { projectId: row.projectId, sessionId: row.sessionId, tab: 'overview' };
  return {
    before: `${parts[0]} `,
    what,
    after: note === '' ? end : `${end} ${note}`,
    // A purged session has no title and no page.
    ...(row.title ? { to: { name: 'session', params } } : {}),
  };
}

/** Where a session's file was when it was added: the session's own page shows it. */
const FIRST_SEEN = /^First seen: .*$/;

/** Says again, with an id, what the sentence says with a title. */
const SUMMARIZED = /^Summarized [\w-]+$/;

/** The id of a keepit at the end of a note says nothing to a reader. */
const MARKER_ID = /:? ?k_[0-9a-f]{8,}\.?$/;

/** What was done to a fact, before and after the link to it. */
const OF_FACT: Record<string, [before: string, after: string]> = {
  add: ['Added', ''],
  confirm: ['Confirmed', ''],
  correct: ['Corrected', ''],
  forget: ['Forgot', ''],
  reject: ['Rejected', ''],
  keep: ['Kept', ' after a review'],
  contradict: ['Contradicted', ''],
  undo: ['Undid the last edit of', ''],
  promote: ['Offered', ' to the team'],
  'team-review': ['Reviewed', ' for the team'],
};

function ofFact({ action, details, projectId, fact }: HistoryItem): HistorySentence | undefined {
  const edit = details?.edit as { action?: string; factId?: string; content?: string } | undefined;
  const parts = OF_FACT[edit?.action ?? ''];
  if (action !== 'fact' || !edit?.factId || !parts) return undefined;
  const words = edit.content ?? fact;
  const end = words === undefined ? '.' : `: ${ended(shortened(words))}`;
  const to = { name: 'facts', query: { project: projectId, fact: edit.factId } };
  return {
    before: `${parts[0]} `,
    what: words === undefined ? 'a fact' : 'the fact',
    after: `${parts[1]}${end}`,
    to,
  };
}

const MOST = 120;

function shortened(words: string): string {
  return words.length > MOST ? `${words.slice(0, MOST).replace(/\s+\S*$/, '')}…` : words;
}

function ofComposition({ action, details, projectId }: HistoryItem): HistorySentence | undefined {
  const { composition, sessions, tokens } = details ?? {};
  if (action !== 'compose' || typeof composition !== 'string') return undefined;
  if (typeof sessions !== 'number' || typeof tokens !== 'number')
    return { before: 'Deleted the composition ', what: composition, after: '.' };
  const to = { name: 'composition', params: { projectId, compositionId: composition } };
  return {
    before: 'Composed ',
    what: composition,
    after: `: ${counted(sessions, 'session')}, ${wholeNumber(tokens)} tokens.`,
    to,
  };
}

function growthOf(details: HistoryItem['details']): string {
  const { before, after } = details ?? {};
  const isMore = typeof before === 'number' && typeof after === 'number' && after > before;
  return isMore ? `${bytesText(after - before)} more` : '';
}

function ended(text: string): string {
  return text === '' || /[.!?…)]$/.test(text) ? text : `${text}.`;
}

/** `shop, by you`; `2 projects` where a purge was in several. */
export function historyWhere({ projects, projectName, by, via }: HistoryItem, name = projectName): string {
  const where = projects ? counted(projects, 'project') : name;
  return by === undefined ? where : `${where}, by ${by === 'me' ? 'you' : by}${viaText(via, ', ')}`;
}
