import { describe, expect, it } from 'vitest';
import { decides } from './decides.ts';
import { saidSort } from './said-sort.ts';

describe('the sort of what the user says', () => {
  it.each([
    ['decides', 'Keep the invoices in one table instead of one for each shop.'],
    ['builds', 'Can you incorporate the tax rules into the checkout form of the shop?'],
    ['asks', 'What do the invoices of the last year look like in the export?'],
    ['orders', "Let's pick up where we left off with the invoices in the plan."],
    ['orders', 'Create a plan for the invoices in docs/plans, I want to be sure that nothing is missing.'],
    ['orders', 'Update the plan files to note which invoices no longer need to be printed.'],
    ['orders', 'Without making any changes, please report on the invoices and what you would not keep.'],
    ['orders', 'If so, can you validate that both invoices are right and not only one of them?'],
    ['orders', "Don't worry about linting the invoices for now, just continue."],
    ['reports', "I don't quite like the new invoice, it hides the sum of the taxes."],
    ['dangles', 'not that one'],
    ['pasted', 'On branch main, modified:   src/cart.ts and other invoices'],
  ])('%s: %s', (sort, words) => {
    expect(saidSort(words)).toBe(sort);
  });

  it('a guess at what is wrong reports', () => {
    expect(saidSort('i think the issue is that we deploy the wrong shop to the staging host')).toBe(
      'reports',
    );
  });

  it('a task with one bound in passing orders', () => {
    const task =
      'Prices should align. Please locate where the invoice rounds its sums and report back to me. Do not take any actions beyond reading.';
    expect(saidSort(task)).toBe('orders');
    expect(saidSort(`${task} Never round prices before the last sum.`)).toBe('decides');
  });

  it('a way that the user wants weighed is a question', () => {
    const words = 'Rather than a second host... could we only use one host for both shops? why or why not?';
    expect(saidSort(words)).toBe('asks');
    expect(saidSort('Could we only use one host for both shops? The second costs too much.')).toBe('decides');
  });

  it('a question in brackets is part of its sentence', () => {
    expect(
      saidSort('can we maybe add a hint to the list (can you find better words?) or "(not there yet)"'),
    ).toBe('asks');
  });

  it('an order of the day is no decision of a page', () => {
    expect(decides("Let's pick up where we left off and only do the next two invoices today", '')).toBe(
      false,
    );
    expect(decides("Let's store invoices in one table instead of one for each shop", '')).toBe(true);
  });
});
