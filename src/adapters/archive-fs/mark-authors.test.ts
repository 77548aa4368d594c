import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../core/model/history.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { Manifest } from '../../core/model/manifest.ts';
import { markAuthors } from './mark-authors.ts';

const at = '2026-01-01T00:00:00.000Z';
const fact = (editId: string) => ({ editId, at, factId: 'r_1', by: 'user', action: 'confirm' });
const weight = (markerId: string) => ({
  overlayId: markerId,
  sessionId: 'a',
  markerId,
  at,
  action: 'weight',
  weight: 1,
});
const before = {
  sessions: {
    mine: { sessionId: 'mine' },
    theirs: { sessionId: 'theirs' },
    claimed: { sessionId: 'claimed' },
  },
  overlays: [weight('k_1'), weight('k_2')],
  factEdits: [fact('fe_1'), fact('fe_2'), fact('fe_3')],
} as unknown as Manifest;

function events(...list: Partial<HistoryEvent>[]): HistoryEvent[] {
  return list.map((event) => ({ at, action: 'import', ...event }) as HistoryEvent);
}

describe('records of the time before authors', () => {
  it('are this user’s, but for what the history says was imported', () => {
    const marked = markAuthors(
      before,
      events(
        { action: 'register', sessionId: 'mine' as SessionId },
        { sessionId: 'theirs' as SessionId, note: 'Imported.' },
        { sessionId: 'claimed' as SessionId, note: 'Imported.' },
        { sessionId: 'claimed' as SessionId, details: { by: null } },
        { action: 'fact', note: 'Confirmed r_1', details: { edit: fact('fe_1') } },
        { action: 'fact', note: 'Imported: fe_2', details: { edit: fact('fe_2') } },
        { action: 'fact', note: 'Imported: fe_3', details: { edit: fact('fe_3'), by: null } },
        {
          action: 'keepit',
          sessionId: 'a' as SessionId,
          note: 'Imported: weight k_2',
          details: { action: 'weight', markerId: 'k_2' },
        },
      ),
    );
    expect(Object.values(marked.sessions).map(({ by }) => by)).toEqual([undefined, 'unknown', undefined]);
    expect(marked.factEdits!.map(({ author }) => author)).toEqual([undefined, 'unknown', undefined]);
    expect(marked.overlays.map(({ author }) => author)).toEqual([undefined, 'unknown']);
  });

  it('stay as they are where nothing was imported', () => {
    expect(markAuthors(before, events({ action: 'register', sessionId: 'mine' as SessionId }))).toBe(before);
  });
});
