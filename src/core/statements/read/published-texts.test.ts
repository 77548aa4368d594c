import { expect, it } from 'vitest';
import { publishedTexts } from './published-texts.ts';

it.each([
  ['gh api "repos/shop/cart/pulls/112/comments?per_page=100&sort=created&direction=desc"'],
  ['git rebase main --exec "git commit --amend --no-edit --author=\'Ada Lovelace <ada@shop.example>\'"'],
])('a path or a command inside of a command is no text: %s', (command) => {
  expect(publishedTexts(command)).toEqual([]);
});

it('the text of an issue is one', () => {
  const command =
    'gh issue create --body "Prices of the cart are kept in cents, since floats lose a cent now and then"';
  expect(publishedTexts(command).map(({ shown }) => shown)).toHaveLength(1);
});
