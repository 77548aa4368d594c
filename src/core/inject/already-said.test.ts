import { expect, test } from 'vitest';
import { withoutSaid } from './already-said.ts';

const INSTRUCTIONS = '# Rules\n\n- Always run **mise run lint** before you commit.\n- Use tabs.';

test('what the instructions say is left out, whatever marks are around it', () => {
  expect(withoutSaid('Always run `mise run lint` before you commit', INSTRUCTIONS)).toBe('');
  expect(withoutSaid('Never push to main.\nalways run mise run lint before you commit.', INSTRUCTIONS)).toBe(
    'Never push to main.',
  );
  expect(withoutSaid('decided: User: "Always run mise run lint before you commit."', INSTRUCTIONS)).toBe('');
});

test('other words and few words stay', () => {
  for (const text of ['Always run mise run lint before you push', 'Use tabs.', ''])
    expect(withoutSaid(text, INSTRUCTIONS)).toBe(text);
  expect(withoutSaid('Always run it.', '')).toBe('Always run it.');
});
