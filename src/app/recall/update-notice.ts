import type { RecallPiece, RecallSources } from './sources.ts';

/** Says that not all is remembered until a sync has rebuilt what an older version of Keepsake made. */
export function updateNotice({ stale, waiting }: Pick<RecallSources, 'stale' | 'waiting'>): RecallPiece[] {
  if (stale.size === 0 && waiting === 0) return [];
  const sessions = waiting === 1 ? '1 session was' : `${waiting} sessions were`;
  const what = waiting === 0 ? 'Facts and memory.md were made' : `${sessions} read`;
  const text = `${what} by an older version of Keepsake and omitted here. \`keepsake sync\` rebuilds them.`;
  return [{ ...NOTICE, text }];
}

const NOTICE = {
  kind: 'note',
  section: 'Update needed',
  source: 'Keepsake',
  project: '',
  sessionId: '',
  ts: '',
  whole: true,
} as const;
