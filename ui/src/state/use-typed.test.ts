import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { effectScope, nextTick, shallowRef } from 'vue';
import { useTyped } from './use-typed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function field() {
  const counts = shallowRef('a');
  const typed = effectScope().run(() => useTyped(counts));
  if (!typed) throw new Error('no field');
  return { counts, ...typed };
}

test('changes from elsewhere are followed, however soon they come', async () => {
  const { counts, typed } = field();
  for (const now of ['b', 'c']) {
    counts.value = now;
    await nextTick();
  }
  vi.advanceTimersByTime(1000);
  await nextTick();
  expect([counts.value, typed.value]).toEqual(['c', 'c']);
});

test('what is typed counts a moment later, and is not overwritten meanwhile', async () => {
  const { counts, typed } = field();
  typed.value = 'x';
  await nextTick();
  counts.value = 'b';
  await nextTick();
  expect(typed.value).toBe('x');
  vi.advanceTimersByTime(200);
  expect(counts.value).toBe('x');
});
