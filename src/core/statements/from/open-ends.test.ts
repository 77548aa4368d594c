import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { segmentsOf } from '../read/segments.ts';
import { fromOpenEnds, namesRemainder } from './open-ends.ts';
import { fromTaskList } from './task-list.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const segments = (...parts: Part[]) =>
  segmentsOf(parts.map((part, index) => ({ ts: '2026-03-01T10:00:00Z', src: index * 100, ...part })));
const user = (text: string): Part => ({ role: 'user', text });
const agent = (text: string): Part => ({ role: 'assistant', text });
const tool = (name: string, target: string): Part => ({ role: 'tool', name, target });
const openEnds = (last: string) =>
  fromOpenEnds(segments(user('Please build the invoice form'), agent(last))).map(({ words }) => words.text);

describe('open ends', () => {
  it('are what the last message says is left', () => {
    const last =
      'The form is there.\n\nRemaining work:\n- Print the invoice with its tax\n- Send the invoice by mail';
    expect(openEnds(last).join()).toContain('Send the invoice by mail');
  });

  it('are neither advice nor what the agent went on to do in the same message', () => {
    expect(
      openEnds('The form is there.\n\nNext steps:\n- Try the invoice form in the shop\n- Run the shop again'),
    ).toEqual([]);
    const work =
      'The printer of the invoices is still failing with a timeout. Let me fix the printer. The invoices print now.';
    expect(openEnds(work)).toEqual([]);
  });

  it('are a question of the last message, without the report before it', () => {
    const [text = ''] = openEnds(
      "I've added the invoice form to the shop. Should invoices of closed shops be kept for ten years, or removed with the shop?",
    );
    expect(text).toMatch(/^Should invoices of closed shops/);
  });

  it('are a choice between two ways that an offer names, and steps by hand that are still to be done', () => {
    const offer =
      'Invoices without a tax are listed, too. Want me to hide those invoices, or leave them in the list?';
    expect(openEnds(offer).join()).toContain('leave them in the list?');
    const steps =
      'The form is there.\n\n**Required setup (manual steps):**\n1. Create a mail account for the invoices of the shop';
    expect(openEnds(steps).join()).toContain('Create a mail account');
    for (const polite of [
      'Want me to explain the form, or run it once more?',
      'Would you like me to build the printer or any other changes?',
    ])
      expect(openEnds(`The form is there. ${polite}`)).toEqual([]);
  });

  it.each([
    "I've created the folder of the shop and added the prompt with all its invoices. What's next?",
    'The form is built and all invoices are printed with their tax. Anything else?',
    'The page shows a mark while waiting for the answer of the bank, in its new colors and with its new title.',
    'I still need to remove the references to the old form before deleting it from the shop.',
    '| Suggestion | What became of it |\n|---|---|\n| Pass the context of the request | Deferred, no caller of the form has one |',
    'Two commits are on the branch:\n\n- `cfd9454` — the follow-ups of the review (comment and two more cases of the form)',
    'A token of the app lives for an hour and belongs to nobody, a token of yours lives for a year. Which way do you want to go?',
  ])('are not: %s', (last) => {
    expect(openEnds(last)).toEqual([]);
  });

  it('are no step that the agent is about to take', () => {
    expect(namesRemainder('The tax of foreign shops is not yet implemented.')).toBe(true);
    expect(namesRemainder('The tax is not yet implemented, so I will write it before committing.')).toBe(
      false,
    );
  });

  it('are no report that only describes what is missing', () => {
    for (const over of [
      'Pushed. The branch `tax-form` carries two commits: the tax and the follow-ups of the review.',
      'Committed as `2d495b8`. The form has an answer for all: not yet filled in shows the question.',
    ])
      expect(namesRemainder(over), over).toBe(false);
    expect(namesRemainder('The branch is pushed, the tax of foreign shops is not yet implemented.')).toBe(
      true,
    );
  });
});

describe('the list of tasks', () => {
  const list = [
    user('Build the shop'),
    tool('TaskCreate', 'Build the cart'),
    tool('TaskCreate', 'Build the form'),
    tool('TaskUpdate', '1 completed'),
  ];
  const left = (...parts: Part[]) => fromTaskList(segments(...list, ...parts)).map(({ words }) => words.text);

  it('has what is left at the end', () => {
    expect(left(agent('The cart is built.'))).toEqual(['Build the form']);
  });

  it('says nothing once it is stale', () => {
    const commit = tool('Bash', 'git commit -m "feat: the form of the shop"');
    expect(left(commit, agent('The form is built.'))).toEqual([]);
    expect(left(agent('The cart is built.'), user('And the mails?'), agent('They are sent.'))).toEqual([]);
    expect(left()).toEqual([]);
  });
});
