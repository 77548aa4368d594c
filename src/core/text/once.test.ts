import { expect, test } from 'vitest';
import { once } from './once.ts';
import { PerOwner } from './per-owner.ts';

test('what is made once is made when it is first asked for, and then the same', () => {
  let made = 0;
  const thing = once(() => ({ number: ++made }));
  expect(made).toBe(0);
  expect(thing()).toBe(thing());
  expect(made).toBe(1);
});

test('each owner has its own', () => {
  let made = 0;
  const known = new PerOwner<object, number[]>();
  const [one, other] = [{}, {}];
  const of = (owner: object) => known.of(owner, () => [++made]);
  expect(of(one)).toBe(of(one));
  expect(of(other)).toEqual([2]);
  expect(of(one)).toEqual([1]);
});
