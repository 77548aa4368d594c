import { expect, test } from 'vitest';
import { withoutHeadingId } from './without-heading-id.ts';

const ID = 'b00b80af-879f-4265-b95b-48db0938673c';

test('the heading of a version is its title: the id of the session is not in it', () => {
  expect(withoutHeadingId(`# Round prices (session ${ID}, part 1)\n\nWe round (session ${ID}) up.`)).toBe(
    `# Round prices\n\nWe round (session ${ID}) up.`,
  );
});

test('a later part is named, and a heading without an id stays', () => {
  expect(withoutHeadingId(`# Round (half up) (session ${ID}, part 2)`)).toBe('# Round (half up) (part 2)');
  expect(withoutHeadingId('# Round (session 5 of the class)')).toBe('# Round (session 5 of the class)');
});
