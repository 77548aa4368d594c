import { expect, test } from 'vitest';
import { foundPlaces, foundText, searchProgress } from './found-places.ts';

const project = { projectId: 'shop' };
const one = { ...project, sessionId: 'one', title: 'Round prices' };

test('a session is one place, with the way to the first match, however many of its files hold it', () => {
  const places = foundPlaces(
    [
      { ...one, kind: 'versions', matches: 5 },
      { ...one, kind: 'originals', matches: 3, src: 512 },
      { ...project, kind: 'compositions', composition: 'onboarding', matches: 1 },
    ],
    () => 'shop',
  );
  expect(places.map(({ title }) => title)).toEqual(['Round prices', 'Composition onboarding']);
  expect(places[0]).toMatchObject({
    about: 'shop: 5 in its versions, 3 in the original',
    to: { name: 'session', params: { sessionId: 'one' }, query: { src: 512, tools: 'yes' } },
  });
});

test('what belongs to no session leads to its view; what no view shows is left to the counts', () => {
  const places = foundPlaces(
    [
      { ...project, kind: 'rolling memory and notes', matches: 2 },
      { ...project, kind: 'records', matches: 1 },
    ],
    () => 'shop',
  );
  expect(places.map(({ to }) => to)).toEqual([{ name: 'memory-files', query: { project: 'shop' } }]);
});

test('a search says its step and percent; what was found is counted', () => {
  expect(searchProgress({ phase: 'memory', done: 45, total: 100 })).toEqual({
    text: 'Step 1 of 2: the memory, 45%',
    percent: 45,
  });
  expect(searchProgress({ phase: 'outside', done: 0, total: 0 }).percent).toBe(100);
  expect(searchProgress(null)).toEqual({ text: 'Waiting…', percent: undefined });
  expect(foundText({ places: [{ kind: 'originals', files: 2, matches: 14 }] })).toBe(
    'Found 14 times in 2 files.',
  );
  expect(foundText({ places: [] })).toBe('Not found in the memory.');
});
