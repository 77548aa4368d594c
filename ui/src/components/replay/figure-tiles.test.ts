import { expect, test } from 'vitest';
import { figureTiles, replayAddedText, runningText } from './figure-tiles.ts';

const figures = {
  sessions: 36,
  prompts: 236,
  starts: 35,
  startLines: { shown: 100, touched: 38 },
  passages: 0,
  offers: 4,
  tokens: 52_000,
  texts: 35,
  used: 28,
  instructions: { found: 3, said: 2 },
  errors: { found: 1, said: 0 },
  decisions: { found: 0, said: 0 },
  noted: 0,
  searched: { found: 12, said: 4 },
  files: { changedAgain: 73, named: 48, ofLast: 20 },
  contradicted: 0,
  offPoint: { starts: 4, passages: 0, offers: 2 },
};
const tile = (label: string) => figureTiles(figures).find((it) => it.label === label);

test('every figure of a replay says in a sentence what it is', () => {
  for (const { about } of figureTiles(figures)) expect(about).toMatch(/^[A-Z\d].*\.$/);
  expect(tile('Files changed again')?.about).toContain('named 48 of them (66%)');
  expect(tile('Would have been used')?.value).toBe('28 of 35');
  expect(tile('Asked again')?.about).toBe('No answered question came up again.');
});

test('the parts of a figure add up to it, and kinds that were never shown are left out', () => {
  const irrelevant = tile('Irrelevant');
  expect(irrelevant?.value).toBe('6 of 39');
  expect(irrelevant?.about).toBe(
    'At a start 4 of 35, as an offer 2 of 4. Of the lines at starts, 38% were used.',
  );
  expect(replayAddedText(figures)).toBe('35 texts and 4 offers');
});

test('what hooks really added is shown separately from the replay, with what is unknown about it', () => {
  const running = {
    since: '2026-01-06T10:00:00Z',
    injections: 6,
    tokens: 900,
    known: 3,
    used: 0,
    contradicted: 0,
    unhelpful: 0,
  };
  expect(runningText(running)).toMatch(
    /^Hooks added 6 texts since .*\. The sessions of 3 of them are archived: there the agent used 0 of 3, and you contradicted 0\.$/,
  );
  expect(runningText({ ...running, known: 0 })).toContain('not archived yet');
  expect(runningText({ ...running, since: null })).toBeUndefined();
});
