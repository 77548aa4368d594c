import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Choice, choiceOf, NOTHING_CHOSEN, redo, undo, withChoice } from './surgery.ts';

const IDS = ['a', 'b', 'c'];
const cut = fc.tuple(fc.subarray(IDS, { minLength: 1 }), fc.constantFrom<Choice>('keep', 'shrink', 'drop'));

test('as many undos as cuts lead back to the beginning, and as many redos to the end', () => {
  fc.assert(
    fc.property(fc.array(cut, { maxLength: 12 }), (cuts) => {
      const end = cuts.reduce((surgery, [ids, choice]) => withChoice(surgery, ids, choice), NOTHING_CHOSEN);
      let back = end;
      for (let step = 0; step < cuts.length; step++) back = undo(back);
      expect([...back.choices]).toEqual([]);
      for (let step = 0; step < cuts.length; step++) back = redo(back);
      expect(back.choices).toEqual(end.choices);
      const [ids = [], choice = 'keep'] = cuts.at(-1) ?? [];
      for (const id of ids) expect(choiceOf(end, id)).toBe(choice);
    }),
  );
});

test('a cut after an undo is the end: there is nothing to redo', () => {
  const one = undo(withChoice(NOTHING_CHOSEN, ['a'], 'drop'));
  const two = withChoice(one, ['b'], 'shrink');
  expect(redo(two)).toBe(two);
});
