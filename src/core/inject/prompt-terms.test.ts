import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadTokenCounter } from '../text/tokens.ts';
import { type OfferRequest, offerText } from './offer.ts';
import { isName, promptKind } from './prompt-kind.ts';
import { askedBy, type Rarity } from './prompt-terms.ts';

const tokens = await loadTokenCounter();
const rarity: Rarity = (term) =>
  term.startsWith('zz') ? { lines: 0, rarity: 1 } : { lines: 3, rarity: term === 'test' ? 0.2 : 0.9 };

test('the rarest words of a prompt come first; those that memory never heard are not known', () => {
  const asked = askedBy('test the parser zzfoo', rarity);
  expect(asked.terms).toEqual(['zzfoo', 'parser', 'test']);
  expect([...asked.known.keys()]).toEqual(['parser', 'test']);
});

test.each([
  ['Why did we drop the token cache?', 'ask-past'],
  ['Which cache had the agreed limit?', 'ask-past'],
  ['I thought we wanted the token cache on disk? Is that no longer the case?', 'ask-past'],
  ['How large may a token be?', 'ask'],
  ['The page is blank again. Perhaps the token cache is stale?', 'ask-here'],
  ['Is the token cache used at all, or should we delete it?', 'ask-here'],
  ['Which port does the map server of this project use?', 'ask'],
  ['Why is this slow?', 'ask-here'],
  ['What are the best practices for testing workflows?', 'ask-here'],
  ['Can you fix the build?', 'do'],
  ['Fix the build.', 'do'],
  ['ok, and why?', 'do'],
])('%s is %s', (prompt, kind) => {
  expect(promptKind(prompt)).toBe(kind);
});

test('identifiers, paths, tickets and numbers are names; words and files of every project are not', () => {
  expect(['src/price.ts', 'ent-108', 'get_user', '4096', 'window.p5instance'].filter(isName)).toHaveLength(5);
  expect(['build', 're-run', "don't", 'readme.md', 'tasks.md', '42'].filter(isName)).toEqual([]);
});

const asked = (request: Partial<OfferRequest>): OfferRequest => ({
  exchanges: 1,
  weightOf: () => 1,
  projectName: '',
  ...request,
});

test('an offer has at most 30 tokens, whatever the prompt, and names the weightiest words in their order', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom('undo', 'layers', '"quoted"', 'royce.birnbaum@gmail.com', 'impleemtnation'),
          fc.string(),
        ),
      ),
      fc.nat(99),
      (words, count) => {
        expect(tokens(offerText(words.join(' '), asked({ exchanges: count }), tokens))).toBeLessThanOrEqual(
          30,
        );
      },
    ),
  );
  expect(
    offerText(
      'How do undo layers work?',
      asked({ exchanges: 3, weightOf: (term) => (term === 'work' ? 0 : 1) }),
      tokens,
    ),
  ).toBe('Keepsake has 3 earlier exchanges on this: recall "undo layers"');
  expect(offerText('How?', asked({}), tokens)).toBe('');
});

test('an offer needs a word that not every project uses, and of a name that memory never saw its parts do not count', () => {
  expect(offerText('Is there a new bug in the config?', asked({}), tokens)).toBe('');
  const known = (term: string) => (['discuss', 'github', 'oven'].includes(term) ? 1 : 0);
  expect(
    offerText('see github.com/a/b/discussions/77 on the oven', asked({ weightOf: known }), tokens),
  ).toContain('recall "oven"');
});

test('the name of the project says nothing of a topic', () => {
  const offer = (projectName: string) =>
    offerText('Is there a new bug in the bakery?', asked({ projectName }), tokens);
  expect(offer('Bakery.app')).toBe('');
  expect(offer('mill')).toContain('bakery');
});

test('an offer names names first, and what still fits beside one that is too long', () => {
  const rare = (term: string) => (term === 'umm' ? 1 : 0.5);
  const long = `${'crumb-crust-yeast-'.repeat(9)}oats`;
  expect(offerText(`umm, ${long} spelt malt@barley.rye ferments`, asked({ weightOf: rare }), tokens)).toBe(
    'Keepsake has 1 earlier exchange on this: recall "umm spelt malt@barley.rye ferments"',
  );
});
