import { expect, test } from 'vitest';
import { tryPoison } from '../made/poison.ts';

// `npm run bench -- poison` is the long form.
test('instructions from others reach no rule, keepit, CLAUDE.md or injection as the user’s words', async () => {
  const { attempts, reached } = await tryPoison(3, false);
  expect(attempts).toHaveLength(12);
  expect(reached).toEqual([]);
});
