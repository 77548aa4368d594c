import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { termsOf } from '../text/terms.ts';
import { fillPassages } from './fill.ts';
import type { PassageExchange, PassageTurn, WantedWord } from './passage.ts';
import { passageText } from './render.ts';
import { scoreSentences } from './score-sentences.ts';

const turn = (kind: PassageTurn['kind'], text: string, src = 0): PassageTurn => ({
  kind,
  speaker: kind,
  ts: '2026-01-05T10:00:00.000Z',
  src,
  text,
});
const exchange = (turns: PassageTurn[], more: Partial<PassageExchange> = {}): PassageExchange => ({
  score: 1,
  asks: turns[0]?.kind === 'user',
  turns,
  takenBack: [],
  stated: [],
  kept: [],
  ...more,
});
const asked = (question: string): WantedWord[] => termsOf(question).map((term) => [{ term, weight: 1 }]);
const passages = (exchanges: PassageExchange[], question: string, budget: number) =>
  fillPassages(scoreSentences(exchanges, { words: asked(question), question }), {
    budget,
    count: estimateTokens,
    heading: 10,
  });
const texts = (exchanges: PassageExchange[], question: string, budget = 1000) =>
  passages(exchanges, question, budget).map(passageText);

const WORDS = [
  'cache',
  'token',
  'The fix is here.',
  'because',
  '\n',
  '- item',
  '```\ncode\n```',
  'Why?',
  '。',
  'Let me look.',
];
const someTurn = fc.record({
  kind: fc.constantFrom(
    'user' as const,
    'assistant' as const,
    'commit' as const,
    'plan' as const,
    'summary' as const,
    'statement' as const,
  ),
  text: fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { maxLength: 30 })
    .map((words) => words.join(' ')),
});
const someExchange = fc
  .record({
    turns: fc.array(someTurn, { minLength: 1, maxLength: 6 }),
    score: fc.double({ min: 0, max: 4, noNaN: true }),
  })
  .map(({ turns, score }) =>
    exchange(
      turns.map(({ kind, text }, src) => turn(kind, text, src)),
      { score },
    ),
  );

describe('passages', () => {
  it('never cost more than the budget', () => {
    fc.assert(
      fc.property(fc.array(someExchange, { maxLength: 8 }), fc.nat(600), (exchanges, budget) => {
        const chosen = passages(exchanges, 'token cache fix', budget);
        const cost = chosen.reduce((sum, one) => sum + 10 + estimateTokens(passageText(one)), 0);
        expect(cost).toBeLessThanOrEqual(Math.max(budget, 0));
      }),
    );
  });

  it('do not say again as a statement what is quoted already', () => {
    const ask = 'Why is the token cache slow? It reads the token twice, since the lock is not held.';
    const [text] = texts(
      [
        exchange([
          turn('user', ask),
          turn('assistant', 'The token cache holds its lock now.'),
          turn('statement', `User: "${ask}" (in src/cache.ts, src/token.ts)`),
          turn('statement', 'The token cache takes the lock before it reads, because of the writers.'),
        ]),
      ],
      'token cache lock',
    );
    expect(text!.split('reads the token twice')).toHaveLength(2);
    expect(text).toContain('because of the writers');
  });

  it('do not keep a sentence beside a statement that contains it', () => {
    const sentence = 'The stop hook reads the whole transcript and updates the checkpoint with it.';
    const statement = `Everything is settled by one event when a turn has ended. ${sentence}`;
    const [text] = texts(
      [
        exchange([
          turn('user', 'What happens to the checkpoint?'),
          turn('assistant', sentence),
          turn('statement', statement),
        ]),
      ],
      'stop hook transcript checkpoint',
    );
    expect(text).toBe(`user: What happens to the checkpoint?\nstatement: ${statement}`);
  });

  it('quote: every sentence is in its turn', () => {
    fc.assert(
      fc.property(fc.array(someExchange, { maxLength: 8 }), (exchanges) => {
        for (const { of, chosen } of passages(exchanges, 'token cache fix', 500))
          for (const { turn, text } of chosen) expect(of.exchange.turns[turn]!.text).toContain(text);
      }),
    );
  });

  it('begin with the ask and hold the sentences that answer, in their order, behind their speakers', () => {
    const [text] = texts(
      [
        exchange([
          turn('user', 'Why is the token cache slow?'),
          turn(
            'assistant',
            'Let me look at the code. I read three files about nothing of interest to anybody here.',
          ),
          turn('assistant', 'The token cache is slow because it is read twice. Weather was fine.'),
        ]),
      ],
      'token cache slow',
      45,
    );
    expect(text).toBe(
      'user: Why is the token cache slow?\nassistant: The token cache is slow because it is read twice. Weather was fine.',
    );
  });

  it('show what was taken back with its verdict', () => {
    const [text] = texts(
      [
        exchange(
          [turn('user', 'Why is it slow?'), turn('assistant', 'The token cache is the root cause.', 7)],
          {
            takenBack: [
              { src: 7, was: 'The token cache is the root cause.', verdict: 'rejected: “no, the index”' },
            ],
          },
        ),
      ],
      'token cache',
    );
    expect(text).toContain('The token cache is the root cause. (rejected: “no, the index”)');
  });

  it('prefer what the user marked to be kept, or confirmed', () => {
    const one = (weight: number) =>
      exchange(
        [
          turn('user', 'What about the feed?'),
          turn(
            'assistant',
            'The parser of the feed skips empty rows. Then it stops there for a while. The parser of the feed keeps other rows.',
            7,
          ),
        ],
        { kept: [{ src: 7, text: 'The parser of the feed keeps other rows.', weight }] },
      );
    const chanceOf = (weight: number) =>
      scoreSentences([one(weight)], {
        words: asked('parser feed rows'),
        question: 'parser feed rows',
      })[0]!.sentences.find(({ text }) => text.includes('keeps'))!.chance;
    expect(chanceOf(1)).toBeGreaterThan(1.2 * chanceOf(0));
    expect(chanceOf(1)).toBeGreaterThan(chanceOf(0.5));
  });

  it('let a statement compete as one piece, and do not repeat the words that it is made of', () => {
    const option = 'Option 2: only in memory, on every machine of the whole team.';
    const stated = `Where is the token cache kept? -> ${option}`;
    const one = exchange([
      turn('user', 'Where do we keep it?', 1),
      turn('assistant', `Option 1: on a disk. ${option} Tell me.`, 2),
      turn('user', '2 please', 3),
      { ...turn('statement', stated, 3), speaker: 'decided' },
    ]);
    const [text] = texts([one], 'where is the token cache kept', 200);
    expect(text).toContain(`decided: ${stated}`);
    expect(text!.split('of the whole team')).toHaveLength(2);
  });

  it('say the same words once', () => {
    const same = () =>
      exchange([turn('user', 'Go on.'), turn('assistant', 'The token cache has two layers.')]);
    expect(texts([same(), same()], 'token cache').join('\n').split('two layers')).toHaveLength(2);
  });

  it('say nearly the same words once', () => {
    const said = (how: string) =>
      exchange([
        turn('user', how),
        turn('assistant', `The token cache has two layers, memory and disk, shared by ${how} workers.`),
      ]);
    const text = texts([said('all'), said('both')], 'token cache layers').join('\n');
    expect(text.split('two layers')).toHaveLength(2);
  });

  it('prefer a reason where one is asked for, and a number where a number is', () => {
    const one = exchange([
      turn('user', 'Go on with the token cache.'),
      turn('assistant', 'Token cache lookups got slower because every read takes the lock again.'),
      turn('assistant', 'Token cache lookups got slower and take 250 ms now on that machine here.'),
    ]);
    const chanceOf = (question: string, words: string) => {
      const [scored] = scoreSentences([one], { words: asked('token cache lookups'), question });
      return scored!.sentences.find(({ text }) => text.includes(words))!.chance;
    };
    expect(chanceOf('Why are token cache lookups slow?', 'because')).toBeGreaterThan(
      chanceOf('Which token cache lookups are slow?', 'because'),
    );
    expect(chanceOf('How long do token cache lookups take?', '250')).toBeGreaterThan(
      chanceOf('Are token cache lookups slow?', '250'),
    );
  });

  it('have chances that add up to one, whatever was said', () => {
    fc.assert(
      fc.property(fc.array(someExchange, { maxLength: 8 }), (exchanges) => {
        const scored = scoreSentences(exchanges, { words: asked('token cache fix'), question: 'Why?' });
        const chances = scored.flatMap(({ sentences }) => sentences.map(({ chance }) => chance));
        const sum = chances.reduce((all, one) => all + one, 0);
        expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true);
        expect(sum).toBeCloseTo(chances.length === 0 ? 0 : 1, 6);
      }),
    );
  });

  it('put the better exchange first, whatever order they come in', () => {
    const good = exchange([
      turn('user', 'Token cache?'),
      turn('assistant', 'The token cache has two layers.'),
    ]);
    const other = exchange([turn('user', 'Lunch?'), turn('assistant', 'A token of thanks for all.')]);
    expect(texts([other, good], 'token cache layers')[0]).toContain('two layers');
  });
});
