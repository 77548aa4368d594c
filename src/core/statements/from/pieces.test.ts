import { expect, test } from 'vitest';
import { publishedTexts } from '../read/published-texts.ts';
import { piecesOf } from './pieces.ts';

const textsIn = (command: string) =>
  publishedTexts(command).flatMap(({ text }) => piecesOf(command, text).map((piece) => piece.text));

test('what was run to try it is left out of a text that was published', () => {
  const body =
    '## Summary\n- round prices once, at the end of the sum\n\n## Testing\n- npm run every single test of the shop\n\n## Notes\n- old invoices keep their sums';
  const found = textsIn(`gh pr create --title x --body "${body}"`).join(' ');
  expect(found).toContain('round prices once');
  expect(found).toContain('old invoices keep their sums');
  expect(found).not.toContain('every single test');
});

test('a quotation with escaped quotes in it is whole', () => {
  const [text = ''] = textsIn(
    "git commit -m $'fix: the shop\\'s prices are rounded once at the end and never before that'",
  );
  expect(text).toContain('never before that');
});

test('a line that continues with a word and a colon is no trailer', () => {
  const [text = ''] = textsIn(
    "git commit -m 'shop: the first order wins\n\nThe earlier rule, by which a later order replaced it, made orders\nnon-terminal: somebody else could replace an order of a customer.\n\nReviewed-By: somebody'",
  );
  expect(text).toContain('made orders non-terminal: somebody else could replace');
  expect(text).not.toContain('Reviewed-By');
});

test('what a form asks for is left out, and remarks of a review that were answered are a chore', () => {
  const body =
    '## Summary\n- the registry names the fork of the shop from now on\n\n## Popularity\n- the shop has 14 thousand stars and 3 thousand forks';
  expect(textsIn(`gh pr create --title x --body "${body}"`).join(' ')).not.toContain('stars');
  const features = (subject: string) => {
    const command = `git commit -m "${subject}\n\nSums are rounded once instead of twice, to avoid a wrong cent."`;
    return publishedTexts(command).flatMap(({ text }) =>
      piecesOf(command, text).flatMap((it) => [...it.features]),
    );
  };
  expect(features('fix(cart): address low severity PR feedback')).toContain('chore');
  expect(features('fix(cart): round the sums of a cart once')).not.toContain('chore');
});

test('a short subject in a language without spaces stays with its message', () => {
  const [text = ''] = textsIn(
    'git commit -m "fix(cart): 金额以分为单位保存\n\n浮点数在四舍五入时会丢钱，所以购物车现在以整数分保存所有金额，发票也使用同样的金额。"',
  );
  expect(text).toMatch(/^fix\(cart\): 金额以分为单位保存 — 浮点数/);
});
