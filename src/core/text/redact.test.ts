import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HARMLESS, SECRETS } from './redact/redact-samples.ts';
import { mergeCounts, redact } from './redact.ts';

/** What may be right before and right after a token. */
const BEFORE = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '"',
  "'",
  '`',
  '(',
  '=',
  ':',
  ',',
  '>',
  '/',
  '[',
  '{',
  '@',
  '→',
  '\\n',
  '\\t',
];
const AFTER = ['', ' ', '\n', '\r\n', '"', "'", '`', ')', ';', ',', '<', ']', '}', '\\n', '…', '?', '!'];
const tokens = SECRETS.filter((sample) => sample.text === `here: ${sample.secret} end`);
const words = fc
  .array(
    fc.constantFrom(
      'the',
      'file',
      'runs',
      'again',
      'src/core/x.ts',
      '42',
      'foo()',
      'é',
      '日本',
      '😀',
      '— ok,',
      '\n',
    ),
  )
  .map((list) => list.join(' '));

describe('redact', () => {
  it.each(SECRETS.map((sample) => [sample.name, sample] as const))('takes out: %s', (_, sample) => {
    const { text, secret, kind } = sample;
    const { text: out, counts } = redact(text);
    expect(out).not.toContain(secret);
    expect(out).toContain(`[redacted:${kind}]`);
    expect(counts[kind]).toBe(1);
    expect(out.endsWith(text.slice(text.indexOf(secret) + secret.length))).toBe(true);
  });

  it.each(HARMLESS)('leaves alone: %s', (text) => {
    expect(redact(text)).toEqual({ text, counts: {} });
  });

  it('keeps the text around a token, and removes the token in any place', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tokens),
        fc.tuple(words, fc.constantFrom(...BEFORE)),
        fc.tuple(words, fc.constantFrom(...AFTER)),
        ({ secret, kind }, [before, opening], [after, closing]) => {
          // A word right at a token would be part of it.
          const left = before + (before === '' ? '' : opening || ' ');
          const right = (after === '' ? '' : closing || ' ') + after;
          expect(redact(left + secret + right)).toEqual({
            text: `${left}[redacted:${kind}]${right}`,
            counts: { [kind]: 1 },
          });
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('lets no secret through in any text around it, nor inside JSON', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        fc.string(),
        fc.string(),
        ({ text, secret }, before, after) => {
          const planted = `${before}\n${text}\n${after}`;
          expect(redact(planted).text).not.toContain(secret);
          const inJson = redact(JSON.stringify({ content: planted })).text;
          expect(inJson).not.toContain(JSON.stringify(secret).slice(1, -1));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('finds every secret of many in one text, whatever the chunk it falls into', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 65_400, max: 65_600 }),
        fc.constantFrom(...tokens),
        (at, { secret, kind }) => {
          const filler = 'x '.repeat(at >> 1) + (at % 2 ? ' ' : '');
          expect(redact(filler + secret).text).toBe(`${filler}[redacted:${kind}]`);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('changes nothing the second time', () => {
    const pieces = SECRETS.flatMap(({ text, secret }) => [
      text,
      secret,
      secret.slice(0, secret.length >> 1),
      secret.slice(secret.length >> 1),
      text.slice(0, text.indexOf(secret)),
    ]);
    const glue = [
      ...BEFORE,
      ...AFTER,
      'password=',
      '://a:',
      '@host',
      'cookie: sid=',
      '-----BEGIN PRIVATE KEY-----',
      'AKIA',
    ];
    const mixture = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...glue), fc.string()), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(mixture, (list) => {
        const once = redact(list.join('')).text;
        expect(redact(once)).toEqual({ text: once, counts: {} });
      }),
      { numRuns: 5_000 },
    );
  });

  it('checks a long value once', () => {
    // An expression that goes back would take longer than the age of the machine.
    const letters = 'abc'.repeat(150);
    for (const value of [`${letters}_`, `${letters}12345`, `${letters}1${letters}2x`])
      expect(redact(`token: "${value}"; password = '${value}'`).text).toMatch(/^token: ".*'$/s);
  });

  it('gets through a megabyte of hostile text', () => {
    // Quadratic work on these would take hours; bench/redact.ts shows how the time grows.
    const hostile = [
      'password=',
      'eyJ.',
      'a://a:',
      '-----BEGIN PRIVATE KEY-----',
      'cookie: a=',
      'curl -u ',
      'authorization=',
      'a_A1b',
      'key_A1b2-',
      'login aB3',
      'a:aB3dE6@h',
    ];
    for (const piece of hostile) {
      const text = piece.repeat(Math.ceil(1e6 / piece.length));
      expect(redact(text).text.length).toBeGreaterThan(text.length / 2);
    }
  });
});

describe('mergeCounts', () => {
  it('adds kind by kind', () => {
    const into = { jwt: 1, npm: 2 };
    mergeCounts(into, { npm: 3, aws: 1 });
    expect(into).toEqual({ jwt: 1, npm: 5, aws: 1 });
  });
});
