import { expect, test } from 'vitest';
import { hasSameNumbers } from './same-numbers.ts';

test('another number beside the same word is another thing', () => {
  expect(hasSameNumbers('why is user story 5 open?', 'user: review User Story 3 before we move on')).toBe(
    false,
  );
  expect(hasSameNumbers('why is user story 5 open?', 'Story 3 is done, story 5 waits for the oven')).toBe(
    true,
  );
  expect(hasSameNumbers('why is user story 5 open?', 'The oven waits for 3 loaves')).toBe(true);
});

test('a section or a ticket must be named', () => {
  expect(hasSameNumbers('what is left of 3.6?', 'The list of tasks is long')).toBe(false);
  expect(hasSameNumbers('what is left of 3.6?', 'Two points of 3.6 are left')).toBe(true);
  expect(hasSameNumbers('tackle #10 next', 'We did #11')).toBe(false);
  expect(hasSameNumbers('tackle #10 next', 'We began #10, #11')).toBe(true);
});

test('places in files, versions in names and items of a list are no such numbers', () => {
  expect(hasSameNumbers('oven.ts:84 fails with gpt-5-nano', 'The oven fails')).toBe(true);
  expect(hasSameNumbers('1. bake\n2. sell', 'We bake and sell')).toBe(true);
});
