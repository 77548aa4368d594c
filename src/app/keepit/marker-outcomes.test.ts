import { describe, expect, test } from 'vitest';
import { settingsOf, turnsFrom } from '../../../test/made/turns.ts';
import type { Overlay } from '../../core/model/overlay.ts';
import type { KeepitMarker } from '../../core/model/session.ts';
import type { Tier } from '../../core/model/version.ts';
import { markersThen, markerWeights, marksOf } from './marker-outcomes.ts';

const SESSION = '11111111-aaaa-4aaa-8aaa-000000000001';

function marker(
  markerId: string,
  src: number,
  weight: number,
  more: Partial<KeepitMarker> = {},
): KeepitMarker {
  return {
    markerId,
    messageUuid: `m-${src}`,
    weight,
    content: `words of ${markerId}`,
    position: { start: 0, end: 5 },
    context: '',
    createdAt: '2026-01-05T10:00:00.000Z',
    survivedIn: [],
    summarizedIn: [],
    origin: 'user',
    held: false,
    src,
    ...more,
  };
}

const base = { sessionId: SESSION, at: '2026-01-06T10:00:00.000Z', hlc: '0000000000001', device: 'd' };
const overlay = (rest: object) => ({ ...base, ...rest }) as unknown as Overlay;
const added = overlay({
  action: 'add',
  overlayId: 'o1',
  markerId: 'k_added',
  weight: 0.4,
  messageUuid: 'm-100',
  content: 'added words',
  position: { start: 0, end: 5 },
  context: '',
  origin: 'user',
  src: 100,
});
const reweighed = overlay({ action: 'weight', overlayId: 'o2', markerId: 'k_first', weight: 0.9 });

describe('markers of a part', () => {
  const detected = [marker('k_before', 99, 0.1), marker('k_first', 100, 0.5), marker('k_held', 200, 0.7)];
  const last = [marker('k_end', 300, 0.2)];

  test('are those from its first byte up to, but without, its end, with their current weights', () => {
    const held = detected.map((it) => (it.markerId === 'k_held' ? { ...it, held: true } : it));
    const { weights, held: waiting } = markerWeights([...held, ...last], [added, reweighed], [100, 300]);
    expect({ ...weights }).toEqual({ k_first: 0.9, k_added: 0.4, k_held: 0.7 });
    expect(waiting).toEqual(['k_held']);
  });

  test('are in a record without a prototype', () => {
    const { weights, held } = markerWeights([], [], [0, 1]);
    expect(Object.getPrototypeOf(weights)).toBeNull();
    expect(held).toEqual([]);
  });
});

describe('markers of a version that exists', () => {
  const detected = [marker('k_first', 100, 0.5), marker('k_held', 200, 0.7), marker('k_later', 250, 0.6)];
  const settings = settingsOf({ weights: { k_first: 0.3, k_added: 0.4, k_held: 0.8 }, held: ['k_held'] });

  test('have the weights of their time, whatever changed later', () => {
    const then = markersThen(detected, [added, reweighed], settings);
    expect(then.map(({ markerId, weight, held }) => [markerId, weight, held])).toEqual([
      ['k_added', 0.4, false],
      ['k_first', 0.3, false],
      ['k_held', 0.8, true],
    ]);
  });

  test('do not include names that every object has', () => {
    const odd = [marker('constructor', 100, 0.5), marker('toString', 200, 0.5)];
    expect(markersThen(odd, [], settingsOf())).toEqual([]);
  });
});

describe('which markers survive', () => {
  const turns = turnsFrom([
    { role: 'user', text: 'one' },
    { role: 'tool', name: 'Bash' },
    { role: 'assistant', text: 'two' },
    { role: 'user', text: 'three' },
    { role: 'assistant', text: 'four' },
  ]);
  const [first, second, third, fourth] = [0, 200, 300, 400];
  const tiers: Tier[] = [
    { endPercent: 50, compactionRatio: 50, aggressiveness: 'aggressive' },
    { endPercent: 100, compactionRatio: 2, aggressiveness: 'light' },
  ];
  const ids = (kept: { markerId: string }[]) => kept.map(({ markerId }) => markerId);

  test('depends on the tier of their message, counted in messages and not in calls', () => {
    const markers = [first, second, third, fourth].map((src) => marker(`k_${src}`, src, 0.4));
    const { kept, outcomes } = marksOf(markers, turns, settingsOf(), tiers);
    expect(kept).toEqual([
      { markerId: 'k_300', src: 300, content: 'words of k_300', weight: 0.4 },
      { markerId: 'k_400', src: 400, content: 'words of k_400', weight: 0.4 },
    ]);
    expect(outcomes.map(({ threshold }) => threshold)).toEqual([5000, 5000, 1000, 1000]);
  });

  test('depends on the distance of the session and on the mode', () => {
    const markers = [marker('k_far', fourth, 0.11)];
    const at = (settings: Parameters<typeof settingsOf>[0]) =>
      ids(marksOf(markers, turns, settingsOf(settings), tiers).kept);
    expect(at({ sessionDistance: 0 })).toEqual(['k_far']);
    expect(at({ sessionDistance: 10 })).toEqual([]);
    expect(at({ sessionDistance: 10, keepitMode: 'preserve-all' })).toEqual(['k_far']);
    expect(at({ keepitMode: 'ignore' })).toEqual([]);
  });

  test('in a version cut by hand follows the choice for their exchange, and keeps those without one', () => {
    const markers = [
      marker('k_dropped', first, 0.9),
      marker('k_pinned', first, 1),
      marker('k_light', third, 0.29),
      marker('k_heavy', fourth, 0.3),
    ];
    const chosen = (choices: Record<string, 'keep' | 'drop' | 'shrink'> | undefined) =>
      marksOf(markers, turns, settingsOf({ mode: 'manual', ...(choices ? { choices } : {}) }), tiers);
    const { kept, outcomes } = chosen({ ex_1: 'drop', ex_2: 'shrink' });
    expect(ids(kept)).toEqual(['k_pinned', 'k_heavy']);
    expect(outcomes.map(({ why }) => why)).toEqual([
      'keepits are ignored unless pinned, weight 0.90',
      'pinned, weight 1.00: always survives',
      '0.30 + 10/100 x 0/10 = 0.30, weight 0.29',
      '0.30 + 10/100 x 0/10 = 0.30, weight 0.30',
    ]);
    expect(ids(chosen({ ex_1: 'keep' }).kept)).toEqual(ids(markers));
    expect(ids(chosen(undefined).kept)).toEqual(ids(markers));
    const elsewhere = marksOf([marker('k_other', 999, 0)], turns, settingsOf({ mode: 'manual' }), tiers);
    expect(ids(elsewhere.kept)).toEqual(['k_other']);
  });
});
