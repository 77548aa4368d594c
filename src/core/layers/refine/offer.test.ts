import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo, offerIn } from './offer.ts';

const LIST = [
  'There are three ways to store the cursor.',
  '',
  '1. **In the URL**: it can be shared, and the back button works',
  '2. **In local storage**: it survives a reload',
  '3. In memory only',
  '',
  'Which one do you prefer?',
].join('\n');
const LETTERS =
  'Two ways:\n\n**Option A: Rewrite the parser** - slow, clean\n\n**Option B: Patch it** - quick\n';

function answer(message: string, words: string) {
  const offer = offerIn(message);
  return offer && answerTo(offer, words);
}

describe('what short words answer', () => {
  test.each([
    ['2', '2: In local storage: it survives a reload'],
    ['option 2', '2: In local storage: it survives a reload'],
    ['Option 2 please', '2: In local storage: it survives a reload'],
    ["let's go with option 3, but keep the key short", '3: In memory only'],
    ['I prefer #1', '1: In the URL: it can be shared, and the back button works'],
    ['2)', '2: In local storage: it survives a reload'],
    ['1 and 3', '1: In the URL: it can be shared, and the back button works; 3: In memory only'],
    ['number 3.', '3: In memory only'],
    ['go for 2-3', '2: In local storage: it survives a reload; 3: In memory only'],
    ['2. but without the key', '2: In local storage: it survives a reload'],
    ['can you do option 2?', '2: In local storage: it survives a reload'],
    ["Let's go with option 2. What would that look like?", '2: In local storage: it survives a reload'],
    ['Option 2 seems best', '2: In local storage: it survives a reload'],
    ['2, no wait, 3', '3: In memory only'],
    ['1... actually 3', '3: In memory only'],
    ['option 1, sorry, I meant option 2', '2: In local storage: it survives a reload'],
    ['2? no, 3', '3: In memory only'],
    ['1, or rather not 1 but 2', '2: In local storage: it survives a reload'],
    ['hmm, 2', '2: In local storage: it survives a reload'],
    ['no, 3', '3: In memory only'],
    ['the second one', '2: In local storage: it survives a reload'],
    ['the last one, please', '3: In memory only'],
    [
      'all of them',
      '1: In the URL: it can be shared, and the back button works; 2: In local storage: it survives a reload; 3: In memory only',
    ],
  ])('%s', (words, choice) => {
    expect(answer(LIST, words)).toEqual({ asked: 'Which one do you prefer?', choice });
  });

  test.each([
    ['B', 'B: Patch it - quick'],
    ['b)', 'B: Patch it - quick'],
    ['I think A) is fine, let us add it', 'A: Rewrite the parser - slow, clean'],
    ["I think B), let's start with the prompts", 'B: Patch it - quick'],
    ['B) update this branch first', 'B: Patch it - quick'],
    ['approach A', 'A: Rewrite the parser - slow, clean'],
    ['ok, do B, the deadline is on Friday', 'B: Patch it - quick'],
  ])('%s, by letter', (words, choice) => {
    expect(answer(LETTERS, words)).toEqual({ asked: 'Two ways:', choice });
  });

  test.each(['2, no wait', '2? hmm, no', 'the first thing is the port', 'both fail on my machine'])(
    '%s chooses nothing',
    (words) => {
      expect(answer(LIST, words)).toBeUndefined();
    },
  );

  test.each(['yes', 'Yes, please.', 'ok go ahead', 'no', 'sure, do it', 'ja', '好的', 'да', 'nope'])(
    '%s answers the last question',
    (words) => {
      expect(answer('The tests pass. Should I also update the changelog?', words)).toEqual({
        asked: 'Should I also update the changelog?',
      });
    },
  );

  test.each([
    '2 tests fail on CI',
    'A few things are wrong here',
    'a new file, please',
    '1 more thing: the footer is gone',
    'Use 2 spaces',
    'do 3 commits',
    'yes but the parser is wrong, look at line 12',
    'no, the other file',
    'option 7',
    "Option 1 doesn't work, the hash changes",
    'option 2 seems too complicated',
    'for option 3: what about tabs?',
    '1. keep both\n2. no\n3. yes',
    '1: 8080, 2: root, 3: no',
    'option 1 or 2?',
    'option 2: how long would it take?',
    'Option 1 is what I do not want',
    'options 1 and 2 are both bad',
    'option 2 fails on CI',
    '1. the button is still wrong',
    '2 - 8080',
    '1.5x faster, please',
    '1:30 pm works',
    '2-3 days',
    'B-tree is broken',
    'B: drive is full',
    '1) still broken',
    'a) the lexer b) the parser',
    'I can see 2 of them',
    'e.g. like in the header',
    'Fix the footer',
    '',
  ])('%s says something of its own', (words) => {
    expect(answer(LIST, words)).toBeUndefined();
    expect(answer(LETTERS, words)).toBeUndefined();
  });

  test('a report without a question or a list asks nothing, and code is no list', () => {
    expect(offerIn('Done. The parser is fixed and all tests pass.')).toBeUndefined();
    expect(offerIn('Done:\n```\n1. one\n2. two\n```\nAll is well.')).toBeUndefined();
    expect(answer('I changed two files:\n1. a.ts\n2. b.ts', 'yes')).toBeUndefined();
  });

  test('a long message that is cut inside of code is read as it was meant', () => {
    const code = `\`\`\`\n${'log: what? 1. it is\n'.repeat(400)}\`\`\`\n`;
    expect(answer(`Look:\n${code}Should I fix it?`, 'yes')).toEqual({ asked: 'Should I fix it?' });
    expect(offerIn(`Look:\n${code}Fixed.`)).toBeUndefined();
  });

  test('steps below an option are no options', () => {
    const message =
      '### Option 1: By hand\n1. Open the console\n2. Click\n### Option 2: By script\n1. Run it\n\nWhich?';
    expect(answer(message, 'option 1')).toEqual({ asked: 'Which?', choice: '1: By hand' });
    expect(answer(message, '2')).toEqual({ asked: 'Which?', choice: '2: By script' });
  });

  test.each([
    ['2, no wait, 1', '1: by hand'],
    ['2. On second thought, 1', '1: by hand'],
    ['2, I changed my mind: 1', '1: by hand'],
    ['2 forget that, 1', '1: by hand'],
    ['2 oops 1', '1: by hand'],
    ['1, not 2', '1: by hand'],
    ['option 2, but with 1 retry', '2: by script'],
    ['2, or 1?', undefined],
    ['2, no wait', undefined],
  ])('%s is %s', (words, choice) => {
    const message = 'Two ways:\n1. by hand\n2. by script\n\nWhich?';
    expect(answer(message, words)?.choice).toBe(choice);
  });

  test('the last list is the one that is meant', () => {
    const message = `Done:\n1. the parser\n2. the tests\n\nNext I could:\n1. write docs\n2. release it`;
    expect(answer(message, '2')).toEqual({ asked: 'Next I could:', choice: '2: release it' });
  });

  test('whatever is said, an answer is in the words of the message', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 40 }), (message, words) => {
        const found = answer(`${message}\n1. one\n2. two\nWhich?`, words);
        if (found) expect(['1: one', '2: two', '1: one; 2: two', undefined]).toContain(found.choice);
      }),
    );
  });

  test('long texts take time by their length only', () => {
    for (const piece of ['1 and ', 'yes, ', '1. ', '? ', '#', 'option ', '\n2', 'ok, '])
      answer(`${piece.repeat(20_000)}?`, piece.repeat(60));
  });
});
