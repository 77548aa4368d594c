import { expect, test } from 'vitest';
import { SaidWords } from './already-said.ts';

const withoutSaid = (text: string, ...said: string[]) => {
  const words = new SaidWords();
  for (const one of said) words.add(one);
  return words.leftOf(text);
};
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

test('words of any script count, and of several texts', () => {
  expect(
    withoutSaid(
      'Größere Änderungen immer im Zweig üben',
      'x',
      'Nie: GRÖSSERE',
      '– größere Änderungen immer im Zweig üben!',
    ),
  ).toBe('');
  expect(withoutSaid('one two three four', 'one two', 'three four')).toBe('');
});
