import { expect, test } from 'vitest';
import { eventAuthor } from './event-author.ts';

test('an edit has its author and its way, also one of an older version', () => {
  const at = '2026-01-01T00:00:00.000Z';
  const of = (details: Record<string, unknown>) => eventAuthor({ at, action: 'fact', details });
  expect(of({ edit: { author: 'Kim', via: 'import' }, by: 'Kim' })).toEqual({ by: 'Kim', via: 'import' });
  expect(of({ edit: { by: 'assistant' } })).toEqual({ by: 'me', via: 'agent' });
  expect(of({ edit: { via: 'model' } })).toEqual({ by: 'me', via: 'model' });
  expect(eventAuthor({ at, action: 'settings' })).toEqual({ by: 'me', via: 'typed' });
  expect(eventAuthor({ at, action: 'import', details: { by: 'Kim' } })).toEqual({ by: 'Kim', via: 'import' });
  expect(eventAuthor({ at, action: 'register' })).toBeUndefined();
  expect(eventAuthor({ at, action: 'join', details: { found: true } })).toBeUndefined();
});
