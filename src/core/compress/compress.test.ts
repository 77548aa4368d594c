import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { madeSession, settingsOf, turnsFrom } from '../../../test/made/turns.ts';
import type { Aggressiveness, KeepitOutcome, Tier } from '../model/version.ts';
import { loadTokenCounter, type TokenCounter } from '../text/tokens.ts';
import { type Compressed, type CompressInput, compress } from './compress.ts';
import type { KeptContent, Turn } from './turn.ts';
import { layout } from './write/layout.ts';

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

const one = (compactionRatio: number, aggressiveness: Aggressiveness = 'moderate'): Tier[] => [
  { endPercent: 100, compactionRatio, aggressiveness },
];

function run(turns: Turn[], rest: Partial<CompressInput> = {}): Compressed {
  return compress({
    turns,
    kept: [],
    outcomes: [],
    settings: settingsOf(),
    tiers: one(4),
    inputTokens: tokensOf(turns),
    count,
    header: { session: 's1', part: 1 },
    ...rest,
  });
}

/** Text, inputs and outputs, as the whole part is counted. */
function tokensOf(turns: Turn[]): number {
  return turns.reduce((sum, { line, detail }) => {
    const input = detail ? count(`${line.name} ${JSON.stringify(detail.input ?? {})}`) : 0;
    return sum + count(line.text ?? '') + input + count(detail?.output ?? '');
  }, 0);
}

const tierLists = fc.oneof(
  fc.integer({ min: 1, max: 50 }).map((ratio) => one(ratio, ratio > 15 ? 'aggressive' : 'moderate')),
  fc
    .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 10, max: 90 }))
    .map(([first, last, end]): Tier[] => [
      { endPercent: end, compactionRatio: first, aggressiveness: 'aggressive' },
      { endPercent: 100, compactionRatio: last, aggressiveness: 'minimal' },
    ]),
);

/** Who survives, as the three modes decide it. */
const survivors = (kept: KeptContent[], mode: 'decay' | 'preserve-all' | 'ignore') =>
  kept.filter(({ weight }) => mode === 'preserve-all' || weight >= (mode === 'ignore' ? 1 : 0.5));

const asked = fc.record({
  session: madeSession,
  tiers: tierLists,
  keepitMode: fc.constantFrom('decay', 'preserve-all', 'ignore'),
  telegraphic: fc.boolean(),
  skipFirstMessages: fc.constantFrom(0, 0, 0, 2, 100),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

function make({ session, tiers, keepitMode, telegraphic, skipFirstMessages }: Asked) {
  const kept = survivors(session.kept, keepitMode);
  const mode = tiers.length === 1 ? 'uniform' : 'tiered';
  const settings = settingsOf({ mode, keepitMode, telegraphic, skipFirstMessages });
  const inputTokens = tokensOf(session.turns);
  const version = run(session.turns, { kept, settings, tiers, inputTokens });
  return { version, kept, inputTokens, turns: session.turns, skipped: skipFirstMessages > 0 };
}

describe('the laws of a compression', () => {
  it('has pinned content byte for byte, whatever the session, the ratio, the tiers, the mode', () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const { version, kept, skipped } = make(ask);
        for (const { content, weight, markerId } of kept) {
          if (weight < 1 && skipped) continue;
          expect(version.markdown).toContain(content);
          const holds = version.lines.find((line) => line.kept?.includes(markerId));
          expect(holds?.text).toContain(content);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is never larger than the ratio allows, unless kept content alone is, and then says so', () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const { version, inputTokens } = make(ask);
        expect(version.outputTokens).toBe(version.markdown === '' ? 0 : count(version.markdown));
        const ratio = Math.min(...ask.tiers.map((tier) => tier.compactionRatio));
        if (version.outputTokens <= Math.floor(inputTokens / ratio)) return;
        expect(version.receipt.reason).toMatch(
          /^Kept content alone takes \d+ tokens; the ratio allows \d+\.$/,
        );
        expect(version.lines.every((line) => line.form === 'kept')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('by hand: what is shrunk instead of kept never makes it larger, however many and whatever is dropped', () => {
    const way = fc.constantFrom('keep', 'shrink', 'drop');
    fc.assert(
      fc.property(
        madeSession,
        fc.array(way, { minLength: 1, maxLength: 9 }),
        fc.nat(60),
        (session, ways, noise) => {
          const inputTokens = (1 + noise) * tokensOf(session.turns);
          const ids = [...new Set(session.turns.map(({ exchange }) => exchange))];
          const tokensWith = (shrunk: 'keep' | 'shrink') => {
            const chosen = (index: number) => ways[index % ways.length] ?? 'keep';
            const choices = Object.fromEntries(
              ids.map((id, index) => [id, chosen(index) === 'shrink' ? shrunk : chosen(index)]),
            );
            const settings = settingsOf({ mode: 'manual', choices });
            return run(session.turns, { kept: session.kept, settings, inputTokens }).outputTokens;
          };
          expect(tokensWith('shrink')).toBeLessThanOrEqual(tokensWith('keep'));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps the order, gives every line its sources, and lays the same lines out the same', () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const { version, turns } = make(ask);
        let exchange = 0;
        const before = { talk: 0, tools: 0 };
        for (const line of version.lines) {
          expect(line.l1.length).toBeGreaterThan(0);
          expect(line.src).toEqual(line.l1.map((at) => turns[at - 1]!.line.src));
          if (line.form === 'title') continue;
          // Exchanges in order; in each what was said, then what tools did, each in order.
          const own = turns.findIndex((turn) => turn.exchange === line.exchange);
          expect(own).toBeGreaterThanOrEqual(exchange);
          const kind = line.form === 'tool' || line.form === 'code' ? 'tools' : 'talk';
          if (own === exchange) expect(line.l1[0]).toBeGreaterThanOrEqual(before[kind]);
          if (own > exchange) Object.assign(before, { talk: 0, tools: 0 });
          exchange = own;
          before[kind] = line.l1[0]!;
        }
        const stored = version.jsonl.split('\n').filter(Boolean);
        const again = layout(stored.map((line) => JSON.parse(line)));
        expect(again.markdown).toBe(version.markdown);
        if (version.markdown !== '') {
          expect(again.lineOf).toHaveLength(version.markdown.slice(0, -1).split('\n').length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('includes the ask before anything that it caused, however small the budget', () => {
    fc.assert(
      fc.property(asked, (ask) => {
        const plain = { ...ask, session: { ...ask.session, kept: [] }, skipFirstMessages: 0 as const };
        const { version, turns } = make(plain);
        const opened = new Set<string>();
        for (const { form, frame, exchange, text } of version.lines) {
          if (form === 'title' || form === 'gap') continue;
          const first = turns.find((turn) => turn.exchange === exchange)!.line;
          if (form === 'ask' && (text !== '' || first.role !== 'user')) opened.add(exchange);
          // Everything is included there, the ask too.
          if (frame === 'none') continue;
          if (first.role === 'user') expect(opened).toContain(exchange);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('cuts no word', () => {
    const words = (text: string) => text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
    fc.assert(
      fc.property(asked, (ask) => {
        // Kept content may end anywhere: what is around it is separate.
        const { version, turns } = make({ ...ask, session: { ...ask.session, kept: [] } });
        for (const line of version.lines) {
          if (line.form !== 'said' && line.form !== 'ask') continue;
          const known = new Set(line.l1.flatMap((at) => words(turns[at - 1]!.line.text ?? '')));
          expect(words(line.text).filter((word) => !known.has(word))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

const talk = (length: number): Turn[] =>
  turnsFrom(
    Array.from({ length }, (_, index) => [
      {
        role: 'user' as const,
        text: `Please look at module number ${index}. It fails since release ${index % 7}.`,
      },
      {
        role: 'tool' as const,
        name: 'Bash',
        target: `npm test -- module-${index}`,
        detail: { output: `line ${index}\n`.repeat(30), isError: false },
      },
      {
        role: 'assistant' as const,
        text: `Module ${index} failed because cache_${index} was stale. I cleared it. Tests pass now.`,
      },
    ]).flat(),
  );

describe('compressing', () => {
  it('uses what the ratio allows', () => {
    const turns = talk(80);
    for (const ratio of [2, 4, 10, 30]) {
      const { outputTokens, receipt } = run(turns, { tiers: one(ratio) });
      const allowed = Math.floor(tokensOf(turns) / ratio);
      expect(outputTokens).toBeLessThanOrEqual(allowed);
      if (receipt.reason === undefined) expect(outputTokens).toBeGreaterThanOrEqual(0.95 * allowed);
      if (ratio >= 10) expect(receipt.reason).toBeUndefined();
    }
  });

  it('includes everything, also tool outputs, at 1:1', () => {
    const turns = talk(3);
    const { markdown, receipt } = run(turns, { tiers: one(1), inputTokens: 2 * tokensOf(turns) });
    for (const { line, detail } of turns) {
      if (line.text) expect(markdown).toContain(line.text);
      if (detail?.output) expect(markdown).toContain(detail.output.trim());
    }
    expect(receipt.reason).toMatch(/no more content/);
    expect(receipt.commands).toEqual({ total: 3, kept: 3, lost: [] });
  });

  it('lets no frame push out a word at 1:1', () => {
    const short = talk(3).map(({ detail: _, ...turn }) => turn);
    const [ask] = turnsFrom([{ role: 'user', text: 'Only this one, and nothing else.' }]);
    // Less than the words with marks around them, more than the words.
    for (const turns of [[ask!], short]) {
      const bare = count(turns.map(({ line }) => line.text ?? `- Bash: ${line.target}`).join('\n\n'));
      const { markdown, outputTokens } = run(turns, { tiers: one(1), inputTokens: bare + 2 });
      for (const { line } of turns) expect(markdown).toContain(line.text ?? line.target);
      expect(outputTokens).toBeLessThanOrEqual(bare + 2);
    }
  });

  it('includes all of L1 before any line of output', () => {
    const turns = talk(12);
    const half = run(turns, { tiers: one(2) });
    expect(half.outputTokens).toBeLessThanOrEqual(tokensOf(turns) / 2);
    for (const { line } of turns) expect(half.markdown).toContain(line.text ?? line.target);
    expect(half.markdown).toContain('line 11\n');
  });

  it('says why when nothing at all is short enough', () => {
    const { receipt, markdown } = run(talk(1), { tiers: one(1000) });
    expect(markdown).toBe('');
    expect(receipt.reason).toBe('The ratio allows 0 tokens; no message is that short.');
  });

  it('makes nothing of nothing', () => {
    const { markdown, jsonl, lines, outputTokens, receipt } = run([]);
    expect([markdown, jsonl, lines, outputTokens]).toEqual(['', '', [], 0]);
    expect(receipt.paths).toEqual({ total: 0, kept: 0, lost: [] });
  });

  it('manages a session of nothing but tool calls', () => {
    const turns = turnsFrom(
      Array.from({ length: 40 }, (_, index) => ({
        role: 'tool' as const,
        name: 'Read',
        target: `src/file-${index}.ts`,
        detail: { output: 'text of the file\n'.repeat(40), isError: false },
      })),
    );
    const { markdown, outputTokens, receipt } = run(turns, { tiers: one(20) });
    expect(outputTokens).toBeGreaterThan(0);
    expect(markdown).toMatch(/- Read: src\/file-\d+\.ts, src\/file-\d+\.ts/);
    expect(receipt.paths.total).toBe(40);
  });

  it('leaves out the first messages with their tools, but not what is pinned in them', () => {
    const turns = talk(4);
    const kept = [
      { markerId: 'km_1', src: 0, content: 'It fails since release 0.', weight: 1 },
      { markerId: 'km_2', src: 0, content: 'Please look', weight: 0.9 },
    ];
    const outcomes: KeepitOutcome[] = kept.map(({ markerId, weight }) => ({
      markerId,
      weight: weight * 10_000,
      threshold: 5000,
      survives: true,
      why: 'x',
    }));
    const settings = settingsOf({ skipFirstMessages: 2 });
    const { markdown, receipt } = run(turns, { kept, outcomes, settings, tiers: one(1) });
    expect(markdown).toContain('It fails since release 0.');
    expect(markdown).not.toContain('module-0');
    expect(markdown).not.toContain('cache_0');
    expect(markdown).toContain('cache_1');
    expect(receipt.keepits.map(({ survives }) => survives)).toEqual([true, false]);
    const all = settingsOf({ skipFirstMessages: 2, keepitMode: 'preserve-all' });
    const whole = run(turns, { kept, outcomes, settings: all, tiers: one(1) });
    expect(whole.markdown).toContain('Please look');
    expect(whole.receipt.keepits.map(({ survives }) => survives)).toEqual([true, true]);
  });

  it('does by hand what each exchange was given', () => {
    const turns = talk(3);
    const kept = [{ markerId: 'km_1', src: 600, content: 'number 2', weight: 1 }];
    const choices = { ex_1: 'keep', ex_2: 'shrink', ex_3: 'drop' } as const;
    const { markdown } = run(turns, { kept, settings: settingsOf({ mode: 'manual', choices }) });
    expect(markdown).toContain('Module 0 failed because cache_0 was stale. I cleared it. Tests pass now.');
    expect(markdown).toContain('npm test -- module-0');
    expect(markdown).not.toContain('line 0');
    expect(markdown).not.toContain('line 1');
    expect(markdown).toContain('number 2');
    expect(markdown).not.toContain('cache_2');
  });

  it('by hand: what tools printed is no reason to shrink to more than is kept', () => {
    const loud = {
      input: { command: 'npm test' },
      output: 'ok and nothing else\n'.repeat(2000),
      isError: false,
    };
    const turns = talk(6).map((turn) => (turn.detail ? { ...turn, detail: loud } : turn));
    const by = (way: 'keep' | 'shrink') =>
      run(turns, {
        settings: settingsOf({
          mode: 'manual',
          choices: Object.fromEntries(turns.map((it) => [it.exchange, way])),
        }),
      }).outputTokens;
    expect(by('shrink')).toBeLessThanOrEqual(0.6 * by('keep'));
  });

  it('shortens old messages more than new ones in tiers, each within its own budget', () => {
    const turns = talk(100);
    const tiers: Tier[] = [
      { endPercent: 50, compactionRatio: 30, aggressiveness: 'aggressive' },
      { endPercent: 100, compactionRatio: 3, aggressiveness: 'minimal' },
    ];
    const { lines } = run(turns, { settings: settingsOf({ mode: 'tiered' }), tiers });
    const half = (from: number, to: number) =>
      count(
        layout(lines.filter((line) => line.form !== 'title' && line.l1[0]! > from && line.l1[0]! <= to))
          .markdown,
      );
    const tokens = tokensOf(turns);
    expect(half(0, 150)).toBeLessThanOrEqual(tokens / 2 / 30 + 8);
    expect(half(150, 300)).toBeLessThanOrEqual(tokens / 2 / 3);
    expect(half(150, 300)).toBeGreaterThan((0.9 * tokens) / 2 / 3);
  });

  it('puts what was abandoned last, and marks it', () => {
    const turns = talk(20).map((turn) => ({ ...turn, abandoned: turn.exchange === 'ex_5' }));
    expect(run(turns, { tiers: one(12) }).markdown).not.toContain('cache_4 ');
    expect(run(turns, { tiers: one(1) }).markdown).toMatch(/## 10:12 \(abandoned\) Please look/);
  });

  it('prefers what fits the topic', () => {
    const turns = talk(60);
    const topic = { score: (at: number) => (at >= 31 && at <= 33 ? 1 : 0) };
    expect(run(turns, { tiers: one(40), topic }).markdown).toContain('cache_10');
    expect(run(turns, { tiers: one(40) }).markdown).not.toContain('cache_10');
  });

  it('leaves small words out of English prose at aggressive levels only', () => {
    const text =
      'The reader was not able to open `the file` because it is on the other disk of the 2 machines.';
    const turns = turnsFrom([
      { role: 'user', text: 'Why?' },
      { role: 'assistant', text },
    ]);
    const settings = settingsOf({ telegraphic: true });
    const rest = { settings, inputTokens: 400 };
    expect(run(turns, { ...rest, tiers: one(4, 'minimal') }).markdown).toContain(text);
    const short = run(turns, { ...rest, tiers: one(4, 'aggressive') }).markdown;
    expect(short).toContain('not able open `the file` because other disk 2 machines.');
  });

  it('says what of the paths, commands and errors is there', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Mend src/core/parse.ts and src/data.ts.' },
      { role: 'tool', name: 'Bash', target: 'npm test', result: 'Exit code 1\nFAIL parse' },
      { role: 'tool', name: 'Edit', target: 'src/core/parse.ts' },
    ]);
    const whole = run(turns, { tiers: one(1), inputTokens: 500 }).receipt;
    expect(whole.paths).toEqual({ total: 2, kept: 2, lost: [] });
    expect([whole.commands.kept, whole.errors.kept]).toEqual([1, 1]);
    const none = run(turns, { tiers: one(50), inputTokens: 50 }).receipt;
    expect(none.paths).toEqual({ total: 2, kept: 0, lost: ['src/core/parse.ts', 'src/data.ts'] });
    expect(none.errors.lost).toEqual(['failed: Exit code 1 | FAIL parse']);
  });
});
