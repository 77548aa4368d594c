import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  inQueueOrder,
  isWorkDue,
  type QueuedWork,
  sameWork,
  WORK_KINDS,
  workFileName,
  workOfFile,
} from './detached-work.ts';

const works: fc.Arbitrary<QueuedWork> = fc.record({
  kind: fc.constantFrom(...WORK_KINDS),
  key: fc.stringMatching(/^[0-9A-Za-z][\w-]{0,63}$/),
  added: fc.nat(2 ** 41),
  by: fc.stringMatching(/^[0-9a-z]{1,16}$/),
  tries: fc.nat(9999),
});

test('an entry is what its file is called', () => {
  fc.assert(
    fc.property(works, (work) => {
      expect(workOfFile(workFileName(work))).toEqual(work);
    }),
  );
});

test('no other name is an entry, and none leads out of the folder', () => {
  const names = ['.running', '.lock.sqlite', 'session-end', 'dance.aaaa.1-a.0', 'memory.../../x.1-a.0', ''];
  expect(names.map(workOfFile)).toEqual(names.map(() => undefined));
  fc.assert(
    fc.property(fc.string(), (name) => {
      const work = workOfFile(name);
      if (work) expect(name).toMatch(/^[\w.-]+$/);
    }),
  );
});

test('the order is the one in which entries were added, and the same for all', () => {
  fc.assert(
    fc.property(fc.array(works), (queue) => {
      const sorted = [...queue].sort(inQueueOrder);
      expect([...queue].reverse().sort(inQueueOrder)).toEqual(sorted);
      for (const [n, work] of sorted.slice(1).entries())
        expect(work.added).toBeGreaterThanOrEqual(sorted[n]!.added);
    }),
  );
});

test('work that was ended a few times is due at once, then after a wait that grows to a day and no further', () => {
  const work = workOfFile('session-end.aaaaaaaa.1000-a.0')!;
  const due = (tries: number, ms: number) => isWorkDue({ ...work, tries }, 1000, 1000 + ms);
  expect([0, 1, 2, 3].map((tries) => due(tries, 0))).toEqual([true, true, true, true]);
  expect([due(4, 0), due(4, 10 * 60_000), due(5, 10 * 60_000)]).toEqual([false, true, false]);
  expect([due(9999, 86_399_999), due(9999, 86_400_000)]).toEqual([false, true]);
  expect(isWorkDue({ ...work, tries: 50 }, 1000, 999)).toBe(true);
});

test('two ends of one session are one piece of work', () => {
  const queue = ['session-end.aaaaaaaa.1-a.0', 'session-end.aaaaaaaa.2-b.0', 'memory.aaaaaaaa.2-b.0'].map(
    (name) => workOfFile(name)!,
  );
  expect(sameWork(queue[0]!, queue)).toEqual(queue.slice(0, 2));
});
