import { expect, test } from 'vitest';
import { SaidWords, ShownWords } from './already-said.ts';

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

test('a line that is cut or put another way is known again by most of its words in a row', () => {
  const shown = new ShownWords([
    'User: "Prices are whole cents everywhere, floats lose money." -> Moved the cart to cents.',
  ]);
  expect(shown.repeats('- decision: "Prices are whole cents everywhere, floats lose…')).toBe(true);
  expect(shown.repeats('- decision (in cart.ts): "… whole cents everywhere, floats lose money" → cart')).toBe(
    true,
  );
  expect(shown.repeats('- said: "Prices are whole cents in the cart, but the till shows euros now."')).toBe(
    false,
  );
  expect(shown.repeats('- changed: cart.ts')).toBe(false);
  const twenty = Array.from({ length: 20 }, (_, n) => `word${n}`).join(' ');
  const more = twenty.replaceAll('word', 'more');
  expect(new ShownWords([twenty]).repeats(`- noted: ${twenty} ${more} ${more}`)).toBe(true);
  expect(new ShownWords([twenty]).repeats(`- noted: ${more} ${twenty}`)).toBe(false);
});
