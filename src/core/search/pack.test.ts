import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PackedPiece, pack } from './pack.ts';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const piece = (section: string, text: string, whole?: true): PackedPiece => ({
  section,
  source: 'session 1',
  text,
  ...(whole ? { whole } : {}),
});
const sentence = (name: string, length: number) => `${name} ${'word '.repeat(length - 1)}`.trim();

describe('packing', () => {
  it('puts pieces under their headings, in order', () => {
    const packed = pack('# T', [piece('A', 'one'), piece('A', 'two'), piece('B', 'three')], 1000, words);
    expect(packed.text).toBe(
      '# T\n\n## A\n\nsession 1\n> one\n\nsession 1\n> two\n\n## B\n\nsession 1\n> three\n',
    );
    expect(packed).toMatchObject({ left: 0, tokens: words(packed.text) });
    expect(packed.included).toHaveLength(3);
  });

  it('shortens what is too long, unless it must be whole', () => {
    const long = sentence('long', 500);
    const cut = pack('# T', [piece('A', long)], 100, words);
    expect(cut.tokens).toBeGreaterThan(80);
    expect(cut.tokens).toBeLessThanOrEqual(100);
    expect(cut.text).toMatch(/word…\n$/);
    expect(pack('# T', [piece('A', long, true)], 100, words)).toMatchObject({
      text: '',
      included: [],
      left: 1,
    });
  });

  it('shortens by whole lines what is a list of items', () => {
    const items = ['one', 'two', 'three', 'four'].map((name) => `- ${sentence(name, 30)}`);
    const listed = { ...piece('A', items.join('\n')), byLine: true as const };
    const { text } = pack('# T', [listed], 90, words);
    expect(text.split('\n').filter((line) => line.startsWith('> - '))).toEqual(
      items.slice(0, 2).map((item) => `> ${item}`),
    );
    expect(text).not.toContain('…');
    // No line of which only a part fits, and no crumb before it.
    const long = { ...listed, text: `- short\n- ${sentence('long', 300)}` };
    expect(pack('# T', [long], 100, words).included).toEqual([]);
  });

  it('goes on with a later piece that still fits', () => {
    const packed = pack(
      '# T',
      [piece('A', sentence('big', 300), true), piece('A', 'small', true)],
      100,
      words,
    );
    expect(packed.text).toContain('> small');
    expect(packed).toMatchObject({ left: 1 });
  });

  it('is never over the budget, whatever counts, and keeps whole what must be', () => {
    const counters: ((text: string) => number)[] = [
      words,
      (text) => text.length,
      (text) => Math.ceil(text.length / 4),
      // More for the whole than for its parts.
      (text) => Math.ceil(text.length ** 1.2 / 8),
    ];
    const pieces = fc.array(
      fc.record({
        section: fc.constantFrom('A', 'B'),
        source: fc.constant('session 1'),
        text: fc.lorem({ maxCount: 60 }),
        whole: fc.boolean(),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        pieces,
        fc.integer({ min: 0, max: 1500 }),
        fc.constantFrom(...counters),
        (made, budget, count) => {
          const all: PackedPiece[] = made.map(({ whole, ...rest }) =>
            whole ? { ...rest, whole: true as const } : rest,
          );
          const packed = pack('# Title of it', all, budget, count);
          expect(packed.tokens).toBeLessThanOrEqual(budget);
          expect(packed.tokens).toBe(packed.text === '' ? 0 : count(packed.text));
          expect(packed.included.length + packed.left).toBe(all.length);
          for (const it of packed.included) if (it.whole) expect(packed.text).toContain(`> ${it.text}\n`);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes everything when there is room', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(texts, (made) => {
        const packed = pack(
          '# T',
          made.map((text) => piece('A', text)),
          100_000,
          words,
        );
        expect(packed.left).toBe(0);
        for (const text of made) expect(packed.text).toContain(`> ${text}\n`);
      }),
    );
  });
});
