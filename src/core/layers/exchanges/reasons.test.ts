import { describe, expect, it } from 'vitest';
import { isAbout, readableError, reasonIn } from './reasons.ts';

describe('the reason of a failure', () => {
  it('is the latest sentence that says what was wrong, without its announcement', () => {
    expect(reasonIn(['The `Reset` method expects the new format.', 'Running it again.'], '')).toBe(
      'The `Reset` method expects the new format.',
    );
    expect(reasonIn(['Let me fix the tests to check stdout instead of stderr:'], 'stderr is empty')).toBe(
      'Fix the tests to check stdout instead of stderr.',
    );
    expect(reasonIn(['I see the issue - the test needs to write `state.json` itself.'], '')).toBe(
      'The test needs to write `state.json` itself.',
    );
  });

  it.each([
    'I need to fix test files.',
    "Now let's run the full test suite to ensure we didn't break anything in `basket.ts`.",
    "My earlier change to `basket.ts` wasn't persisted.",
    'This is intentional here since these are factory functions.',
    'Is the `basket` missing something?',
    'Removed unused `addPrice()` method',
  ])('is not: %s', (sentence) => {
    expect(reasonIn([sentence], '')).toBeUndefined();
  });

  it('names two things that the error names, but for its file', () => {
    const error = 'basket.ts:#: Error return value of `client.Enqueue` is not checked (errcheck)';
    expect(isAbout('Added nolint:errcheck to the call of `client.Enqueue`', error)).toBe(true);
    expect(isAbout('The basket is complete and returns a value.', error)).toBe(false);
  });
});

describe('an error', () => {
  it('is shown without the marks in place of its numbers, and not at all if nothing is left', () => {
    expect(readableError('ui.go:#:#: cannot use price as string value')).toBe(
      'ui.go: cannot use price as string value',
    );
    expect(readableError('--- FAIL: TestBasket adds prices (#s)')).toBe('--- FAIL: TestBasket adds prices');
    expect(readableError('clean.go:#: : # cli [cli.test]')).toBe('');
    expect(readableError('expected # to be #')).toBe('expected N to be N');
  });
});
