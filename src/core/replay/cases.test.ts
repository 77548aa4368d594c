import { describe, expect, test } from 'vitest';
import { sameWords } from '../text/plain-text.ts';
import { askedAgain } from './asked-again.ts';
import { type CaseRules, type CaseSession, knownTo } from './case-session.ts';
import { contradictedInjections } from './contradicted.ts';
import { echoShare } from './echo-share.ts';
import { bestCases, figuresOf, sumFigures, unsaidCases, worstCases } from './figures.ts';
import { findCases } from './find-cases.ts';
import { instructionsIn } from './instructions.ts';
import type { SessionMoments } from './moment.ts';
import { offPoint } from './off-point.ts';
import { repeatedInstructions } from './repeated-instructions.ts';
import type { ReplayCase, ReplayedInjection } from './replay-case.ts';
import { returnedErrors } from './returned-errors.ts';
import { namedFiles, searchedFiles } from './searched-files.ts';
import { touchedLines } from './touched-lines.ts';

const rules: CaseRules = {
  isSameWish: (a, b) => sameWords(a).slice(0, 12) === sameWords(b).slice(0, 12),
  negates: (a, b) => b === `not ${a}`,
  isSameFailure: (now, before) => now.error === before.error,
  isQuestion: (text) => text.endsWith('?'),
};
const at = (src: number, ts = `2026-01-01T00:00:${String(src).padStart(2, '0')}Z`) => ({
  exchange: `ex_${src}`,
  src,
  ts,
});
const nothing: SessionMoments = {
  prompts: [],
  instructions: [],
  failures: [],
  fixes: [],
  files: [],
  answers: [],
};

function session(
  day: number,
  moments: Partial<SessionMoments>,
  rest: Partial<CaseSession> = {},
): CaseSession {
  const date = `2026-01-0${day}`;
  return {
    project: 'p',
    session: `s${day}`,
    first: `${date}T10:00:00Z`,
    last: `${date}T11:00:00Z`,
    moments: { ...nothing, ...moments },
    stated: [],
    injections: [],
    ...rest,
  };
}
function injection(text: string, rest: Partial<ReplayedInjection> = {}): ReplayedInjection {
  const base = { on: 'start' as const, src: 0, ts: '2026-01-02T10:00:00Z', tokens: 9, offer: false };
  return { ...base, sources: [], used: [], echo: 0, text, ...rest };
}

describe('instructions', () => {
  const say = (...texts: string[]) => {
    const prompts = texts.map((text, n) => ({ ...at(n + 1), text }));
    return { prompts, instructions: instructionsIn(prompts, []) };
  };

  test('only how to work is one: no report, no question, no order of the day, no output', () => {
    const { instructions } = say(
      'Please always run the linter. Fix the test.',
      "I don't know why it fails. Should we never do that? It does not work.",
      '✗ git never restore',
      'Never push to main.',
    );
    expect(instructions.map(({ text }) => text)).toEqual([
      'Please always run the linter.',
      'Never push to main.',
    ]);
  });

  test('one that an earlier session had is a case, once, and says whether it would have been said', () => {
    const first = session(1, say('Never push to main, ask me first.'));
    const later = session(2, say('Fix it. Never push to main.', 'Once more: fix. Never push to main!'), {
      injections: [injection('rule r_1\n> Never push to main, ask me first.')],
    });
    const [found, ...more] = repeatedInstructions(later, [first], rules);
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      before: { session: 's1', src: 1, exchange: 'ex_1' },
      again: { session: 's2', src: 1 },
      said: { on: 'start', text: expect.stringContaining('> Never push to main') },
    });
    const unsaid = repeatedInstructions({ ...later, injections: [] }, [first], rules);
    expect(unsaid[0]!.said).toBeUndefined();
  });

  test('said only after the user repeated it, it does not count as said', () => {
    const first = session(1, say('Never push to main, ask me first.'));
    const late = injection('> Never push to main, ask me first.', { on: 'prompt', src: 5 });
    const later = session(2, say('Fix it. Never push to main.'), { injections: [late] });
    expect(repeatedInstructions(later, [first], rules)[0]!.said).toBeUndefined();
  });

  test('a whole prompt that is sent again is a template and no case', () => {
    const text = 'Never push to main.';
    expect(repeatedInstructions(session(2, say(text)), [session(1, say(text))], rules)).toEqual([]);
  });
});

test('a session is known only once it was over', () => {
  const long = session(1, {}, { last: '2026-01-05T00:00:00Z' });
  const all = [session(1, {}), long, session(2, {}), session(3, {})];
  expect(knownTo(session(3, {}), all).map((it) => it.session)).toEqual(['s2', 's1']);
});

test('an error that came back has the fix of the earlier session, several times in a session as one case', () => {
  const fix = { ...at(3), command: 'gen', error: 'not found', form: '', worked: './gen', workedAt: at(4) };
  const fail = (src: number) => ({ ...at(src), command: 'gen', error: 'not found', form: '' });
  const found = returnedErrors(
    session(2, { failures: [fail(1), fail(2), { ...fail(3), error: 'other' }] }),
    [session(1, { fixes: [fix] })],
    rules,
  );
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ kind: 'error', value: 4, before: { session: 's1', ...at(4) } });
  // What worked is first: a line is cut at its end.
  expect(found[0]!.before.text).toMatch(/^worked: \.\/gen\n/);
});

describe('files', () => {
  const file = (name: string, searches: string[] = [], changed = true) => ({
    ...at(9),
    file: name,
    changed,
    searches,
    opened: at(8),
  });
  const before = session(1, { files: [file('src/price-list.ts'), file('src/other.ts')] });
  const named = injection('## Files\n> src/price-list.ts, src/a.ts');

  test('named, changed by the session before, and searched for by name', () => {
    const now = session(
      2,
      { files: [file('src/price-list.ts', ['Glob **/price*.ts']), file('src/new.ts')] },
      {
        injections: [named],
      },
    );
    const { changedAgain, named: known, ofLast } = namedFiles(now, [before]);
    expect([changedAgain.length, known.length, ofLast.length]).toEqual([1, 1, 1]);
    expect(searchedFiles(now, [before])).toHaveLength(1);
  });

  test.each([
    ['Grep priceList src', true],
    ['Grep price list src/price-list.ts', true],
    ['Grep roundPrice src/price-list.ts', false],
    ['Glob **/*.ts', false],
    ['Bash find . -name "price*"', true],
    ['Bash rg -n price_list src', true],
    ['Grep cents|round src/price*.ts', false],
  ])('%s is a search for it: %s', (search, isOne) => {
    const now = session(2, { files: [file('src/price-list.ts', [search])] }, { injections: [named] });
    expect(searchedFiles(now, [before])).toHaveLength(isOne ? 1 : 0);
  });

  test('one that was only read before counts when it is searched for, not as changed again; unnamed it is not said', () => {
    const read = session(1, { files: [file('src/price-list.ts', [], false)] });
    const now = session(2, { files: [file('src/price-list.ts', ['Grep priceList src'], false)] });
    expect(searchedFiles(now, [read])).toMatchObject([
      { kind: 'file', before: { session: 's1', text: 'opened: src/price-list.ts' } },
    ]);
    expect(searchedFiles(now, [read])[0]!.said).toBeUndefined();
    expect(searchedFiles(now, [before, read])[0]!.before.text).toBe('changed: src/price-list.ts');
    expect(searchedFiles({ ...now, injections: [named] }, [read])[0]!.said).toMatchObject({ on: 'start' });
    expect(namedFiles(now, [before]).changedAgain).toEqual([]);
    expect(searchedFiles(now, [session(1, {})])).toEqual([]);
  });

  test('what only a longer path has is not named', () => {
    const now = session(
      2,
      { files: [file('src/other.ts')] },
      { injections: [injection('> lib/src/other.ts')] },
    );
    expect(namedFiles(now, [before]).named).toEqual([]);
  });
});

test('a question that the user had answered, and one that an earlier exchange had dealt with', () => {
  const question = 'Which database should the billing service store its invoices in?';
  const before = session(1, {
    answers: [{ ...at(2), question, answer: 'Postgres (the one we run)' }],
    prompts: [{ ...at(4), text: 'How do invoices get their number?' }],
  });
  const passage = injection('# Memory\n> user: How do invoices\n> assistant: By a counter', {
    on: 'prompt',
    src: 7,
    echo: 0.4,
    sources: [{ session: 's1', exchange: 'ex_4' }],
  });
  const now = session(
    2,
    {
      answers: [
        {
          ...at(3),
          question: 'Which database should this billing service store invoices in now?',
          answer: 'Postgres',
        },
      ],
      prompts: [{ ...at(7), text: 'Where does the number of invoices come from?' }],
    },
    { injections: [passage] },
  );
  const [asked, dealt] = askedAgain(now, [before], rules);
  expect(asked).toMatchObject({ before: { src: 2 }, again: { src: 3 } });
  expect(dealt).toMatchObject({
    before: { src: 4, session: 's1' },
    again: { src: 7 },
    said: { on: 'prompt' },
  });
  const off = { ...now, injections: [{ ...passage, echo: 0.05 }] };
  expect(askedAgain(off, [before], rules)).toHaveLength(1);
  expect(offPoint(off, [before])).toMatchObject([{ kind: 'off-point', again: { src: 7 } }]);
  expect(offPoint({ ...now, injections: [{ ...passage, used: ['a.ts'] }] }, [before])).toEqual([]);
});

describe('off the point', () => {
  const before = session(1, { prompts: [{ ...at(4), text: 'How do invoices get their number?' }] });
  const sources = [{ session: 's1', exchange: 'ex_4' }];
  const prompts = [{ ...at(7), text: 'Paint the window frames white' }];
  const now = (one: ReplayedInjection) => offPoint(session(2, { prompts }, { injections: [one] }), [before]);

  test('a start of which the session touched no line; one line is enough not to be', () => {
    const start = injection('# Memory\n> invoices: by a counter', {
      sources: [{ session: 's1' }],
      startLines: { shown: 1, touched: 0 },
    });
    expect(now(start)).toMatchObject([
      {
        kind: 'off-point',
        before: { session: 's1' },
        again: { src: 7 },
        said: { on: 'start', to: { session: 's2' } },
      },
    ]);
    expect(now({ ...start, startLines: { shown: 9, touched: 1 } })).toEqual([]);
  });

  test('an offer of something that did not come up', () => {
    const offer = injection('Keepsake has 1 earlier exchange on this: recall "frames"', {
      ...{ on: 'prompt' as const, src: 7, offer: true, sources, echo: 0.1 },
    });
    expect(now(offer)).toMatchObject([{ said: { on: 'prompt', offer: true, text: offer.text } }]);
    expect(now({ ...offer, echo: 0.2 })).toEqual([]);
    const {
      offPoint: many,
      offers,
      starts,
    } = figuresOf([before, session(2, { prompts }, { injections: [offer] })], now(offer));
    expect({ many, offers, starts }).toEqual({
      many: { starts: 0, passages: 0, offers: 1 },
      offers: 1,
      starts: 0,
    });
  });
});

describe('what was taken back', () => {
  const was = 'The cache of tokens is kept for one hour in memory.';
  const stated = (
    id: string,
    text: string,
    ts: string,
    takenBack: CaseSession['stated'][number]['takenBack'] = [],
  ) => ({
    id,
    text,
    own: text,
    exchange: 'ex_1',
    src: 1,
    ts,
    takenBack,
  });

  test('by a later session: a case at what would have been injected before that', () => {
    const first = session(1, {}, { stated: [stated('a', was, '2026-01-01T10:00:00Z')] });
    const got = session(2, {}, { injections: [injection(`> ${was}`)] });
    const by = 'We dropped that cache altogether.';
    const last = session(3, {}, { stated: [stated('b', by, '2026-01-03T10:00:00Z')] });
    const found = contradictedInjections([first, got, last], new Map([['a', by]]), rules);
    expect(found).toMatchObject([
      { before: { session: 's1' }, again: { session: 's3', text: by }, value: 3 },
    ]);
    const told = { ...got, injections: [injection(`> ${was}\n> rejected: "${by}"`)] };
    expect(contradictedInjections([first, told, last], new Map([['a', by]]), rules)).toEqual([]);
  });

  test('in its own session: a case where the verdict speaks of it and is not beside it', () => {
    const by = 'No, tokens are never in a cache.';
    const own = [{ was, src: 4, ts: at(4).ts, by, bySrc: 6, byTs: at(6).ts }];
    const first = session(1, {}, { stated: [stated('a', 'No cache', '2026-01-01T10:00:00Z', own)] });
    const got = session(2, {}, { injections: [injection(`> ${was}`)] });
    expect(contradictedInjections([first, got], new Map(), rules)).toMatchObject([
      {
        before: { src: 4, ts: at(4).ts },
        again: { src: 6, session: 's1', ts: at(6).ts },
        said: { to: { project: 'p', session: 's2', ts: '2026-01-02T10:00:00Z' } },
      },
    ]);
    const unrelated = [{ ...own[0]!, by: "You're right about the layout." }];
    const other = { ...first, stated: [stated('a', 'x', '2026-01-01T10:00:00Z', unrelated)] };
    expect(contradictedInjections([other, got], new Map(), rules)).toEqual([]);
  });
});

test('withdrawn statements are searched by their words, not each statement in each session again', () => {
  let read = 0;
  const many = Array.from({ length: 60 }, (_, day) => {
    const date = new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10);
    const stated = Array.from({ length: 20 }, (_, n) => ({
      id: `${day} ${n}`,
      get text() {
        read++;
        return `Statement ${n} of day ${day} is about the price list.`;
      },
      own: '',
      exchange: '',
      src: n,
      ts: `${date}T10:00:00Z`,
      takenBack: [],
    }));
    const rest = { session: `s${day}`, first: `${date}T10:00:00Z`, last: `${date}T11:00:00Z` };
    return session(1, {}, { ...rest, stated, injections: [injection('> nothing of it')] });
  });
  expect(contradictedInjections(many, new Map(), rules)).toEqual([]);
  expect(read).toBeLessThan(3 * 60 * 20);
});

test('an echo is the share of new words that the agent used next', () => {
  const line = (role: 'user' | 'assistant', text: string, src: number) => ({ ts: '', role, text, src });
  const lines = [
    line('user', 'Which counter numbers invoices?', 1),
    line('assistant', 'The sequence in postgres.', 2),
    line('user', 'ok', 3),
    line('user', 'next', 4),
    line('assistant', 'gapless', 5),
  ];
  const text = '# t\n> invoices: sequence, postgres, gapless, yearly';
  expect(echoShare(text, 1, lines)).toBe(0.5);
});

test('a session touches lines of a start by files, names and several words; what the user says does not count', () => {
  const line = (role: 'user' | 'assistant' | 'tool', text: string, target?: string) => ({
    ...{ ts: '', role, text, src: 0 },
    ...(target ? { target } : {}),
  });
  const start = [
    '# Memory',
    '> src/invoice.ts, src/tax.ts',
    '> The counter is `nextInvoice`, gapless',
    '> Prices round half up, halves of cents never down',
    '> Ovens are cleaned every second evening by the night shift',
  ].join('\n');
  const touched = (...lines: ReturnType<typeof line>[]) => touchedLines(start, lines);
  expect(touched(line('user', 'Paint it'), line('assistant', 'Painted.'))).toEqual({ shown: 4, touched: 0 });
  expect(touched(line('tool', '', 'lib/tax.ts')).touched).toBe(1);
  expect(touched(line('user', 'see tax.ts'), line('tool', '', 'lib/tax.ts')).touched).toBe(0);
  expect(touched(line('assistant', 'It calls `nextInvoice` twice.')).touched).toBe(1);
  expect(touched(line('assistant', 'The ovens are cleaned in the evening.')).touched).toBe(1);
  expect(touched(line('assistant', 'The evening is long.')).touched).toBe(0);
});

describe('the report', () => {
  const one = (kind: ReplayCase['kind'], n: number, said = true): ReplayCase => ({
    id: `${kind}${n}`,
    kind,
    title: '',
    before: { project: 'p', session: `s${n}`, exchange: '', src: n, ts: '', text: '' },
    again: { project: 'p', session: 't', exchange: '', src: n, ts: `2026-01-0${n}`, text: '' },
    ...(said ? { said: { on: 'start' as const, text: '' } } : {}),
    value: n,
  });

  test('best: what would have been said first, few of a kind, one place once; bad ones are not among them', () => {
    const cases = [
      ...[1, 2, 3, 4, 5, 6].map((n) => one('instruction', n)),
      one('error', 9, false),
      one('file', 1),
      one('contradicted', 9),
      { ...one('instruction', 6), id: 'twice' },
    ];
    const ids = bestCases(cases, 20).map(({ id }) => id);
    expect(ids.slice(0, 5)).toEqual([
      'instruction6',
      'instruction5',
      'instruction4',
      'instruction3',
      'file1',
    ]);
    expect(ids).toHaveLength(9);
    expect(ids.indexOf('twice')).toBeGreaterThan(ids.indexOf('error9') - 1);
    expect(unsaidCases(cases, 5).map(({ id }) => id)).toEqual(['error9']);
    expect(worstCases([...cases, one('off-point', 9)], 5).map(({ id }) => id)).toEqual([
      'contradicted9',
      'off-point9',
    ]);
  });

  test('figures are those of the sessions that were asked for, and add up', () => {
    const prompts = [{ ...at(1), text: 'x' }];
    const known = session(1, { prompts });
    const { injections: _, ...unasked } = known;
    const now = session(2, { prompts }, { injections: [injection('> x', { used: ['a'] })] });
    const figures = figuresOf([unasked, now], findCases([unasked, now], new Map(), rules));
    expect(figures).toMatchObject({ sessions: 1, prompts: 1, starts: 1, texts: 1, used: 1, tokens: 9 });
    expect(sumFigures([figures, figures])).toMatchObject({ sessions: 2, tokens: 18, files: { named: 0 } });
  });
});
