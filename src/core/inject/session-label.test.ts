import { expect, test } from 'vitest';
import { sessionLabel } from './session-label.ts';

test('an id is named by its first part, a chat by its date and time', () => {
  expect(sessionLabel('3f2a91c4-0000-4000-8000-000000000001')).toBe('3f2a91c4');
  expect(sessionLabel('2025-07-28_14-07Z-the-oven-is-cold-and-so-is-the-bread')).toMatch(
    /^2025-07-28_14-07Z-/,
  );
  expect(sessionLabel('monday')).toBe('monday');
});
