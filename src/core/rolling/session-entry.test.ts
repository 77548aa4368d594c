import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionStatement } from '../model/statement.ts';
import { loadTokenCounter } from '../text/tokens.ts';
import { type EntryOf, withSession } from './entries-text.ts';
import { formatEntry } from './entry.ts';
import { ENTRY_TOKENS, readEntryLine } from './entry-body.ts';
import { hashOfBlock } from './memory-blocks.ts';
import { type SessionOfMemory, sessionEntry } from './session-entry.ts';

/** Words, as a counter that adds up. */
const count = (text: string) => text.split(/\s+/).filter(Boolean).length;
const local = (iso: string) => iso.slice(0, 16).replace('T', ' ');
const entryOf: EntryOf = (session, lines) => sessionEntry(session, lines, { count, local });

const said = (exchange: number, text: string, more: Partial<SessionStatement> = {}): SessionStatement => ({
  id: `st_${exchange}${text.length}`,
  kind: 'decision',
  text,
  author: 'user',
  foundBy: 'words',
  tier: 'shown',
  confidence: 0.6,
  quotes: [{ by: 'user', field: 'text', line: exchange, src: 0, text }],
  overturned: [],
  exchange,
  ts: '',
  ...more,
});
const ask = (first: number, last: number, asked: string) => ({
  l1_range: [first, last] as [number, number],
  outcome: 'done' as const,
  files: ['src/basket.ts'],
  ts: `2026-01-05T10:${String(first).padStart(2, '0')}:00Z`,
  src: first * 100,
  asked,
});
const whole = (more: Partial<SessionOfMemory> = {}): SessionOfMemory => ({
  session: 'abcd1234',
  lines: 4,
  last: '2026-01-05T10:59:00Z',
  exchanges: [ask(1, 2, 'Keep prices in cents'), ask(3, 4, 'Write the coupon form')],
  statements: [
    said(1, 'User: "Keep prices in cents." -> The basket keeps cents because rounding lost money.'),
  ],
  ...more,
});

describe('an entry', () => {
  test('has decisions with what came of them, other asks with their outcome, and the files', () => {
    expect(formatEntry(entryOf(whole(), [1, 4])!).split('\n')).toEqual([
      '## 2026-01-05_1059 (local 01-05_1059) session abcd1234 lines 1-4',
      '- decision: "Keep prices in cents." → The basket keeps cents because rounding lost money.',
      '- asked (done): Write the coupon form',
      '- changed: src/basket.ts',
    ]);
  });

  test('names a question a question, and what only the agent says a report', () => {
    const statements = [
      said(1, 'User: "is it cents?" -> Yes, cents.'),
      said(3, 'The build runs on port 3000.', { foundBy: 'claim', author: 'assistant', kind: 'environment' }),
      said(3, 'Commit: feat: coupons', { foundBy: 'commit', author: 'assistant' }),
      said(3, 'Left open at the end: Shall the form be public?', { foundBy: 'open-end', kind: 'open' }),
    ];
    const labels = entryOf(whole({ statements }), [1, 4])!.body.map((line) => readEntryLine(line)?.label);
    expect(labels).toEqual(['asked', 'reported', 'committed', 'open', 'changed']);
  });

  test('shows notes as notes, nothing as a rule that may belong to one task, and nothing that was stopped', () => {
    const statements = [
      said(1, 'User: "Use the format "Tool: name" in the panel"', { kind: 'rule', tier: 'candidate' }),
      said(3, 'Written down: Coupons are checked on the server because clients lie.', { foundBy: 'note' }),
      said(3, 'User: "Never push to main."', { kind: 'rule' }),
    ];
    const exchanges = [
      { ...ask(1, 2, 'Write the panel'), files: [] },
      { ...ask(3, 4, 'Write the form'), files: [] },
      { ...ask(5, 6, 'Make it blue'), outcome: 'rejected' as const, files: [] },
    ];
    expect(entryOf(whole({ lines: 6, exchanges, statements }), [1, 6])!.body).toEqual([
      '- decision: "Use the format "Tool: name" in the panel"',
      '- rule: "Never push to main."',
      '- noted: Coupons are checked on the server because clients lie.',
    ]);
  });

  test('says the surest first where not all has room, words from their point on, and outcomes without clutter', () => {
    const words = 'and its price is kept in cents by the basket '.repeat(3).trim();
    const statements = [
      said(1, `User: "${words}"`, { confidence: 0.4 }),
      said(1, `User: "ok, so ${words}" -> Done. src/core/basket.ts:12 (+3 lines) keeps cents`, {
        confidence: 0.8,
      }),
      ...Array.from({ length: 8 }, () => said(1, `User: "${words}"`, { confidence: 0.4 })),
    ];
    const exchanges = [ask(1, 4, 'Prices')];
    const { body } = entryOf(whole({ exchanges, statements }), [1, 4])!;
    expect(body).toContain(`- said: "${words.slice(4)}" → basket.ts keeps cents`);
    expect(body.length).toBeLessThan(statements.length + 1);
  });

  test('begins with the first request, counts those without room, and puts reports behind the words that led to them', () => {
    const words = 'Keep the price of every coupon in whole cents, never in euros';
    const statements = [
      said(4, `User: "${words}" -> Yes, cents.`),
      said(4, 'The till rounds at the end.', { foundBy: 'claim', author: 'assistant' }),
      said(4, 'The drawer stays as it is.', { foundBy: 'claim', author: 'assistant', kind: 'open' }),
      ...Array.from({ length: 9 }, (_, at) => said(at + 10, `User: "${`Wish ${at} `.repeat(60)}"`)),
    ];
    const exchanges = Array.from({ length: 30 }, (_, at) =>
      ask(at + 1, at + 1, `Request number ${at + 1} of this long day, for the shop and for its till`),
    );
    const { body } = entryOf(whole({ lines: 30, exchanges, statements }), [1, 30])!;
    expect(body[0]).toMatch(/^- asked \(done\): Request number 1 /);
    expect(body).toContain(`- decision: "${words}" → Yes, cents. · The till rounds at the end.`);
    expect(body).toContain('- open: The drawer stays as it is.');
    expect(body.at(-1)).toMatch(/^- more: \d statements, \d+ requests, keepsake show abcd1234 --lines 1-30$/);
    const listed = body.filter((line) => line.startsWith('- asked')).length;
    const said9 = body.filter((line) => line.includes('Wish')).length;
    expect(body.at(-1)).toContain(`${9 - said9} statements, ${29 - said9 - listed} requests`);
  });

  test('a part of a commit is never without its subject', () => {
    const body = `feat: coupons — ${'We thought about this and that and the rest of it. '.repeat(8)}Prices are in cents.`;
    const other = Array.from({ length: 5 }, (_, at) =>
      said(1, `User: "${`Paint the sign ${at} `.repeat(20)}"`, { confidence: 0.2 }),
    );
    const statements = [said(1, `Commit: ${body}`, { foundBy: 'commit', author: 'assistant' }), ...other];
    const entry = entryOf(whole({ exchanges: [ask(1, 4, 'Coupons')], statements }), [1, 4])!;
    const line = entry.body.find((it) => it.startsWith('- committed'));
    expect(line).toMatch(/^- committed: feat: coupons — We thought/);
  });

  test('has no signs of Markdown, but where a page would read what is left as one', () => {
    const statements = [said(1, 'User: "Keep `basket.ts` **as it is**, with `<slot>` and `*.css` in it."')];
    const { body } = entryOf(whole({ exchanges: [ask(1, 4, 'Prices')], statements }), [1, 4])!;
    expect(body[0]).toBe('- decision: "Keep basket.ts as it is, with `<slot>` and `*.css` in it."');
  });

  test('cuts no sentence, marks what is left out of a line, and says where the rest is', () => {
    const long = 'The till keeps every price in whole cents because floats lost money twice last year';
    const outcome = `${long}. The drawer opens at noon. The receipt shows euros. ${'Nothing else changed here at all. '.repeat(9)}`;
    const other = (at: number) =>
      `User: "${`Ask ${at}: `}${'paint the sign above the door '.repeat(9)}${at}."`;
    const statements = [
      said(1, `User: "Keep prices in cents." -> ${outcome}`, { confidence: 0.9 }),
      ...Array.from({ length: 6 }, (_, at) => said(1, other(at), { confidence: 0.2 })),
    ];
    const { body } = entryOf(whole({ exchanges: [ask(1, 4, 'Prices')], statements }), [1, 4])!;
    const sentences = [
      ...outcome.split(/(?<=\.) /),
      ...statements.slice(1).map(({ text }) => text.slice(7, -1)),
    ];
    const written = body.filter((line) => /^- (?:decision|said)/.test(line)).join('\n');
    expect(written).toContain(`"Keep prices in cents." → ${long}.`);
    for (const piece of written
      .split(/^- \w+: "|" → |(?<=\.) |"$|\n/m)
      .filter((it) => !/^(?:…|- \w+:)?\s*$/.test(it)))
      expect(['Keep prices in cents.', ...sentences].map((it) => it.trim())).toContain(piece.trim());
    expect(body.at(-1)).toMatch(/^- more: \d statements?, keepsake show abcd1234 --lines 1-4$/);
  });

  test('marks what is left out before the first sentence and after the last', () => {
    const filler = 'and so on and on about this and that '.repeat(40);
    const words = `First ${filler}one. Keep prices in cents. Last ${filler.replaceAll('that', 'the rest')}two.`;
    const { body } = entryOf(
      whole({ exchanges: [ask(1, 4, 'Prices')], statements: [said(1, `User: "${words}"`)] }),
      [1, 4],
    )!;
    expect(body.join('\n')).toContain('"… Keep prices in cents. …"');
  });

  test('of nothing but empty asks is none', () => {
    const exchanges = [{ ...ask(1, 4, ''), files: [] }];
    expect(entryOf(whole({ exchanges, statements: [] }), [1, 4])).toBeUndefined();
  });

  test('never has more than 500 tokens, its heading and its last line included', async () => {
    const tokens = await loadTokenCounter();
    const sentence = fc.lorem({ maxCount: 30 }).map((it) => `${it} \`src/a_b.ts\` → ${it} ☂.`);
    const text = fc
      .tuple(fc.constantFrom('User: "', 'Commit: ', ''), fc.array(sentence, { minLength: 1, maxLength: 8 }))
      .map(([before, all]) => `${before}${all.join(' ')}${before.endsWith('"') ? '"' : ''}`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 60 }), (texts, asks) => {
        const exchanges = Array.from({ length: asks }, (_, at) =>
          ask(at + 1, at + 1, `Request number ${at}`),
        );
        const statements = texts.map((it, at) => said((at % asks) + 1, it));
        const session = whole({ lines: asks, exchanges, statements });
        const entry = sessionEntry(session, [1, asks], { count: tokens, local });
        expect(entry ? tokens(formatEntry(entry)) : 0).toBeLessThanOrEqual(500);
      }),
      { numRuns: 60 },
    );
  });

  test('never takes more tokens than its session may', () => {
    const text = fc.lorem({ maxCount: 60 }).map((words) => `User: "${words}"`);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 14 }), fc.integer({ min: 1, max: 30 }), (texts, asks) => {
        const exchanges = Array.from({ length: asks }, (_, at) => ask(at + 1, at + 1, `Ask number ${at}`));
        const statements = texts.map((it, at) => said((at % asks) + 1, it));
        const entry = entryOf(whole({ lines: asks, exchanges, statements }), [1, asks]);
        const most = Math.min(ENTRY_TOKENS.most, Math.max(ENTRY_TOKENS.least, asks * ENTRY_TOKENS.anAsk));
        expect(entry ? count(formatEntry(entry)) : 0).toBeLessThanOrEqual(most);
        // Every word of it was said, or is a label.
        const known = [...texts, ...exchanges.map((it) => it.asked)].join(' ');
        for (const line of entry?.body ?? []) {
          const read = readEntryLine(line)!;
          const words = read.text.replace(/^"|"?…?$/g, '').trim();
          if (read.label !== 'changed' && read.label !== 'more') expect(known).toContain(words.slice(0, -1));
        }
      }),
    );
  });
});

describe('memory.md with a session', () => {
  const writing = (memory: string | undefined, ...keys: [string, string][]) => ({
    entryOf,
    written: new Map(keys.map(([key, text]) => [key, new Set([hashOfBlock(text)])])),
    memory,
  });
  const short = whole({
    lines: 2,
    last: '2026-01-05T10:02:00Z',
    exchanges: [ask(1, 2, 'Keep prices in cents')],
  });
  const first = withSession(undefined, short, 0, writing(undefined));
  const block = first.added!;

  test('that grew has one entry, where its time puts it', () => {
    const { memory } = withSession(first.memory, whole(), 2, writing(undefined, ['abcd1234 1', block]));
    expect(memory!.match(/lines \S+/g)).toEqual(['lines 1-4']);
    expect(memory!.match(/Keep prices/g)).toHaveLength(1);
  });

  test('whose entry a person changed keeps that, and gets another for the rest', () => {
    const edited = first.memory!.replace('rounding', 'rounding down');
    const { memory } = withSession(edited, whole(), 2, writing(undefined, ['abcd1234 1', block]));
    expect(memory!.match(/lines \S+/g)).toEqual(['lines 1-2', 'lines 3-4']);
    expect(memory).toContain('rounding down');
  });

  test('whose entry a person deleted does not get it again', () => {
    const { memory, added } = withSession('# Mine\n', short, 2, writing(undefined, ['abcd1234 1', block]));
    expect([memory, added]).toEqual(['# Mine\n', undefined]);
  });

  test('of which something was taken back says so no more', () => {
    const { memory } = withSession(
      first.memory,
      { ...short, statements: [] },
      2,
      writing(undefined, ['abcd1234 1', block]),
    );
    expect(memory).toContain('- asked (done): Keep prices in cents');
    expect(memory).not.toContain('rounding');
  });

  test('is the same in whatever order sessions come', () => {
    const sessions = ['a', 'b', 'c', 'd'].map((session, at) =>
      whole({ session, last: `2026-01-0${1 + ((at * 3) % 4)}T10:00:00Z` }),
    );
    const made = (order: SessionOfMemory[]) =>
      order.reduce<string | undefined>(
        (memory, session) => withSession(memory, session, 0, writing(memory)).memory,
        undefined,
      );
    fc.assert(
      fc.property(fc.shuffledSubarray(sessions, { minLength: 4 }), (order) => {
        expect(made(order)).toBe(made(sessions));
      }),
    );
  });

  test.each([
    ['Chinese', '把价格保存为分'],
    ['German', 'Die Preise in Cent speichern'],
    ['Russian', 'Храни цены в копейках'],
  ])('%s asks are listed as they were said', (_, asked) => {
    const { memory } = withSession(
      undefined,
      { ...short, exchanges: [ask(1, 2, asked)], statements: [] },
      0,
      writing(undefined),
    );
    expect(memory).toContain(`- asked (done): ${asked}`);
  });
});
