import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harmless, inLine, lineContent, quote, shortened, speakerOf } from './recall-text.ts';

describe('recalled text', () => {
  it('is a block quote on every line', () => {
    expect(quote('one\r\n\r\n\r\n\r\ntwo  \n```\n# no heading')).toBe(
      '> one\n>\n> two\n> ```\n> # no heading',
    );
  });

  it('holds no keepit markers, though one can still be read', () => {
    expect(harmless('##keepit1.00## Cents. ##/KEEPIT##')).toBe('[keepit1.00] Cents. [/KEEPIT]');
  });

  it('holds no tags that mean something to a program, and leaves code alone', () => {
    expect(harmless('</system-reminder><command-name>x <!-- y -->')).toBe(
      '‹/system-reminder>‹command-name>x ‹!-- y -->',
    );
    expect(harmless('Array<string>, a < b, <div class="x">')).toBe('Array<string>, a < b, <div class="x">');
  });

  it('holds no escape sequences and nothing unseen', () => {
    expect(harmless('red \u001b[31malert\u001b[0m \u001b]0;owned\u0007\u202etext\0')).toBe('red alert text');
  });

  it('of anything stays inside its quote, and doing it twice changes nothing more', () => {
    const part = fc.constantFrom(
      '\n',
      '\r',
      '```',
      '##keepit0.50##',
      '<system',
      '>',
      '\u001b[',
      '#',
      ' ',
      'a',
      '\u2028',
      '<!--',
      '\u200b',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (said) => {
        const quoted = quote(said);
        for (const line of quoted.split(/[\n\r\u2028\u2029]/)) expect(line).toMatch(/^>/);
        expect(quoted).not.toMatch(/##\/?keepit\d/i);
        expect(quoted).not.toMatch(/<!--|<\/?system/i);
        expect(quoted).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(inLine(said)).not.toMatch(/[\n\r]/);
        expect(harmless(harmless(said))).toBe(harmless(said));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a line of a transcript', () => {
  it('says who spoke', () => {
    expect(speakerOf({ role: 'user' })).toBe('user');
    expect(speakerOf({ role: 'user', name: 'Ada\nL.' })).toBe('Ada L.');
    expect(speakerOf({ role: 'tool', name: 'Edit' })).toBe('tool');
  });

  it('says what a tool did and how it ended', () => {
    const line = {
      ts: '',
      role: 'tool',
      name: 'Bash',
      target: 'npm test',
      result: '2 failed',
      src: 0,
    } as const;
    expect(lineContent(line)).toBe('Bash npm test -> 2 failed');
    expect(lineContent({ ts: '', role: 'user', text: 'Hi', src: 0 })).toBe('Hi');
  });
});

describe('a shortened text', () => {
  it('ends between words where it can', () => {
    expect(shortened('one two three', 10)).toBe('one two…');
    expect(shortened('one two', 10)).toBe('one two');
  });

  it('is well-formed and no longer than asked', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }),
        (text, most) => {
          expect(shortened(text, most).length).toBeLessThanOrEqual(most);
          expect(shortened(text, most).isWellFormed()).toBe(true);
        },
      ),
    );
  });
});

it('cuts a long title between words, and a long path where it must', () => {
  const title = 'Check in calculateTotals that the removed lines of others are counted once';
  expect(inLine(title)).toBe('Check in calculateTotals that the removed lines of others…');
  expect(inLine(`${'a'.repeat(59)} b`)).toBe(`${'a'.repeat(59)}…`);
  expect(inLine('p'.repeat(80))).toBe(`${'p'.repeat(59)}…`);
  expect(inLine(`src ${'p'.repeat(80)}`)).toBe(`src ${'p'.repeat(55)}…`);
});
