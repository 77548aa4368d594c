import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { statementsOf } from '../statements-of.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const user = (text: string): Part => ({ role: 'user', text });
const agent = (text: string): Part => ({ role: 'assistant', text });
const edit = (target: string): Part => ({ role: 'tool', name: 'Edit', target, diff: '-a\n+b' });
const solved = (...parts: Part[]) =>
  statementsOf(
    parts.map((part, index) => ({ ts: '2026-03-01T10:00:00Z', src: index * 100, ...part })),
  ).filter(({ foundBy, kind }) => foundBy === 'claim' && kind === 'solution');
const WORK = [user('Please look at the basket page.'), agent('The basket page lists all articles.')];
const REPORT = user('The basket page shows an error when a coupon is used.');
const CAUSE = 'The issue was that `applyCoupon` was called before the basket had its `currency`.';
const FIX = 'I moved the call of `applyCoupon` behind `loadBasket` in the basket page.';

describe('what was wrong', () => {
  it('is shown with the report, its cause and its fix, each as a quotation, for a review', () => {
    const [found] = solved(...WORK, REPORT, edit('web/basket.ts'), agent(`${CAUSE}\n\n${FIX}`));
    expect(found).toMatchObject({ kind: 'solution', author: 'assistant', tier: 'candidate' });
    expect(found?.text).toBe(`Reported: "${REPORT.text}" -> ${CAUSE} (in web/basket.ts) -> ${FIX}`);
    expect(found?.quotes.map(({ by, text }) => `${by}: ${text}`)).toEqual([
      `user: ${REPORT.text}`,
      `assistant: ${CAUSE}`,
      `assistant: ${FIX}`,
    ]);
  });

  it('is not shown without a fix, as a guess, or if the next words say that nothing changed', () => {
    expect(solved(...WORK, REPORT, agent(CAUSE))).toEqual([]);
    expect(
      solved(...WORK, REPORT, agent(`${CAUSE.replace('was that', 'was probably that')} ${FIX}`)),
    ).toEqual([]);
    expect(solved(...WORK, REPORT, agent(`${CAUSE} ${FIX}`), user('It still shows the same error.'))).toEqual(
      [],
    );
  });

  it('found in the middle of the work needs a fix that the last message reports', () => {
    const found = CAUSE.replace('was that', 'is that');
    const solutions = solved(...WORK, REPORT, agent(found), edit('web/basket.ts'), agent(FIX));
    expect(solutions[0]?.text).toContain(found);
    expect(
      solved(...WORK, REPORT, agent(found), agent('The page now shows all coupons instead of one.')),
    ).toEqual([]);
  });
});
