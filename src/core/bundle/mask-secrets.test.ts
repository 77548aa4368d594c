import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HARMLESS, SECRETS } from '../text/redact/redact-samples.ts';
import { redact } from '../text/redact.ts';
import { maskJsonLine, maskSecrets } from './mask-secrets.ts';

describe('masking secrets', () => {
  it.each(SECRETS.map((sample) => [sample.name, sample] as const))(
    'hides %s and keeps its place',
    (_, sample) => {
      const masked = maskSecrets(sample.text);
      expect(masked).not.toContain(sample.secret);
      expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(sample.text));
      expect(redact(masked).text).toBe(redact(sample.text).text);
      expect(maskSecrets(masked)).toBe(masked);
    },
  );

  it('leaves ordinary text as it is', () => {
    for (const text of HARMLESS) expect(maskSecrets(text)).toBe(text);
  });

  it('finds secrets in the strings of a JSON line, and the line stays JSON of the same length and keys', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...SECRETS), { maxLength: 3 }),
        fc.json({ maxDepth: 2 }),
        fc.string({ maxLength: 20 }),
        (samples, json, words) => {
          const value = {
            text: [words, ...samples.map(({ text }) => text)].join('\n'),
            other: JSON.parse(json),
          };
          const line = JSON.stringify(value);
          const masked = maskJsonLine(line);
          expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(line));
          const read = JSON.parse(masked) as typeof value;
          for (const { secret } of samples) expect(read.text).not.toContain(secret);
          expect(Object.keys(read)).toEqual(Object.keys(value));
          expect(maskJsonLine(masked)).toBe(masked);
        },
      ),
      { numRuns: 150 },
    );
  });
});
