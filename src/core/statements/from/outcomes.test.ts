import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import type { Candidate } from '../candidate.ts';
import { worthFeatures } from '../choose/worth-features.ts';
import { unitsOf } from '../read/units.ts';
import { statementsOf } from '../statements-of.ts';

type Part = Partial<L1Line> & Pick<L1Line, 'role'>;
const session = (...parts: Part[]): L1Line[] =>
  parts.map((part, index) => ({ ts: '2026-03-01T10:00:00Z', src: index * 100, ...part }));
const user = (text: string): Part => ({ role: 'user', text });
const agent = (text: string): Part => ({ role: 'assistant', text });
const edit: Part = { role: 'tool', name: 'Edit', target: 'src/cart.ts', diff: '-a\n+b' };
const ASK = 'Split the sums of the cart by shop instead of guessing them, because we have the data.';
const said = (lines: L1Line[]) => statementsOf(lines).find(({ author }) => author === 'user')?.text ?? '';

describe('what came of words', () => {
  it('is not what was wrong before the last edit', () => {
    const text = said(
      session(
        user(ASK),
        agent("The test of the cart doesn't have sums by shop, so the split can't find the shop of an item."),
        edit,
        agent('The cart now splits its sums by shop with `sumsByShop`.'),
      ),
    );
    expect(text).toContain('sumsByShop');
    expect(text).not.toContain("doesn't have");
  });

  it('is no refusal of a tool', () => {
    expect(
      said(session(user(ASK), agent('Cannot edit files blocked by the ignore list of the cart'))),
    ).not.toContain('Cannot edit');
  });

  it('is not how something ought to be', () => {
    const text = said(
      session(
        user(ASK),
        edit,
        agent('The reader of the cart has sums of its own but should be using `sumsByShop` of the shop.'),
      ),
    );
    expect(text).not.toContain('should be using');
  });

  it.each([
    'Once you add the data of the shop to `cart.json`, the cart has its sums by shop instead of guesses.',
    "The sums of the cart are being built now, and I'll split them by shop in `sumsByShop` after that.",
    'Those are still sums of the whole cart with their own rows for each shop of the data.',
  ])('is nothing that comes later, or of which one does not know what it is: %s', (report) => {
    expect(said(session(user(ASK), edit, agent(report)))).not.toContain(report.slice(0, 30));
  });

  it('is no report that only says the words again', () => {
    const text = said(
      session(
        user(ASK),
        edit,
        agent("I've added comprehensive documentation of the sums of the cart by shop."),
      ),
    );
    expect(text).not.toContain('comprehensive');
  });
});

it('an item of a list within a list has the item that it belongs to', () => {
  const [, inner] = unitsOf('1. Changed `--full`\n   - Shows the whole cart of the shop');
  expect(inner?.lead?.text).toBe('Changed `--full`');
});

it('words whose subject is elsewhere point back', () => {
  const features = (text: string) =>
    worthFeatures({
      foundBy: 'words',
      words: { text, quotes: [] },
    } as unknown as Candidate);
  expect(features('This field is needed for the sums of the cart.')).toContain('w:pointsBack');
  expect(features('They must be kept for ten years.')).toContain('w:pointsBack');
  expect(features('This project keeps prices in cents.')).not.toContain('w:pointsBack');
  expect(features('Invoices must be kept for ten years.')).not.toContain('w:pointsBack');
  expect(features('Do not show the name of the customer as well.')).toContain('w:goesOn');
  expect(features('Do not show the name of the customer.')).not.toContain('w:goesOn');
  expect(features('Invoices must be kept for ten years.')).toEqual(
    expect.arrayContaining(['w:bound', 'w:few', 'w:alone']),
  );
});

it('lines of a commit that were broken for their length are quoted as they are in the original', () => {
  const command =
    'git commit -m "feat(cart): split the sums by shop\n\nThe cart guessed the shop of an item by its price, which was\nwrong for every discount, so it now reads the shop of the item.\n- Invoices use the same sums as the cart"';
  const lines = session(user('Please commit it'), { role: 'tool', name: 'Bash', target: command });
  const commits = statementsOf(lines).filter(({ foundBy }) => foundBy === 'commit');
  expect(commits[0]?.text).toContain('by its price, which was wrong for every discount');
  for (const { text, src, field, line } of commits.flatMap(({ quotes }) => quotes)) {
    const original = lines[line - 1]!;
    expect(original.src).toBe(src);
    expect(field).toBe('target');
    expect(original.target).toContain(text);
  }
});
