import { expect, it } from 'vitest';
import type { Candidate } from './candidate.ts';
import { publishedTexts } from './published-texts.ts';
import { readerCues } from './reader-cues.ts';

function said(words: string, outcome?: string): Candidate {
  return {
    foundBy: 'words',
    label: '',
    words: { text: words, quotes: [] },
    ...(outcome ? { outcome: { text: outcome, quotes: [] } } : {}),
  } as unknown as Candidate;
}

it('words and outcome have their own cues, and what they share is counted', () => {
  const cues = readerCues(
    said('We never store prices as floats', 'Prices and floats no longer mix, cents are stored now.'),
    'u',
  );
  expect(cues).toEqual(
    expect.arrayContaining(['k:uw:we', 'k:uw:never', 'k:uo:now', 'k:uo:instead', 'k:u:shares2']),
  );
  expect(cues).not.toContain('k:uw:now');
  expect(cues).not.toContain('k:uo:we');
  expect(cues).not.toContain('k:u:shares5');
});

it('a question and an order of the day are told from what was decided', () => {
  expect(readerCues(said('Which sums are in the invoice?'), 'u')).toEqual(
    expect.arrayContaining(['k:uw:asks', 'k:u:ends?']),
  );
  expect(readerCues(said('please commit this'), 'u')).toEqual(
    expect.arrayContaining(['k:uw:please', 'k:uw:process', 'k:uw:points']),
  );
});

it('cues of the agent are not those of the user', () => {
  expect(readerCues(said('The cart is split because of taxes'), 'c')).toContain('k:cw:why');
  expect(
    readerCues(said('The cart is split because of taxes'), 'c').every((name) => name.startsWith('k:c')),
  ).toBe(true);
});

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
