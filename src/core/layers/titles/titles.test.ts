import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { askFragment } from './ask-fragment.ts';
import { chooseTitle } from './choose-title.ts';
import { exchangeLine } from './exchange-line.ts';
import { cutTitle, fitTitle, LONGEST_WHOLE_TITLE } from './fit-title.ts';
import { newTitleNotes, noteTitleLine } from './title-notes.ts';

let src = 0;
const line = (fields: Partial<L1Line>): L1Line => ({ ts: '', role: 'user', src: src++, ...fields });
const you = (text: string, more: Partial<L1Line> = {}) => line({ text, ...more });
const agent = (text: string) => line({ role: 'assistant', text });
const bash = (target: string) => line({ role: 'tool', name: 'Bash', target });
const edit = (target: string) => line({ role: 'tool', name: 'Edit', target });

function titleOf(...lines: L1Line[]): string | undefined {
  const notes = newTitleNotes();
  for (const it of lines) noteTitleLine(notes, it);
  return chooseTitle(notes, {});
}

describe('the words of an ask', () => {
  test.each([
    ['ok so can you please round the basket total half up?', 'Round the basket total half up'],
    [
      'hey Claude, I would like to split the checkout into three steps',
      'Split the checkout into three steps',
    ],
    ['No line of the invoice is printed twice', 'No line of the invoice is printed twice'],
    ['no, use the ledger for refunds', 'Use the ledger for refunds'],
    ['do we not need these flags anymore?', 'Do we not need these flags anymore?'],
    [
      'After the move of the shop server, print the invoices on both sides',
      'Print the invoices on both sides',
    ],
    [
      'Rather than adding another oven for the night... could we use the large one for both shifts?',
      'Use the large one for both shifts',
    ],
    ["We changed the tax table and then let's work on printing the invoices", 'Printing the invoices'],
    ['Take a look at the @tasks.md list and review', 'Take a look at the @tasks.md list and review'],
    [
      "I'd like your help planning a new feature. The goal of this feature is to print invoices at night.",
      'Print invoices at night',
    ],
    ["Create a new git branch that's focused on printing invoices at night", 'Printing invoices at night'],
    [
      'Invert that basket flag. It is --no-basket now, by default false.',
      'Invert that basket flag - It is --no-basket now, by default false',
    ],
    ['Next page of the catalog is empty', 'Next page of the catalog is empty'],
    ['The button in [Image #1] is off by a pixel.', 'The button in the image is off by a pixel'],
    ['[Image #1] fix the button of the basket', 'Fix the button of the basket'],
    ['1- make the download button blue like the others', 'Make the download button blue like the others'],
    [
      'investigate https://example.com/acme/shop/issues/12 in the oven controller',
      'Investigate issue #12 in the oven controller',
    ],
    ['Why does the oven timer stop at night?', 'Why does the oven timer stop at night?'],
  ])('%s', (ask, title) => {
    expect(askFragment(ask)?.text).toBe(title);
  });

  test.each([
    'go on',
    'commit, push',
    'yes please',
    'do both',
    'hi',
    'option 2',
    'thanks!',
    '/home/x/a/b.png',
  ])('%s says nothing', (ask) => {
    expect(askFragment(ask)).toBeUndefined();
  });

  test('a request precedes explanations and pasted text', () => {
    const ask = [
      'The controller was rewritten in March.',
      'Can you find why the oven timer stops?',
      'Firmware version: Oven OS 12.4 build 991 of the kitchen controller',
      '2026-01-01 12:00:00 ERROR timer stopped unexpectedly in the oven controller',
    ].join('\n');
    expect(askFragment(ask)?.text).toBe('Find why the oven timer stops');
  });
});

describe('the title of a session', () => {
  test('is never a command, a greeting or "go on"', () => {
    const asked = you('Add a dark theme to the settings view');
    expect(titleOf(you('hello'), asked, agent('Added it.'), you('commit'), you('go on'))).toBe(
      'Add a dark theme to the settings view',
    );
  });

  test('is the commit that says what it was about, without its prefix', () => {
    const commit = bash('git commit -m "fix(basket): round the total half up before tax is added"');
    expect(titleOf(you('look at this'), edit('basket.ts'), commit)).toBe(
      'Round the total half up before tax is added',
    );
  });

  test('is the heading of a plan that was handed in', () => {
    const plan = you(
      'Implement the following plan:\n\n# Plan: Versioned basket records\n\n## Context\nMore.',
    );
    expect(titleOf(plan, edit('basket.ts'))).toBe('Versioned basket records');
    expect(titleOf(plan, bash('git commit -m "Add the record reader"'))).toBe(
      'Versioned basket records - Add the record reader',
    );
  });

  test('is the first ask as far as there is room, whatever was committed or asked later', () => {
    const asked = you(
      'Hi! Could you please print the invoices of the shop at night? Only those over 100 euros, sorted by customer and month.',
    );
    const commit = bash('git commit -m "fix(printer): wait for the warehouse label queue"');
    const later = you('Rewrite the tax table of the warehouse from scratch in the ledger format');
    expect(titleOf(asked, agent('Done.'), later, edit('tax.ts'), edit('tax.ts'), commit)).toBe(
      'Print the invoices of the shop at night. Only those over 100 euros, sorted by customer and month',
    );
  });

  test('of an ask that says little has the commit, what was done, or the ask that most was done for', () => {
    const asked = you('we need to fix some merge conflicts');
    const done = agent('Merged the invoice branch and kept both tax tables.');
    expect(titleOf(asked, bash('git commit -m "Keep both tax tables"'), done)).toBe(
      'Fix some merge conflicts - Keep both tax tables',
    );
    expect(titleOf(asked, edit('tax.ts'), done)).toBe(
      'Fix some merge conflicts - Merged the invoice branch and kept both tax tables',
    );
    const later = you('The oven timer stops at midnight in summer');
    expect(titleOf(asked, agent('Which ones?'), later, edit('oven.ts'))).toBe(
      'Fix some merge conflicts - The oven timer stops at midnight in summer',
    );
    const long = you("I opened a PR and there's some feedback to address:");
    expect(titleOf(long, agent('Which?'), later, edit('oven.ts'))).toBe(
      'The oven timer stops at midnight in summer',
    );
  });

  test('begins with a paste for no session', () => {
    const paste = you('➜ shop git:(main) ✗ git push\nerror: no tests found\nRun npm test first in the shop');
    const next = you('Print the invoices of the shop at night');
    expect(titleOf(paste, agent('Pushed.'), next)).toBe('Print the invoices of the shop at night');
  });

  test('continues where a terminal broke the line', () => {
    expect(titleOf(you('Can you install          \n  the invoice printer for testing?'))).toBe(
      'Install the invoice printer for testing',
    );
  });

  test('has a command as words, with the words after it', () => {
    const review = you('https://example.com/acme/shop/pull/12', { command: '/team:review' });
    expect(titleOf(review, agent('Fixed the oven timer that stopped at night.'))).toBe(
      'Review: PR #12 - Fixed the oven timer that stopped at night',
    );
  });

  test('of a number says what came of it, too', () => {
    const notes = titleOf(you('investigate PR #4711'), agent('Fixed the oven timer that stopped at night.'));
    expect(notes).toBe('Investigate PR #4711 - Fixed the oven timer that stopped at night');
  });
});

describe('an exchange in one line', () => {
  test('has the ask and the last commit, else what the agent says was done', () => {
    const commit = bash('git commit -m "feat: stop the timer at midnight only"');
    expect(
      exchangeLine('Why does the oven timer stop?', { lines: [commit], closing: 'All done.' }, 160),
    ).toBe('Why does the oven timer stop? - Stop the timer at midnight only');
    expect(
      exchangeLine(
        'please fix the oven timer',
        { lines: [], closing: 'Great question! I fixed the timer that stopped at night. Anything else?' },
        160,
      ),
    ).toBe('Fix the oven timer - Fixed the timer that stopped at night');
    expect(exchangeLine('go on', { lines: [], closing: '' }, 160)).toBe('Go on');
    expect(exchangeLine('do it', { lines: [], closing: 'The oven has a second door.' }, 160)).toBe(
      'Do it - The oven has a second door',
    );
    expect(exchangeLine('me@shop:~/oven$ bake --all\nno oven found', { lines: [], closing: '' }, 160)).toBe(
      'Bake --all',
    );
    const issue = { ...commit, name: 'mcp__tracker__create_issue' };
    expect(exchangeLine('log an issue for the oven timer', { lines: [issue], closing: '' }, 160)).toBe(
      'Log an issue for the oven timer',
    );
    const ask = 'Make the oven timer survive a power cut';
    const line = (closing: string) => exchangeLine(ask, { lines: [], closing }, 160);
    expect(line('A battery would keep the timer going.')).toBe(ask);
    expect(line('The kitchen has three ovens.')).toBe(ask);
    expect(line('If the battery is empty, the timer was reset.')).toBe(ask);
    expect(line('You raise a good point. I apologize for the oven.')).toBe(ask);
    expect(line('- Added a second battery, or\n- Removed the timer, or')).toBe(ask);
    expect(line('The changes:\n- clock.ts: added a battery-backed clock')).toBe(
      `${ask} - clock.ts: added a battery-backed clock`,
    );
    expect(line('The timer is now kept in the battery-backed clock.')).toBe(
      `${ask} - The timer is now kept in the battery-backed clock`,
    );
  });
});

describe('a long ask', () => {
  test.each([
    [
      'Run the tests to be sure that this does not break anything, or check if there are other places where the timer is set up',
      'Run the tests to be sure that this does not break anything',
    ],
    [
      "Likewise, let's also make it clear that speed and ease of baking is another factor that the baker can control at any time",
      /^Likewise, let's also make it clear that speed and ease of baking is another factor/,
    ],
    [
      'I see that the oven of the shop has a "timer as code" option. Would it make sense to make use of that for all ovens?',
      'I see that the oven of the shop has a "timer as code" option',
    ],
    [
      'The recipes need to be updated to match the new table of weights and measures; 2. Names of the flours in all languages of the shop',
      'The recipes need to be updated to match the new table of weights and measures',
    ],
  ])('is not cut behind the first words of a further part: %s', (ask, line) => {
    expect(exchangeLine(ask, { lines: [], closing: '' }, 160)).toMatch(line);
    expect(exchangeLine(ask, { lines: [], closing: '' }, 160)).not.toMatch(
      /(?:or check|clear that speed|; 2)$/,
    );
  });
});

describe('an exchange that a short answer began', () => {
  const titled = (asked: string, text: string, choice?: string, closing = '') => {
    const first = you(text, { asked, ...(choice ? { choice } : {}) });
    return exchangeLine(`${text} (to: ${asked})`, { lines: [first], closing }, 160);
  };

  test('is named after what was offered, chosen or asked', () => {
    expect(titled('Should I fix the oven timer?', 'yes')).toBe('Fix the oven timer');
    expect(titled('Do you want me to add tests for the oven timer?', 'ok')).toBe(
      'Add tests for the oven timer',
    );
    expect(titled('Which oven?', 'B', 'B: the oven in the back of the shop')).toBe(
      'The oven in the back of the shop',
    );
    expect(titled('Does the plan of the oven timer hold?', 'yes')).toBe(
      'Does the plan of the oven timer hold?',
    );
    expect(titled('Should I delete the oven timer?', 'no')).toBe('Delete the oven timer (declined)');
    expect(titled('Should I do it?', 'yes', undefined, 'Fixed the oven timer.')).toBe('Fixed the oven timer');
  });
});

describe('a title that is cut', () => {
  test.each([
    [
      'Print the invoices of the shop at night when the warehouse has sent all labels of the day',
      'Print the invoices of the shop at night',
    ],
    [
      'Rename the basket reader to basket parser because the invoice printer has a reader of its own, too',
      'Rename the basket reader to basket parser',
    ],
    [
      'Move the tax tables of all warehouses and shops into the ledger format of the accounting office',
      'Move the tax tables of all warehouses and shops into the ledger format of the accounting office',
    ],
    [
      'Support bread and cake registries of all shops. The use case I had in mind is a wedding of two bakers',
      'Support bread and cake registries of all shops',
    ],
    // No clause ends before: the sentence itself does.
    [
      'Rename every invoice template that still names the shop of the old owner and of the old town',
      'Rename every invoice template that still names the shop of the old owner and of the old town',
    ],
    [
      'Spawn an oven timer that keeps the warehouse clerk updated every quarter hour of the working day',
      'Spawn an oven timer that keeps the warehouse clerk updated every quarter hour of the working day',
    ],
    // What must come first is not the whole: the main clause stands behind it.
    [
      'When the oven of the shop is switched off at night, the timer should ring, but only if the bread is still in it',
      'When the oven of the shop is switched off at night, the timer should ring',
    ],
    // The next item of a list is no clause.
    [
      'Print bread labels, cake labels, wedding labels of both shops, invoices, tax tables and all letters of the month and of the year in one go',
      /^Print bread labels, cake labels, wedding labels.*…$/,
    ],
    // Nothing ends before it gets too long: then one sees that something is missing.
    [
      `Write me a wonderful basket rule that prevents ${'the very same rotten apple '.repeat(6)}`,
      'Write me a wonderful basket rule that prevents the very same rotten apple the very same rotten apple the very same rotten…',
    ],
  ])('ends with a clause: %s', (text, title) => {
    if (typeof title === 'string') expect(cutTitle(text)).toBe(title);
    else expect(cutTitle(text)).toMatch(title);
  });
});

test('a title is short, on one line and whole, whatever is said', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 120 }), { maxLength: 6 }), (texts) => {
      const title = titleOf(...texts.map((text) => you(text))) ?? '';
      expect(title.length).toBeLessThanOrEqual(LONGEST_WHOLE_TITLE + 1);
      expect(title).not.toMatch(/[\n\r]/);
      expect(title.isWellFormed()).toBe(texts.every((it) => it.isWellFormed()) || title.isWellFormed());
      expect(fitTitle(title).text.length).toBeLessThanOrEqual(LONGEST_WHOLE_TITLE + 1);
    }),
  );
});

describe('a question on the way', () => {
  test('names no session that was begun for something else', () => {
    expect(
      titleOf(
        you('Print the invoices of the shop at night.'),
        agent('They are printed at two in the morning.'),
        you('Is the playful invoice printer compatible with the warehouse label format of last year?'),
        agent(`Yes. ${'It reads the labels of last year as well. '.repeat(8)}`),
      ),
    ).toBe('Print the invoices of the shop at night');
  });
});
