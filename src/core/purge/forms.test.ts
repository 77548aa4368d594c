import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillOf, PurgeMask } from '../model/purge-mask.ts';
import { unescaped } from '../model/unescaped.ts';
import { cutMarks, purgedWords, purgeMarks, SHORTEST, textsOfSecret } from './forms.ts';
import { marksOfLine, structureWith } from './message-line.ts';

const SALT = 'salt';
const maskOf = (...texts: string[]) =>
  new PurgeMask([{ salt: SALT, marks: texts.flatMap((text) => purgeMarks(text, SALT)) }]);
const read = (text: string, json = false) => Buffer.from(unescaped(Buffer.from(text), json).bytes);
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
  .filter((text) => read(text.trim()).length >= SHORTEST && text.trim() === text);

test('a text is found plain, in JSON, and in JSON inside JSON, whatever surrounds it', () => {
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
      fc.pre(!read(json, true).includes(read(text)) && !read(json).includes(read(text)));
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
  const [mark] = purgeMarks('hunter2hunter2', SALT);
  expect(mark).toEqual({
    length: 14,
    roll: expect.any(Number),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    unescaped: true,
  });
  expect(purgeMarks('hunter2hunter2', 'other')[0]!.hash).not.toBe(mark!.hash);
});

test('the lines of a key are found one by one', () => {
  const key = `-----BEGIN KEY-----\n${'QWERTY'.repeat(8)}\nshort\n${'ASDFGH'.repeat(8)}\n-----END KEY-----`;
  const marks = textsOfSecret(key).flatMap((text) => purgeMarks(text, SALT));
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
  // A short word elsewhere is someone else's.
  expect(new PurgeMask([{ salt: SALT, marks }]).clean('ok, then')).toBe('ok, then');
});

test('what a line is known by is named, what tools were given is not', () => {
  const line = Buffer.from(JSON.stringify({ cwd: '/srv/acme-shop', message: { input: { id: 'acme-9' } } }));
  expect(structureWith(line, 'acme-shop')).toBe('cwd');
  expect(structureWith(line, 'acme-9')).toBeUndefined();
  expect(structureWith(line, 'message')).toBe('message');
});

/** Every way that JSON may write a character. */
function written(character: string, way: number): string {
  const units = Array.from({ length: character.length }, (_, n) =>
    character.charCodeAt(n).toString(16).padStart(4, '0'),
  );
  if (way % 4 === 1) return units.map((unit) => `\\u${unit}`).join('');
  if (way % 4 === 2) return units.map((unit) => `\\u${unit.toUpperCase()}`).join('');
  if (way % 4 === 3 && character === '/') return '\\/';
  return JSON.stringify(character).slice(1, -1);
}

test('a text is found in every legal way to write it in JSON, and JSON stays JSON', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(words, fc.array(fc.nat(3), { minLength: 1, maxLength: 9 }), (word, ways) => {
      const text = word.trim();
      fc.pre(read(text).length >= SHORTEST && !text.includes('\ufffd'));
      const json = [...text].map((character, n) => written(character, ways[n % ways.length]!)).join('');
      const line = `{"before":"x","said":"a ${json} b","after":1}`;
      expect((JSON.parse(line) as { said: string }).said).toBe(`a ${text} b`);
      const bytes = Buffer.from(line);
      // One place, which several of its forms may fit.
      const places = maskOf(text)
        .apply(bytes, true)
        .map(({ start, end }) => `${start} to ${end}`);
      expect(new Set(places).size).toBe(1);
      const left = JSON.parse(bytes.toString('utf8')) as Record<string, string>;
      expect(left).toEqual({ before: 'x', said: expect.stringMatching(/^a (\[purged\]|\*+) *b$/), after: 1 });
      expect(bytes).toHaveLength(Buffer.byteLength(line));
    }),
  );
});

test.each([
  ['several lines', 'first line\nsecond line', 'first line\r\n  second line'],
  ['one line of them', 'first line\r\nsecond line', 'first line second line'],
  ['escaped line ends inside JSON', 'first line\nsecond line', 'first line\\\\nsecond line'],
  ['composed letters', 'Cafe\u0301 in Zu\u0308rich', 'Caf\u00e9 in Z\u00fcrich'],
  ['decomposed letters', 'Caf\u00e9 in Z\u00fcrich', 'Cafe\u0301 in Zu\u0308rich'],
  ['accents in another order', 'Vi\u1ec7t Nam', 'Vie\u0302\u0323t Nam'],
  ['wide letters', 'hunter2 hunter3', '\uff48\uff55\uff4e\uff54\uff45\uff52\uff12\u3000hunter3'],
  ['signs of no width', 'hunter2hunter', 'hun\u200bter2\u00adhunter'],
])('%s: the same text', (_, text, other) => {
  expect(maskOf(text).clean(`before ${other} after`)).toMatch(/^before (\[purged\]|\*+) * after$/);
});

test('a text with an accent is not the one without it', () => {
  expect(maskOf('a resume').clean('a resume\u0301')).toBe('a resume\u0301');
  expect(maskOf('hunter2').clean('HUNTER2')).toBe('HUNTER2');
});

test('no quotation mark of JSON is part of a text', () => {
  const value = { a: 'one', b: 'two' };
  expect(maskedJson(maskOf('one","b":"two'), value)).toEqual(value);
  expect(maskedJson(maskOf('one" and "two'), { a: 'one" and "two' })).toEqual({
    a: expect.not.stringContaining('one'),
  });
});

test('what a title kept of a text goes up to its dots, and only there', () => {
  const text = 'The vault in the cellar opens with the third key from the left, always.';
  const mask = new PurgeMask([{ salt: SALT, marks: cutMarks(text, SALT) }]);
  expect(mask.clean('# The vault in the cellar opens with the\u2026\n')).toMatch(/^# \[purged\] +\u2026\n$/);
  expect(mask.clean('The vault in the cellar opens with a push.\nAnd so on\u2026')).toContain('vault');
});

test('a title also keeps the beginning of a short text', () => {
  const mask = new PurgeMask([{ salt: SALT, marks: cutMarks('walrus sings <loudly> at night/day', SALT) }]);
  expect(mask.clean('# The purple walrus sings <loudly> at\u2026\n')).toMatch(
    /^# The purple \[purged\] +\u2026\n$/,
  );
  expect(mask.clean('The walrus sings <loudly> in the choir.\n')).toContain('walrus');
});

test('a quick search by words finds what a full search does', () => {
  const quick = new PurgeMask([
    { salt: SALT, marks: purgeMarks('my hunter2 word', SALT), words: purgedWords(['my hunter2 word']) },
  ]);
  for (const form of ['my hunter2 word', 'my \\u0068unter2 word', 'my \uff48unter2 word'])
    expect(quick.find(Buffer.from(form), false), form).toHaveLength(1);
  expect(quick.find(Buffer.from('nothing of it'), false)).toEqual([]);
});
