import { expect, test } from 'vitest';
import { Fault } from '../../core/model/fault.ts';
import type { Appended } from '../../ports/hub-database.ts';
import { type Append, appendTogether } from './append-together.ts';

const MEGABYTE = 1024 * 1024;
const append = (number: number, more: Partial<Append> = {}): Append => ({
  ...{ repo: 'a', values: [number], bytes: 10 },
  ...more,
});

/** A database that ends a transaction when it is told to, and refuses some appends. */
function slowDatabase(refused: (number: unknown) => Fault | undefined = () => undefined, mostAtOnce = 1) {
  const batches: unknown[][] = [];
  const running: (() => void)[] = [];
  const add = appendTogether(async (appends) => {
    const numbers = appends.map(({ values: [number] }) => number);
    batches.push(numbers);
    await new Promise<void>((resolve) => running.push(resolve));
    for (const number of numbers) {
      const fault = refused(number);
      if (fault) throw fault;
    }
    return numbers.map((number): Appended => ({ position: Number(number), state: 'added' }));
  }, mostAtOnce);
  const finish = async <T>(all: Promise<T>): Promise<T> => {
    const ended = { isOver: false };
    void all.finally(() => {
      ended.isOver = true;
    });
    while (!ended.isOver) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return all;
  };
  return { add, batches, finish };
}

test('what comes while another is stored is stored together, each with its own answer', async () => {
  const { add, batches, finish } = slowDatabase();
  const answers = await finish(Promise.all([1, 2, 3, 4].map((number) => add(append(number)))));
  expect(answers.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
  expect((await finish(add(append(5)))).position).toBe(5);
  expect(batches.at(-1)).toEqual([5]);
});

test('where two transactions may be on their way, the second takes what came by then, and no third one begins', async () => {
  const { add, batches, finish } = slowDatabase(() => undefined, 2);
  const sent = [1, 2, 3, 4].map((number) => add(append(number)));
  expect(batches).toEqual([[1], [2]]);
  const answers = await finish(Promise.all(sent));
  expect(answers.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  expect(batches).toEqual([[1], [2], [3, 4]]);
  await finish(Promise.all([add(append(5)), add(append(6))]));
  expect(batches.slice(3)).toEqual([[5], [6]]);
});

test('repositories do not wait for each other', async () => {
  const { add, batches, finish } = slowDatabase();
  await finish(Promise.all(['a', 'b', 'c'].map((repo, at) => add(append(at, { repo })))));
  expect(batches).toEqual([[0], [1], [2]]);
});

test('a transaction has a maximum of appends and bytes, and a larger append has its own', async () => {
  const { add, batches, finish } = slowDatabase();
  const many = Array.from({ length: 40 }, (_, at) => add(append(at)));
  const large = [100, 101, 102].map((number) => add(append(number, { bytes: 9 * MEGABYTE })));
  await finish(Promise.all([...many, ...large]));
  expect(batches.map(({ length }) => length)).toEqual([1, 32, 7, 1, 1, 1]);
});

test('one that is refused fails alone; where the database is away all do, and may be sent again', async () => {
  const forbidden = slowDatabase((number) => (number === 3 ? new Fault('forbidden', 'no') : undefined));
  const sent = [1, 2, 3, 4].map((number) => forbidden.add(append(number)));
  const answers = await forbidden.finish(Promise.allSettled(sent));
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(forbidden.batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  const away = slowDatabase((number) => (number === 3 ? new Fault('busy', 'away') : undefined));
  const lost = await away.finish(Promise.allSettled([1, 2, 3, 4].map((number) => away.add(append(number)))));
  expect(lost.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  expect(away.batches).toEqual([[1], [2, 3, 4]]);
});
