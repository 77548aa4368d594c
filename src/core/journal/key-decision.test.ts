import { describe, expect, it } from 'vitest';
import { choosesForGood } from './key-decision.ts';

describe('words that choose for good', () => {
  it('take one way, and something came of it', () => {
    for (const words of [
      "let's use a queue instead of the table",
      "we don't need the old format, it only makes things complicated",
      'Do not draw the grid behind the legend. It should only be in the preview.',
      "As long as there is one entry point I'm fine with it. I want a single place to import.",
    ]) {
      expect(choosesForGood(words, true), words).toBe(true);
      expect(choosesForGood(words.replace(/always|never/gi, ''), false), words).toBe(false);
    }
  });

  it('need no outcome where they are said for all time', () => {
    for (const words of ["I don't want tokens of my own account in there", 'We should never mock the clock.'])
      expect(choosesForGood(words, false), words).toBe(true);
  });

  it('do not think aloud, report, ask or hold only for now', () => {
    for (const words of [
      "But also wondering: if I branch off main, then don't commit but stash.",
      'I was mistaken that it is only called once, it is called in a loop.',
      'I also changed the imports to use absolute paths instead of relative ones.',
      "let's use the archive folder for now, so that it should be a reference",
      'the idea is that it should be there on another machine',
      'please review the style section. It should be written for prompts.',
      'Should we use the queue instead of the table?',
    ])
      expect(choosesForGood(words, true), words).toBe(false);
  });

  it('do not bury one wish under a description', () => {
    const story =
      'The importer reads every file twice and the second time it is slower because the cache is cold on that machine and the disk is far away.';
    expect(choosesForGood(`${story} ${story} It should be one pass.`, true)).toBe(false);
    expect(choosesForGood('It should be one pass.', true)).toBe(true);
  });
});
