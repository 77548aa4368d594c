import { describe, expect, it } from 'vitest';
import type { L1Line } from '../model/l1.ts';
import { statementsOf } from './statements-of.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const session = (...parts: Part[]): L1Line[] =>
  parts.map((part, index) => ({ ts: '2026-03-01T10:00:00Z', src: index * 100, ...part }));
const user = (text: string): Part => ({ role: 'user', text });
const agent = (text: string): Part => ({ role: 'assistant', text });
const edit = (target: string): Part => ({ role: 'tool', name: 'Edit', target, diff: '-a\n+b' });
const bash = (target: string): Part => ({ role: 'tool', name: 'Bash', target });
const shown = (...parts: Part[]) => statementsOf(session(...parts)).filter(({ tier }) => tier === 'shown');
const WORK = [user('Please look at the basket page.'), agent('The basket page lists all articles.')];

describe('what words are about', () => {
  const decided = [
    ...WORK,
    user('We only add the coupon for now, because the others need a new table.'),
    edit('web/basket/coupon.ts'),
    edit('web/basket/coupon.test.ts'),
    agent('The coupon is added now instead of all discounts; the others stay as they were.'),
  ];

  it('is named by the files that were changed for them, with their place', () => {
    const found = statementsOf(session(...decided)).find(({ foundBy }) => foundBy === 'words');
    expect(found?.text).toContain('(in basket/coupon.ts, basket/coupon.test.ts) -> ');
    expect(found?.about).toEqual([
      { by: 'assistant', field: 'target', line: 4, src: 300, text: 'basket/coupon.ts' },
      { by: 'assistant', field: 'target', line: 5, src: 400, text: 'basket/coupon.test.ts' },
    ]);
  });

  it('is not said again where they name it, nor of a rule', () => {
    const named = statementsOf(
      session(
        ...WORK,
        user('Keep the coupon in coupon.ts, because the page needs it.'),
        edit('web/coupon.ts'),
        agent('The coupon stays in `coupon.ts` now.'),
      ),
    );
    const ruled = shown(
      ...WORK,
      user('From now on never round a price before the sum.'),
      edit('web/sum.ts'),
      agent('Prices are no longer rounded before the sum.'),
    );
    expect([...named, ...ruled].map(({ text }) => text).join()).not.toContain('(in ');
    expect(ruled[0]?.text).toContain('never round a price');
  });
});

describe('what is shown', () => {
  const because = 'the database keeps it for a year, because cookies are too small for it';
  const outcome = agent('The basket is now kept in `sessionTable` instead of `cookieStore`.');

  it('is a decision with its reason that was taken up', () => {
    const words = `We replace \`cookieStore\` with \`sessionTable\`: ${because}.`;
    expect(shown(...WORK, user(words), edit('src/b.ts'), outcome)[0]?.text).toContain('We replace');
  });

  it('has no marker of a keepit in its text, and its quotations are as they were typed', () => {
    const words = `We replace \`cookieStore\` with \`sessionTable\`: ##keepit0.80## ${because}.`;
    const found = shown(...WORK, user(words), edit('src/b.ts'), outcome)[0];
    expect(found?.text).toContain(`with \`sessionTable\`: ${because}`);
    expect(found?.quotes[0]?.text).toContain('##keepit0.80##');
  });

  it.each([
    `Could we replace \`cookieStore\` with \`sessionTable\`? I want it so: ${because}.`,
    `I guess we replace \`cookieStore\` with \`sessionTable\`: ${because}.`,
    `We replace the others there with \`sessionTable\`, and the last one: ${because}.`,
    `Medium severity: we replace \`cookieStore\` with \`sessionTable\`: ${because}.`,
  ])('is not what asks, guesses, points at others or was somebody’s review: %s', (words) => {
    expect(shown(...WORK, user(words), edit('src/b.ts'), outcome).map(({ text }) => text)).toEqual([]);
  });

  const fix = bash(
    "git commit -m 'fix: keep the basket when the page is opened twice\n\nThe second page wrote an empty basket over the first one, because both had the same id.'",
  );

  it('is a commit, unless the next words say that it did not help', () => {
    const fixed = (next: string) =>
      shown(
        ...WORK,
        user('The basket is empty after a while.'),
        edit('src/b.ts'),
        fix,
        agent('Committed.'),
        user(next),
      );
    expect(fixed('Thanks, now the invoice.')[0]?.text).toContain(
      'keep the basket when the page is opened twice',
    );
    expect(fixed('It is still empty.')).toEqual([]);
  });

  it('is not a commit that a later one takes back', () => {
    const back = bash(
      "git commit -m 'revert: do not keep the basket when the page is opened twice\n\nIt filled the table, so that the shop was slow.'",
    );
    const found = shown(
      ...WORK,
      user('The basket is empty after a while.'),
      edit('src/b.ts'),
      fix,
      user('Now the shop is slow.'),
      edit('src/b.ts'),
      back,
    );
    expect(found.map(({ text }) => text).join()).not.toContain('fix: keep the basket');
    expect(found.map(({ text }) => text).join()).toContain('revert: do not keep');
  });
});

describe('what is no statement at all', () => {
  it('is a list of steps that are still to be done', () => {
    const texts = (reply: string) =>
      statementsOf(session(...WORK, user('go on'), agent(reply), user('ok thanks')))
        .filter(({ foundBy }) => foundBy === 'claim')
        .map(({ text }) => text);
    const steps = texts(
      '`cart.ts` - Add a field `shopId` to `CartItem` by default; `sums.ts` - Update `sumOf()` to only read it',
    );
    expect(steps.filter((text) => text.includes('Add a field'))).toEqual([]);
    const claim = texts(
      '`cart.ts` has the field `shopId` by default and `sumOf()` cannot read it without a shop.',
    );
    expect(claim.filter((text) => text.includes('`shopId`'))).not.toEqual([]);
  });

  it('is an answer to a remark that is not here', () => {
    const note = (body: string) =>
      statementsOf(
        session(
          ...WORK,
          user('Answer the comment.'),
          bash(`gh pr comment 12 --body "${body}"`),
          agent('Sent.'),
        ),
      ).filter(({ foundBy }) => foundBy === 'note');
    expect(note('Fixed in c2b0273 - the sum of the cart is checked for nothing before it is read')).toEqual(
      [],
    );
    expect(note('The sum of the cart stays in cents because floats lose a cent now and then')).toHaveLength(
      1,
    );
  });
});
