import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { L1Line } from '../../model/l1.ts';
import { commitSubject, exchangeRecords, extendRecords } from './records.ts';

const line = (src: number, role: L1Line['role'], rest: Partial<L1Line> = {}): L1Line => ({
  ts: `2026-03-01T10:${String(Math.floor(src / 60) % 60).padStart(2, '0')}:${String(src % 60).padStart(2, '0')}Z`,
  role,
  src,
  ...rest,
});
const bash = (src: number, target: string, result?: string) =>
  line(src, 'tool', { name: 'Bash', target, ...(result === undefined ? {} : { result }) });
const only = (lines: L1Line[]) => exchangeRecords('s', lines)[0]!;

describe('an exchange', () => {
  it('says what was done, where, with which words and which commands', () => {
    const record = only([
      line(0, 'user', { text: 'Fix the REST button, it can be used twice a day.' }),
      line(1, 'tool', {
        name: 'Edit',
        target: 'scripts/ui.js',
        diff: '-if (day > last)\n+if (day > last && !rest_used)',
      }),
      bash(2, 'cd game && CI=1 npm test 2>&1'),
      bash(3, 'git commit -m "fix: REST button once a day"'),
      line(4, 'assistant', {
        text: 'Let me know if you want more.\nFixed the REST button: it works once per day now.',
      }),
    ]);
    expect(record.summary).toContain('Fixed the REST button');
    expect(record.title).toBe('Fix the REST button, it can be used twice a day - REST button once a day');
    expect(record.summary).not.toContain('Let me know');
    expect(record).toMatchObject({
      files: ['scripts/ui.js'],
      outcome: 'done',
      commands: ['npm test'],
      l1_range: [1, 5],
    });
    expect(record.keywords.slice(0, 3)).toContain('REST');
  });

  it('never ends in the middle of a word', () => {
    const long = 'supercalifragilistic '.repeat(30).trim();
    const record = only([line(0, 'user', { text: '?' }), line(1, 'assistant', { text: long })]);
    expect(
      record.summary
        .replace('…', '')
        .split(' ')
        .every((word) => word === 'supercalifragilistic'),
    ).toBe(true);
    expect(record.summary.length).toBeLessThanOrEqual(160);
  });

  it('ends done, failed, rejected or open', () => {
    const ask = line(0, 'user', { text: 'Make it pass.' });
    const said = (src: number, text = 'I worked on it.') => line(src, 'assistant', { text });
    const outcome = (...lines: L1Line[]) => only([ask, ...lines]).outcome;
    expect(outcome(bash(1, 'npm test', 'Exit code 1'), bash(2, 'npm test'), said(3))).toBe('done');
    expect(outcome(bash(1, 'npm test'), bash(2, 'npm test', 'Exit code 1'), said(3))).toBe('failed');
    expect(outcome(said(1, 'I was not able to fix it.'))).toBe('failed');
    expect(outcome(bash(1, 'ls missing', 'Exit code 2'), said(2))).toBe('done');
    expect(outcome()).toBe('open');
    expect(outcome(said(1), bash(2, 'npm test'))).toBe('open');
    expect(outcome(said(1), line(2, 'system', { name: 'interrupted' }))).toBe('rejected');
    const back = line(9, 'user', { text: 'Another way.', replaces: 0 });
    expect(exchangeRecords('s', [ask, said(1), back, said(10)]).map((it) => it.outcome)).toEqual([
      'rejected',
      'done',
    ]);
  });

  it('does not take a hidden exit status for a pass', () => {
    expect(
      only([line(0, 'user', { text: 'go' }), bash(1, 'npm test | tail -5'), bash(2, 'npm test || true')])
        .commands,
    ).toEqual([]);
  });

  it('has keywords and a summary in Korean, Japanese, Chinese and German', () => {
    const of = (ask: string, answer: string) =>
      only([line(0, 'user', { text: ask }), line(1, 'assistant', { text: answer })]);
    const korean = of('로그인 버튼을 고쳐 주세요.', '로그인 버튼을 수정했습니다. 테스트도 통과합니다.');
    expect(korean.keywords.slice(0, 3)).toEqual(expect.arrayContaining(['로그인', '버튼']));
    expect(korean.summary).toContain('수정했습니다');
    const japanese = of('検索機能を直してください。', '検索機能を修正しました。テストも通ります。');
    expect(japanese.keywords.join(' ')).toMatch(/検索/);
    expect(japanese.summary).toContain('修正しました。');
    const chinese = of('请修复登录按钮的错误。', '已修复登录按钮。测试全部通过。');
    expect(chinese.keywords.join(' ')).toMatch(/登录/);
    expect(chinese.summary).toContain('已修复登录按钮。');
    const german = of(
      'Bitte den Warenkorb reparieren.',
      'Der Warenkorb wurde repariert. Fehler behoben in basket.ts.',
    );
    expect(german.keywords).toContain('Warenkorb');
    expect(german.summary).toContain('behoben');
  });

  it('names the subject of a commit, however it was given', () => {
    expect(commitSubject('git commit -m "fix: one thing"')).toBe('fix: one thing');
    expect(commitSubject("git add . && git commit -am 'feat: another'")).toBe('feat: another');
    expect(commitSubject('git commit -m "$(cat <<\'EOF\'\nfeat: third thing\n\nwhy\nEOF\n)"')).toBe(
      'feat: third thing',
    );
    expect(commitSubject('git status')).toBeUndefined();
  });
});

describe('texts of any kind', () => {
  it.each([
    ['capitals with stops', 'A. '.repeat(100_000)],
    ['one word', 'x'.repeat(300_000)],
    ['brackets', '[('.repeat(150_000)],
    ['stars and bars', '**|'.repeat(100_000)],
    ['spaces', `|${' '.repeat(300_000)}x`],
    ['backquotes', '`npm '.repeat(60_000)],
    ['always', 'always use '.repeat(30_000)],
    ['control characters', '\u0000\u001b[2J\ud800'.repeat(50_000)],
  ])('%s are taken in', (_, text) => {
    const [record] = exchangeRecords('s', [
      line(0, 'user', { text }),
      line(1, 'tool', { name: 'Bash', target: text.slice(0, 4000), result: text.slice(0, 160) }),
      line(2, 'tool', { name: 'Edit', target: text.slice(0, 200) }),
      line(3, 'assistant', { text }),
    ]);
    expect(record?.summary.length).toBeLessThanOrEqual(160);
    expect(record?.details.length).toBeLessThanOrEqual(600);
  });
});

const madeLine = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('go on', 'Remember that prices are in cents.', "don't amend commits", 'fix `npm test`')
      .map((text) => ({ role: 'user' as const, text })),
  },
  {
    weight: 1,
    arbitrary: fc.constant({ role: 'user' as const, text: 'typed meanwhile', queued: true as const }),
  },
  { weight: 1, arbitrary: fc.constant({ role: 'user' as const, sendsLast: true }) },
  { weight: 1, arbitrary: fc.constant({ role: 'user' as const, text: 'another way', goesBack: true }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('Fixed the basket.', 'The test is wrong because of X.', 'Still failing.')
      .map((text) => ({ role: 'assistant' as const, text })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(undefined, 'Exit code 1\nError: no').map((result) => ({
      role: 'tool' as const,
      name: 'Bash',
      target: 'npm test',
      ...(result ? { result } : {}),
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('a.ts', 'b.ts')
      .map((target) => ({ role: 'tool' as const, name: 'Edit', target })),
  },
  { weight: 1, arbitrary: fc.constant({ role: 'system' as const, name: 'interrupted' }) },
);

/** Lines that fit together: what is sent was queued, what is gone back to was asked. */
const madeLines = fc.array(madeLine, { minLength: 1, maxLength: 40 }).map((made) => {
  const lines: L1Line[] = [];
  made.forEach((it, index) => {
    const src = index * 10;
    const { sendsLast, goesBack, ...rest } = it as typeof it & { sendsLast?: boolean; goesBack?: boolean };
    const queued = lines.findLast((earlier) => earlier.queued);
    const asked = lines.find((earlier) => earlier.role === 'user' && !earlier.queued);
    if (sendsLast && !queued) return;
    lines.push({
      ...line(src, rest.role, rest),
      ...(sendsLast && queued ? { sent: queued.src } : {}),
      ...(goesBack && asked ? { replaces: asked.src } : {}),
    });
  });
  return lines.length > 0 ? lines : [line(0, 'user', { text: 'go' })];
});

describe('a growing session', () => {
  it('gives the same exchanges in any number of steps as at once', () => {
    fc.assert(
      fc.property(madeLines, fc.array(fc.nat(40), { maxLength: 6 }), (lines, cuts) => {
        let known = exchangeRecords('s', lines.slice(0, 1));
        let done = 1;
        for (const cut of [...cuts, lines.length].sort((a, b) => a - b)) {
          const end = Math.min(Math.max(done, cut), lines.length);
          const ends = known.slice(-2);
          const from = ends[0]!.l1_range[0] - 1;
          const made = extendRecords('s', ends, lines.slice(from, end), done - from);
          known = made ? [...known.slice(0, -2), ...made] : exchangeRecords('s', lines.slice(0, end));
          done = end;
        }
        expect(known).toEqual(exchangeRecords('s', lines));
      }),
    );
  });
});
