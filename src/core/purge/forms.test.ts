import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillOf, PurgeMask } from '../model/purge-mask.ts';
import { formsOf, formsOfSecret, markOf, SHORTEST } from './forms.ts';
import { marksOfLine, structureWith } from './message-line.ts';

const SALT = 'salt';
const maskOf = (...texts: string[]) =>
  new PurgeMask([{ salt: SALT, marks: texts.flatMap(formsOf).map((form) => markOf(form, SALT)) }]);
const maskedJson = (mask: PurgeMask, value: unknown) => {
  const bytes = Buffer.from(JSON.stringify(value));
  mask.apply(bytes, true);
  return JSON.parse(bytes.toString('utf8')) as unknown;
};

const texts = fc
  .oneof(
    fc.string({ minLength: 6, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 4, maxLength: 20 }),
  )
  .filter((text) => Buffer.byteLength(text.trim()) >= SHORTEST && text.trim() === text);

test('a text is found as it is, in JSON, and in JSON inside JSON, whatever stands round it', () => {
  fc.assert(
    fc.property(texts, fc.string(), fc.string(), (text, before, after) => {
      const mask = maskOf(text);
      const said = `${before} ${text} ${after}`;
      expect(mask.clean(said)).not.toContain(text);
      expect(Buffer.byteLength(mask.clean(said))).toBe(Buffer.byteLength(said));
      for (const value of [{ said }, { said: JSON.stringify({ said }) }]) {
        const found = JSON.stringify(maskedJson(mask, value));
        expect(found.length > 0 && !found.includes(JSON.stringify(text).slice(1, -1))).toBe(true);
      }
    }),
  );
});

test('what is not the text stays as it is, byte for byte, and JSON stays JSON', () => {
  fc.assert(
    fc.property(texts, fc.jsonValue(), (text, value) => {
      const json = JSON.stringify(value);
      fc.pre(!formsOf(text).some(({ bytes }) => json.includes(bytes.toString('utf8'))));
      expect(JSON.stringify(maskedJson(maskOf(text), value))).toBe(JSON.stringify(JSON.parse(json)));
    }),
  );
});

test('a text that begins where an escape ends is none', () => {
  const mask = maskOf('newsletter');
  const value = { path: 'C:\\newsletter', line: 'a\newsletter' };
  expect(maskedJson(mask, value)).toEqual({ path: `C:\\${fillOf(10)}`, line: 'a\newsletter' });
});

test('a mark says nothing of the text but its length', () => {
  const [mark] = formsOf('hunter2hunter2').map((form) => markOf(form, SALT));
  expect(mark).toEqual({
    length: 14,
    roll: expect.any(Number),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(markOf(formsOf('hunter2hunter2')[0]!, 'other').hash).not.toBe(mark!.hash);
});

test('the lines of a key are found one by one', () => {
  const key = `-----BEGIN KEY-----\n${'QWERTY'.repeat(8)}\nshort\n${'ASDFGH'.repeat(8)}\n-----END KEY-----`;
  const marks = formsOfSecret(key).map((form) => markOf(form, SALT));
  const clean = new PurgeMask([{ salt: SALT, marks }]).clean(`1→${'QWERTY'.repeat(8)}\n2→short`);
  expect(clean).not.toContain('QWERTY');
  expect(clean).toContain('short');
});

test('a message loses its words and keeps what the line is known by', () => {
  const line = {
    type: 'user',
    uuid: 'u-1',
    cwd: '/srv/shop',
    message: { role: 'user', content: [{ type: 'text', text: 'ok' }] },
    toolUseResult: { type: 'text', file: 'a "quoted" secret' },
  };
  const bytes = Buffer.from(JSON.stringify(line));
  const { marks } = marksOfLine(bytes, SALT)!;
  const whole = Buffer.from(bytes);
  new PurgeMask([{ salt: SALT, marks }]).apply(whole, true);
  const left = JSON.parse(whole.toString('utf8'));
  expect(left).toMatchObject({ type: 'user', uuid: 'u-1', cwd: '/srv/shop', message: { role: 'user' } });
  expect(left.message.content[0]).toEqual({ type: 'text', text: '**' });
  expect(JSON.stringify(left)).not.toContain('quoted');
  // A short word elsewhere is somebody else's.
  expect(new PurgeMask([{ salt: SALT, marks }]).clean('ok, then')).toBe('ok, then');
});

test('what a line is known by is named, what tools were given is not', () => {
  const line = Buffer.from(JSON.stringify({ cwd: '/srv/acme-shop', message: { input: { id: 'acme-9' } } }));
  expect(structureWith(line, 'acme-shop')).toBe('cwd');
  expect(structureWith(line, 'acme-9')).toBeUndefined();
  expect(structureWith(line, 'message')).toBe('message');
});
