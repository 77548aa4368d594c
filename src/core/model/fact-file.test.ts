import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FactFile } from './fact.ts';
import { enginesInHead, FACTS_END, factsInOrder, ruleFileShape, rulesInHead } from './fact-file.ts';
import { parseStored } from './parse-stored.ts';

const none = fc.array(fc.constant<never>(undefined as never), { maxLength: 0 });
const fact = {
  id: fc.string(),
  source: fc.constantFrom('user' as const, 'assistant' as const),
  confidence: fc.nat(),
  contradictions: fc.nat(),
  last_validated: fc.string(),
  validatedByUser: fc.boolean(),
  sources: none,
  against: none,
};
/** Texts that look as the file itself does. */
const content = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constant(',\n  "solutions": ['),
  fc.constant('\n}\n'),
  fc.constant('\n    "type": "preference"'),
  fc.constant('\n   }'),
);
const facts: fc.Arbitrary<FactFile> = fc.record(
  {
    engine: fc.nat(),
    refined: fc.nat(),
    keywords: fc.record({ solutions: fc.array(fc.string()) }),
    permanent: fc.record({
      rules: fc.array(fc.record({ ...fact, content })),
      solutions: none,
      core_logic: none,
      semantic: fc.array(
        fc.record({
          ...fact,
          type: fc.constantFrom('preference' as const, 'decision' as const),
          content,
          extractedAt: fc.string(),
          replaced: fc.array(fc.record({ was: content, by: content, type: fc.constant('preference') })),
        }),
      ),
    }),
    candidates: none,
    reviews: fc.array(fc.record({ id: fc.string(), contradictions: fc.nat(), since: fc.string() })),
    stats: fc.constant({ total_exchanges: 0, total_concepts: 0, last_updated: '' }),
  },
  { requiredKeys: ['engine', 'keywords', 'permanent', 'candidates', 'reviews', 'stats'] },
);
const stored = (of: FactFile) => `${JSON.stringify(factsInOrder(of), null, 1)}\n`;

describe('the beginning of the stored facts', () => {
  test('holds all that hooks read, whatever the texts are', () => {
    fc.assert(
      fc.property(facts, (of) => {
        const text = stored(of);
        const head = rulesInHead(text.slice(0, text.indexOf('"candidates"')));
        const { engine, refined, reviews, permanent } = JSON.parse(text);
        const { rules } = permanent;
        const semantic = permanent.semantic.filter(({ type }: { type: string }) => type === 'preference');
        const value = { engine, refined, reviews, permanent: { rules, semantic } };
        expect(parseStored(head ?? '', ruleFileShape)).toEqual({ state: 'read', value });
        expect(text.endsWith(FACTS_END)).toBe(true);
      }),
    );
  });

  test('is not enough where it ends before, or is in another order', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (of, cut) => {
        const text = stored(of);
        const before = text.indexOf(',\n  "solutions": [');
        expect(rulesInHead(text.slice(0, Math.min(cut, before)))).toBeUndefined();
        const { permanent, ...others } = of;
        const { solutions, ...more } = permanent;
        const other = JSON.stringify({ ...others, permanent: { solutions, ...more } }, null, 1);
        expect(rulesInHead(other)).toBeUndefined();
      }),
    );
  });

  test('says by which engines they were made', () => {
    fc.assert(
      fc.property(facts, (of) => {
        const { engine, refined } = of;
        const found = enginesInHead(stored(of).slice(0, 64));
        expect(found).toEqual(refined === undefined ? undefined : { engine, refined });
      }),
    );
  });

  test('holds the same facts as before', () => {
    fc.assert(
      fc.property(facts, (of) => {
        expect(factsInOrder(of)).toEqual(of);
      }),
    );
  });
});
