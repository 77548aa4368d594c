import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECRET_BYTES, secretHash, secretLabel, secretText } from './hub-secret.ts';

const bytes = fc.uint8Array({ minLength: SECRET_BYTES, maxLength: SECRET_BYTES });

test('a secret has one hash, of its own kind only, and the hash does not contain it', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const text = secretText('token', one);
      const hash = secretHash('token', text);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(secretHash('invitation', text)).toBeUndefined();
      expect(secretHash('token', secretText('token', other)) === hash).toBe(Buffer.compare(one, other) === 0);
      expect(secretLabel(hash!)).not.toContain(text.slice(4, 12));
    }),
  );
});

test('whatever else a client sends has no hash', () => {
  fc.assert(fc.property(fc.string(), (text) => secretHash('token', text) === undefined));
  const text = secretText('token', new Uint8Array(SECRET_BYTES));
  for (const wrong of [`${text}x`, text.slice(1), `${text}\n`, ` ${text}`, text.toUpperCase()])
    expect(secretHash('token', wrong)).toBeUndefined();
});
