import { describe, expect, it } from 'vitest';
import { optionsMeant } from './references.ts';

const reply = (text: string) => ({
  line: { role: 'assistant' as const, ts: '', src: 0, text },
  at: 1,
  text,
});
const CHOICE = 'Two ways:\n1. One queue for all shops\n2. A queue for each shop\n3. No queue\n\nWhich one?';
const REPORT =
  'Done:\n1. Added the queue\n2. Wrote its tests\n3. Compared with others\n\nAll of it is committed.';
const meant = (words: string, before = CHOICE) => optionsMeant(words, reply(before))?.text;

describe('a number is a pick', () => {
  it.each(['2', 'option 2', "let's go with 2", 'yes, 2 please', '#2', 'I prefer 2 because it is fair'])(
    'in: %s',
    (words) => {
      expect(meant(words)).toBe('2 = A queue for each shop');
    },
  );

  it('with another one', () => {
    expect(meant('1 and 3')).toBe('1 = One queue for all shops; 3 = No queue');
    expect(meant('do all of them')).toContain('3 = No queue');
  });
});

describe('a number is no pick', () => {
  it.each([
    'The old run compared with 3 competing libraries, which one did we lose?',
    'See issue #2, it says the same',
    'Please mind 1) the cost of it and 2) what it is good for.',
    'If you have two hooks here and one there, all three will be run.',
    'Give me the pros and cons of the three ways in #3, the dependency on the old queue, before we begin.',
  ])('in: %s', (words) => {
    expect(meant(words)).toBeUndefined();
    expect(meant(words, REPORT)).toBeUndefined();
  });

  it('with a sign, where nothing was asked', () => {
    expect(meant('#2', REPORT)).toBeUndefined();
  });

  it('that two lists have, unless the subject says which', () => {
    const two = 'Parts:\n1. The cart\n2. The form\n\nGood for:\n1. Speed\n2. Order\n\nSo far.';
    expect(meant('2', two)).toBeUndefined();
    expect(meant('do 2, the form', two)).toBe('2 = The form');
  });
});
