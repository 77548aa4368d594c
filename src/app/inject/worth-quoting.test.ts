import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canSpeak, canSpeakOf } from '../../core/inject/can-speak.ts';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import { KnownSentence } from '../../core/passages/known-sentences.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import type { ChosenPassage } from '../../core/passages/score-sentences.ts';
import { ownWeights } from '../../core/passages/shown-evidence.ts';
import { termsOf } from '../../core/text/terms.ts';
import { worthQuoting } from './worth-quoting.ts';

const NEWS = 'Loaf, crumb, crust, yeast, rye, spelt, barley, malt, oats';

/** An ask, and what was said to it; `rest` is not shown. */
const passage = (ask: string, answer = NEWS, chance = 0.5, rest = ''): ChosenPassage => {
  const turns = [ask, answer, rest].map((text, at) => ({
    kind: at === 0 ? ('user' as const) : ('assistant' as const),
    speaker: '',
    ts: '',
    src: at,
    text,
  }));
  const sentences = turns.map(({ text }, turn) => ({
    turn,
    place: 0,
    text,
    known: new KnownSentence(text),
    fit: 1,
    chance: turn < 2 ? chance / 2 : 0,
    kept: 0,
    features: new Float64Array(),
  }));
  const exchange = { score: 1, asks: true, turns, takenBack: [], stated: [], kept: [] };
  return {
    of: { exchange, score: 1, coverage: 1, held: new Set(), sentences },
    chosen: sentences.slice(0, 2),
  };
};

type Setting = {
  kind?: PromptKind;
  recalls?: boolean | undefined;
  rare?: string[];
  all?: number;
  common?: string[];
  beside?: number;
  answer?: string;
  agreed?: boolean;
  /** How far ahead of every other session the one of the passages is. */
  ahead?: number;
  /** That a sentence of the passages answers, among all that were read. */
  chance?: number;
  /** What else was said in the exchange. */
  rest?: string;
};

/** All words weigh the same, but those that are common. */
function worth(prompt: string, texts: string[], setting: Setting = {}) {
  const { kind = 'do', recalls, rare = [], all = rare.length, common = [], beside = 1.2 } = setting;
  const rarityOf = (term: string) => (common.includes(term) || NEWS.toLowerCase().includes(term) ? 0.1 : 0.7);
  const wanted: WantedWord[] = [...new Set(termsOf(prompt))].map((term) => [
    { term, weight: rarityOf(term) },
  ]);
  const passages = texts.map((text) => passage(text, setting.answer, setting.chance, setting.rest));
  const found = worthQuoting(passages, {
    prompt,
    kind,
    recalls,
    wanted,
    names: { rare, all },
    beside,
    rarityOf,
    aheadOf: () => setting.ahead ?? 1.5,
    ...(setting.agreed === undefined ? {} : { agreed: setting.agreed }),
  });
  const asks = (all: ChosenPassage[]) => all.map(({ chosen }) => chosen[0]!.text);
  return {
    quoted: asks(found.quoted.map(({ passage }) => passage)),
    near: asks(found.near),
    words: found.quoted.flatMap(({ words }) => words),
  };
}

describe('work', () => {
  const PROMPT = 'Round invoice sums of the harbor ledger with bankers rounding in piers.ts';
  const SAME = 'Bankers rounding for invoice sums in the harbor ledger, piers.ts';

  const ORDER = ['quoted', 'offered', 'silent'];
  /** So many words about something else. */
  const others = (count: number) => [...Array(count).keys()].map((at) => `bollard${at}x`).join(' ');

  test('many rare words of the prompt in a passage that is like it are quoted where a session begins', () => {
    expect(worth(PROMPT, [SAME], { rare: ['piers.ts'] }).quoted).toEqual([SAME]);
  });

  test('the same sentences of an exchange about something else are an offer, then nothing', () => {
    const said = (count: number) => {
      const { quoted, near } = worth(PROMPT, [SAME], { rare: ['piers.ts'], rest: others(count) });
      return quoted.length > 0 ? 'quoted' : near.length > 0 ? 'offered' : 'silent';
    };
    const all = [0, 15, 30, 45, 60, 75, 90, 200].map(said);
    expect([...new Set(all)]).toEqual(['quoted', 'offered', 'silent']);
    expect(all).toEqual([...all].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)));
  });

  test('in the middle of a session the exchange must be more like the prompt', () => {
    const quoted = (recalls: boolean | undefined, count: number) =>
      worth(PROMPT, [SAME], { rare: ['piers.ts'], recalls, rest: others(count) }).quoted.length > 0;
    const longest = (recalls: boolean | undefined) =>
      [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60].findLast((count) => quoted(recalls, count))!;
    expect(longest(undefined)).toBeGreaterThan(longest(false));
    expect(longest(false)).toBeGreaterThan(0);
  });

  test('an exchange in which the agent mostly asks is not quoted', () => {
    const asking = (answer: string) => worth(PROMPT, [SAME], { rare: ['piers.ts'], answer }).quoted;
    expect(asking(`${NEWS}: which of them is it?`)).toEqual([]);
    expect(asking(`Please add ${NEWS} to the chat.`)).toEqual([]);
    expect(asking(`I need some clarification on ${NEWS} before I start.`)).toEqual([]);
    expect(asking(`It is one of ${NEWS}.`)).toEqual([SAME]);
  });

  test('the words that it was found by are named as they were written', () => {
    const words = worth(PROMPT, [SAME], { rare: ['piers.ts'] }).words;
    expect(words).toContain('bankers');
    expect(words).toContain('piers.ts');
    expect(words.every((word) => PROMPT.includes(word))).toBe(true);
  });

  test('fewer are worth an offer, and fewer still nothing', () => {
    const [short, some] = ['Round harbor ledger sums for bankers', 'The harbor ledger is for bankers'];
    expect(worth(short, [some])).toMatchObject({ quoted: [], near: [some] });
    expect(worth(PROMPT, ['The harbor opens at eight'])).toMatchObject({ quoted: [], near: [] });
  });

  test('where another session comes near, the same words are an offer', () => {
    const near: Setting = { rare: ['piers.ts'], ahead: 1.1 };
    expect(worth(PROMPT, [SAME], near)).toMatchObject({ quoted: [], near: [SAME] });
    expect(worth(PROMPT, [SAME], { ...near, ahead: 1.4 }).quoted).toEqual([SAME]);
  });

  test('where there is no other session, it must be more like the prompt', () => {
    const padded = (words: number) =>
      `${NEWS} ${Array.from({ length: words }, (_, at) => `bollard${at}x`).join(' ')}`;
    const longest = (ahead: number) =>
      [...Array(80).keys()].findLast(
        (words) =>
          worth(PROMPT, [SAME], { rare: ['piers.ts'], ahead, answer: padded(words) }).quoted.length > 0,
      )!;
    expect(longest(3)).toBeGreaterThan(longest(Number.POSITIVE_INFINITY));
    expect(longest(Number.POSITIVE_INFINITY)).toBeGreaterThan(0);
  });

  test('an offer needs an exchange that holds much of what may answer', () => {
    const some = 'The harbor ledger has bankers rounding';
    expect(worth(PROMPT, [some], { chance: 0.4 }).near).toEqual([some]);
    expect(worth(PROMPT, [some], { chance: 0.2 }).near).toEqual([]);
    expect(worth(PROMPT, [some], { chance: 0.2, recalls: false }).near).toEqual([]);
  });

  test('words that every project uses are not enough', () => {
    const prompt = 'update the tests of the server config and run the build script again before the release';
    expect(worth(prompt, [prompt])).toMatchObject({ quoted: [], near: [] });
  });

  test('what only repeats the prompt is left out', () => {
    expect(worth(PROMPT, [PROMPT], { answer: 'On it.' })).toMatchObject({ quoted: [], near: [] });
  });

  test('a finding that was copied out of an earlier answer does not bring that answer back', () => {
    const other = 'Review the branch';
    const found = (answer: string) => worth(PROMPT, [other], { rare: ['piers.ts'], answer }).quoted;
    const fresh = `${SAME}: ${NEWS}`;
    expect(found(fresh)).toEqual([other]);
    expect(found(`${PROMPT}, oats, barley, malt`)).toEqual([]);
  });

  test('a prompt most of whose names memory never saw gets nothing', () => {
    expect(worth(PROMPT, [SAME], { rare: ['piers.ts'], all: 4 })).toMatchObject({ quoted: [], near: [] });
  });

  test('only the best is quoted', () => {
    const less = 'Bankers rounding for invoice sums in the harbor, piers.ts';
    expect(worth(PROMPT, [less, SAME], { rare: ['piers.ts'] }).quoted).toEqual([SAME]);
  });

  test('another number is a near miss', () => {
    const [five, three] = [`${PROMPT} of story 5`, `${SAME} of story 3`];
    expect(worth(five, [three], { rare: ['piers.ts'] })).toMatchObject({ quoted: [], near: [] });
  });
});

describe('questions', () => {
  const PROMPT = 'does every ovenTimerStop reset the kettle';
  const TEXT = 'ovenTimerStop does reset the kettle';
  const asked: Setting = { kind: 'ask', rare: ['oventimerstop'] };

  test('a name and most words are answered where a session begins, not in its middle', () => {
    expect(worth(PROMPT, [TEXT], asked).quoted).toEqual([TEXT]);
    expect(worth(PROMPT, [TEXT], { ...asked, recalls: false }).quoted).toEqual([]);
    expect(worth(PROMPT, [TEXT], { ...asked, kind: 'ask-here' }).quoted).toEqual([]);
  });

  test('about what is at hand, an offer needs as much as beside work', () => {
    const here: Setting = { kind: 'ask-here' };
    expect(worth('why does this kettle not open', ['the kettle'], here).near).toHaveLength(0);
    const leak = 'why does this kettle leak water on the crane';
    expect(worth(leak, ['the kettle may leak water on a crane'], here).near).toHaveLength(1);
    expect(worth(leak, ['the kettle may leak water on a crane'], { ...here, chance: 0.1 }).near).toEqual([]);
    expect(worth('why does this test fail', ['the test may fail'], here).near).toEqual([]);
  });

  test('not one that fits other projects as well, nor one of common words', () => {
    expect(worth(PROMPT, [TEXT], { ...asked, beside: 1.05 }).quoted).toEqual([]);
    expect(worth('which data does the list use', ['the list, data'], { kind: 'ask' }).quoted).toEqual([]);
  });

  test('about the past, where a session begins: a third of what was asked', () => {
    const prompt = 'was the grouping comment about single temporary loaves';
    expect(worth(prompt, ['group by day'], { kind: 'ask-past' }).quoted).toEqual([]);
    const text = 'temporary loaves are single';
    expect(worth(prompt, [text], { kind: 'ask-past' }).quoted).toEqual([text]);
    expect(worth(prompt, [text], { kind: 'ask-past', recalls: false }).quoted).toEqual([]);
  });

  test('where earlier sessions agree on one, a fifth of what was asked is enough; where they do not, nothing is', () => {
    const prompt = 'which pier gets the kettle, the ledger, the crane and the lamp';
    const text = 'the crane and the lamp stay';
    for (const kind of ['ask', 'ask-past'] as const) {
      expect(worth(prompt, [text], { kind, agreed: true }).quoted).toEqual([text]);
      expect(worth(prompt, ['the crane stays'], { kind, agreed: true }).quoted).toEqual([]);
      expect(worth(prompt, [prompt], { kind, agreed: false }).quoted).toEqual([]);
      expect(worth(prompt, [text], { kind, agreed: true, beside: 1.05 }).quoted).toEqual([]);
    }
  });

  test('in the only project there is, it must be in words that not every project uses', () => {
    const prompt = 'which files does the build script of the crane list';
    const alone: Setting = { kind: 'ask', agreed: true, beside: Number.POSITIVE_INFINITY };
    expect(worth(prompt, ['files of the build script'], alone).quoted).toEqual([]);
    expect(worth(prompt, ['files of the crane'], alone).quoted).toEqual(['files of the crane']);
    expect(worth(prompt, ['files of the build script'], { ...alone, beside: 1.5 }).quoted).toHaveLength(1);
  });

  test('words behind the cut of a long ask are no evidence', () => {
    const long = `${'and so on with it, '.repeat(12)}${TEXT}`;
    expect(worth(PROMPT, [TEXT], asked).quoted).toEqual([TEXT]);
    expect(worth(PROMPT, [long], asked).quoted).toEqual([]);
  });

  test('what recalls something is answered once, by what is like it as a whole', () => {
    const prompt = 'I thought we wanted the kettle on the harbor pier instead of the ledger?';
    const like = 'the kettle goes on the harbor pier, not on the ledger';
    const setting: Setting = { kind: 'ask-past', recalls: true };
    expect(worth(prompt, [like, `${like} wanted`], setting).quoted).toEqual([like]);
    expect(worth(prompt, ['a kettle'], setting).quoted).toEqual([]);
  });
});

describe('what can be known before any exchange is read', () => {
  const WORDS = 'harbor ledger invoice piers.ts quay_rate bankers rounding fix file module crane'.split(' ');
  const words = fc.shuffledSubarray(WORDS, { minLength: 4 });

  test('a prompt that cannot speak is one that nothing is quoted or offered beside', () => {
    let spoke = 0;
    fc.assert(
      fc.property(
        fc.record({
          prompt: words,
          shown: words,
          weights: fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 30, maxLength: 30 }),
          rare: fc.shuffledSubarray(['piers.ts', 'quay_rate']),
          unknown: fc.nat(1),
          kind: fc.constantFrom<PromptKind>('do', 'ask', 'ask-here', 'ask-past'),
          recalls: fc.constantFrom(undefined, true, false),
        }),
        ({ prompt: asked, shown, weights, rare, unknown, kind, recalls }) => {
          const prompt = asked.join(' ');
          const terms = [...new Set(termsOf(prompt))];
          const rarityOf = (term: string) => (weights[terms.indexOf(term)] ?? 4) / 20;
          const wanted = terms.map((term) => [{ term, weight: rarityOf(term) }]);
          const names = { rare: rare.filter((it) => terms.includes(it)), all: rare.length + unknown };
          const { quoted, near } = worthQuoting([passage(shown.join(' '))], {
            ...{ prompt, kind, recalls, wanted, names, rarityOf, beside: 2 },
            aheadOf: () => 2,
          });
          const isOffered = kind !== 'do' && recalls !== false;
          if (quoted.length + near.length === 0) return;
          spoke += isOffered ? 0 : 1;
          expect(canSpeak({ kind, recalls, terms, names }, rarityOf)).toBe(true);
          const held = new Set(terms.filter((term) => termsOf(`${shown.join(' ')}\n${NEWS}`).includes(term)));
          expect(canSpeakOf(held, { kind, recalls, names }, ownWeights(wanted))).toBe(true);
        },
      ),
      { numRuns: 3000, seed: 7 },
    );
    expect(spoke).toBeGreaterThan(50);
  });

  test('an exchange with too few of its words, or without its names, cannot; a question that opens a session is always looked at', () => {
    const terms = ['harbor', 'ledger', 'crane', 'invoice', 'pier', 'quay_rate'];
    const weights = new Map(terms.map((term) => [term, 0.9]));
    const names = { rare: ['quay_rate'], all: 1 };
    const can = (held: string[], kind: PromptKind, recalls?: boolean) =>
      canSpeakOf(new Set(held), { kind, recalls, names }, weights);
    expect(can(terms.slice(-3), 'do', false)).toBe(true);
    expect(can(terms.slice(-2), 'do', false)).toBe(false);
    expect(can(terms.slice(0, -1), 'do', false)).toBe(false);
    expect(can(terms.slice(0, 1), 'ask')).toBe(true);
    // Of a longer prompt it is too small a share for an offer; what opens a session may still be quoted.
    for (let more = 0; more < 4; more++) weights.set(`gull${more}`, 0.9);
    expect(can(terms.slice(-3), 'do', false)).toBe(false);
    expect(can(terms.slice(-3), 'do')).toBe(true);
  });

  test('words that everybody says are not enough, and a question that opens a session is always looked at', () => {
    const names = { rare: [], all: 0 };
    const terms = ['harbor', 'ledger', 'crane'];
    const can = (rarity: number, kind: PromptKind, recalls?: boolean) =>
      canSpeak({ kind, recalls, terms, names }, () => rarity);
    expect([can(0.3, 'do'), can(0.9, 'do'), can(0.3, 'ask', false), can(0.3, 'ask')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});
