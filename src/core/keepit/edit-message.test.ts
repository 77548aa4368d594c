import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectKeepits } from './detect.ts';
import { editMessage, withCuts } from './edit-message.ts';

function edit(text: string, content: string, weight: number | undefined): string {
  const edited = editMessage([text], { content, weight });
  if ('edit' in edited) return withCuts(text, edited.edit.cuts);
  return 'same' in edited ? text : `wrong: ${edited.wrong}`;
}

describe('editMessage', () => {
  it('changes nothing but the digits of a marker', () => {
    expect(edit('Do. ##KEEPIT0.50## Use tabs.\n\nGo on.', 'Use tabs.', 0.8)).toBe(
      'Do. ##KEEPIT0.80## Use tabs.\n\nGo on.',
    );
    expect(edit('##keepit0.50## Use tabs.', 'Use tabs.', 0.5)).toBe('##keepit0.50## Use tabs.');
  });

  it('takes a marker out with its closing mark', () => {
    expect(edit('Do. ##keepit0.50## Use tabs.\n\nGo on.', 'Use tabs.', undefined)).toBe(
      'Do. Use tabs.\n\nGo on.',
    );
    expect(edit('A ##keepit0.50##tabs##/keepit## b', 'tabs', undefined)).toBe('A tabs b');
    expect(edit('Plain.', 'Plain.', undefined)).toBe('Plain.');
  });

  it('puts a marker before words, and a closing mark if the paragraph continues', () => {
    expect(edit('Do.\n\nUse tabs.', 'Use tabs.', 1)).toBe('Do.\n\n##keepit1.00## Use tabs.');
    expect(edit('Use tabs. And sleep.', 'Use tabs.', 0.8)).toBe(
      '##keepit0.80## Use tabs.##/keepit## And sleep.',
    );
  });

  it('refuses what is not there once', () => {
    expect(edit('tabs and tabs', 'tabs', 0.8)).toContain('2 times');
    expect(edit('nothing', 'tabs', 0.8)).toContain('no longer');
    expect(edit('##keepit0.50## tabs\n\n##keepit0.80## tabs', 'tabs', 1)).toContain('marked twice');
    expect(edit('<system-reminder>tabs</system-reminder>', 'tabs', 1)).toContain('no longer');
  });

  it('refuses what would change another marker, and what code would hide', () => {
    expect(edit('##keepit0.50## One. ##keepit0.80## Two.', 'Two.', undefined)).toContain('another keepit');
    expect(edit('##keepit0.50## One and two.', 'two', 0.9)).toContain('another keepit');
    expect(edit('Run `make all` now.', 'make all', 0.9)).toContain('code');
  });

  it('whatever it does is what was wanted, and taking it out again gives the same text', () => {
    const words = fc.array(
      fc.constantFrom('one', 'two', '\n\n', ' ', 'three.', '`', '##keepit0.30## ', 'é😀', '- '),
      {
        maxLength: 14,
      },
    );
    const weight = fc.integer({ min: 0, max: 100 }).map((it) => it / 100);
    fc.assert(
      fc.property(words, fc.nat(40), fc.integer({ min: 1, max: 12 }), weight, (parts, from, length, to) => {
        const text = parts.join('');
        const content = text.slice(from, from + length).trim();
        if (content === '') return;
        const known = detectKeepits(text).some((it) => it.content === content);
        const edited = editMessage([text], { content, weight: to });
        if (!('edit' in edited)) return;
        const after = withCuts(text, edited.edit.cuts);
        expect(detectKeepits(after).filter((it) => it.content === content)).toMatchObject([{ weight: to }]);
        if (!known) expect(edit(after, content, undefined)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
