import { describe, expect, test } from 'vitest';
import type { PromptKind } from '../../core/inject/prompt-kind.ts';
import type { WantedWord } from '../../core/passages/passage.ts';
import type { ChosenPassage } from '../../core/passages/score-sentences.ts';
import { termsOf } from '../../core/text/terms.ts';
import { worthQuoting } from './worth-quoting.ts';

const passage = (text: string): ChosenPassage => {
  const turns = [{ kind: 'user' as const, speaker: 'user', ts: '', src: 0, text }];
  const sentence = { turn: 0, place: 0, text, terms: termsOf(text), fit: 1, chance: 1, kept: 0 };
  const chosen = [{ ...sentence, features: new Float64Array() }];
  const exchange = { score: 1, asks: true, turns, takenBack: [], stated: [], kept: [] };
  return { of: { exchange, score: 1, coverage: 1, sentences: chosen }, chosen };
};

/** All words weigh the same, but those that are common. */
const wantedIn = (prompt: string, common: string[]): WantedWord[] =>
  [...new Set(termsOf(prompt))].map((term) => [{ term, weight: common.includes(term) ? 0.1 : 0.7 }]);

function quoted(
  prompt: string,
  texts: string[],
  { kind = 'do' as PromptKind, rare = [] as string[], all = 0, common = [] as string[], beside = 2 } = {},
) {
  const wanted = wantedIn(prompt, common);
  const names = { rare, all: all || rare.length };
  const rarityOf = (term: string) => (common.includes(term) ? 0.1 : 0.7);
  const asked = { prompt, kind, wanted, names, beside, rarityOf };
  return worthQuoting(texts.map(passage), asked).map(({ passage }) => passage.chosen[0]!.text);
}

describe('work', () => {
  const common = ['run', 'fail'];

  test('a command in common says nothing, whatever its parts are', () => {
    const asked = { rare: ['test:ci'], common };
    expect(quoted('mise run test:ci fails', ['I run test:ci and it fails by types'], asked)).toEqual([]);
  });

  test('a name with other words of the prompt does', () => {
    const asked = { rare: ['oven-timer.ts'], common };
    const text = 'oven-timer.ts counts seconds while the dough rises';
    expect(quoted('why does oven-timer.ts count seconds', [text], asked)).toEqual([text]);
  });

  test('names that are alike count once, a file beside its path, too', () => {
    const shops = { rare: ['old-bakery-local', 'old-bakery-staging'], common };
    expect(
      quoted('old-bakery-local or old-bakery-staging', ['old-bakery-local, old-bakery-staging'], shops),
    ).toEqual([]);
    const paths = { rare: ['oven.ts', 'src/parts/oven.ts'], common: ['src', 'part', 'ts'] };
    expect(quoted('[oven.ts](src/parts/oven.ts) run', ['[oven.ts](src/parts/oven.ts) again'], paths)).toEqual(
      [],
    );
  });

  test('a prompt most of whose names memory never saw gets nothing', () => {
    const asked = { rare: ['oven.ts', 'dough.ts'], all: 4 };
    expect(quoted('oven.ts dough.ts flour.ts', ['oven.ts and dough.ts'], asked)).toEqual([]);
  });

  test('the best comes first; a second brings another word, or is left out', () => {
    const asked = { rare: ['oven.ts', 'dough.ts'] };
    const prompt = 'oven.ts and dough.ts rise slowly';
    const [best, less] = ['oven.ts and dough.ts rise', 'oven.ts and dough.ts'];
    expect(quoted(prompt, [less, best], asked)).toEqual([best]);
    expect(quoted(prompt, [best, 'oven.ts, dough.ts: slowly'], asked)).toEqual([
      best,
      'oven.ts, dough.ts: slowly',
    ]);
  });

  test('another number is a near miss', () => {
    const asked = { rare: ['oven.ts', 'dough.ts'] };
    expect(quoted('oven.ts and dough.ts of story 5', ['oven.ts and dough.ts of story 3'], asked)).toEqual([]);
  });
});

describe('questions', () => {
  test('common words are not enough, nor is a question that fits other projects as well', () => {
    const asked = { kind: 'ask' as const, common: ['everi', 'last'] };
    const common = [...asked.common, ...termsOf('ovenTimerStop reset')];
    expect(
      quoted('does every ovenTimerStop reset the last', ['ovenTimerStop, reset'], { ...asked, common }),
    ).toEqual([]);
    expect(
      quoted('does every ovenTimerStop reset the last', ['ovenTimerStop, reset'], { ...asked, beside: 1.05 }),
    ).toEqual([]);
    const text = 'ovenTimerStop does reset the last loaf';
    expect(
      quoted('does every ovenTimerStop reset the last', [text], { ...asked, rare: ['oventimerstop'] }),
    ).toEqual([text]);
    expect(quoted('does every ovenTimerStop reset flour, salt and water on mondays', [text], asked)).toEqual(
      [],
    );
  });

  test('about the past: a third of what was asked', () => {
    const past = { kind: 'ask-past' as const };
    const prompt = 'was the grouping comment about single temporary loaves';
    expect(quoted(prompt, ['group by day'], past)).toEqual([]);
    expect(quoted(prompt, ['temporary loaves are single'], past)).toEqual(['temporary loaves are single']);
  });
});
