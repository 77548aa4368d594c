import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSessionId } from '../model/ids.ts';
import type { Overlay } from '../model/overlay.ts';
import type { KeepitMarker } from '../model/session.ts';
import { effectiveMarkers, removedMarkers, withSurvival } from './overlays.ts';

const marker = (markerId: string, of: Partial<KeepitMarker> = {}): KeepitMarker => ({
  markerId,
  messageUuid: 'm1',
  weight: 0.5,
  content: `content of ${markerId}`,
  position: { start: 0, end: 10 },
  context: '',
  createdAt: '2026-01-05T10:00:00Z',
  survivedIn: [],
  summarizedIn: [],
  origin: 'user',
  held: false,
  src: 0,
  ...of,
});
const base = (markerId: string) => ({
  overlayId: 'o',
  sessionId: toSessionId('s1'),
  markerId,
  at: '2026-02-01T00:00:00.000Z',
});
const weigh = (id: string, weight: number): Overlay => ({ ...base(id), action: 'weight', weight });
const remove = (id: string): Overlay => ({ ...base(id), action: 'remove' });
const confirm = (id: string): Overlay => ({ ...base(id), action: 'confirm' });
const add = (id: string, weight: number, src = 5): Overlay => ({
  ...base(id),
  action: 'add',
  weight,
  messageUuid: 'm2',
  content: 'Kept later.',
  position: { start: 3, end: 14 },
  context: 'before … after',
  origin: 'assistant',
  src,
});

describe('effectiveMarkers', () => {
  it('without overlays gives what was detected, in the order of the text', () => {
    const second = marker('a', { src: 9 });
    const first = marker('b', { src: 2, position: { start: 7, end: 9 } });
    const before = marker('c', { src: 2, position: { start: 1, end: 9 } });
    expect(effectiveMarkers([second, first, before], [])).toEqual([before, first, second]);
  });

  it('a new weight counts, and the written one is remembered until they agree again', () => {
    const [changed] = effectiveMarkers([marker('a')], [weigh('a', 0.9)]);
    expect(changed).toMatchObject({ weight: 0.9, writtenWeight: 0.5 });
    const [back] = effectiveMarkers([marker('a')], [weigh('a', 0.9), weigh('a', 0.5)]);
    expect(back).toEqual(marker('a'));
  });

  it('a removed marker is gone, can be named, and comes back with a weight', () => {
    const overlays = [weigh('a', 0.75), remove('a')];
    expect(effectiveMarkers([marker('a')], overlays)).toEqual([]);
    expect(removedMarkers([marker('a')], overlays)).toMatchObject([{ markerId: 'a', weight: 0.75 }]);
    expect(effectiveMarkers([marker('a')], [...overlays, weigh('a', 0.5)])).toEqual([marker('a')]);
  });

  it('one that waits for confirmation counts once it is confirmed', () => {
    const held = marker('a', { held: true, origin: 'assistant' });
    expect(effectiveMarkers([held], [confirm('a')])).toMatchObject([{ held: false, confirmed: true }]);
    expect(effectiveMarkers([held], [weigh('a', 1)])).toMatchObject([{ held: true }]);
    expect(effectiveMarkers([marker('b')], [confirm('b')])).toEqual([marker('b')]);
  });

  it('an added one is listed with the others, and adding it again changes its weight', () => {
    const markers = effectiveMarkers([marker('z', { src: 99 })], [add('k', 0.8), add('k', 0.9)]);
    expect(markers.map((it) => [it.markerId, it.weight, it.added])).toEqual([
      ['k', 0.9, true],
      ['z', 0.5, undefined],
    ]);
    expect(markers[0]).toMatchObject({ content: 'Kept later.', createdAt: base('k').at, held: false });
    const old = { ...add('k', 0.8), saidAt: '2026-01-02T08:00:00Z' };
    expect(effectiveMarkers([], [old])).toMatchObject([{ createdAt: '2026-01-02T08:00:00Z' }]);
    expect(effectiveMarkers([], [add('k', 0.8), remove('k')])).toEqual([]);
  });
});

describe('laws', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const weight = fc.integer({ min: 0, max: 100 }).map((it) => it / 100);
  const overlay = fc.oneof(
    fc.tuple(id, weight).map(([it, to]) => weigh(it, to)),
    id.map(remove),
    id.map(confirm),
    fc.tuple(id, weight).map(([it, to]) => add(it, to)),
  );
  const overlays = fc.array(overlay, { maxLength: 12 });
  const detected = fc.uniqueArray(
    fc.record({ id: fc.constantFrom('a', 'b', 'c'), src: fc.nat(3), held: fc.boolean() }),
    { selector: (it) => it.id, maxLength: 3 },
  );
  const made = detected.map((list) => list.map((it) => marker(it.id, { src: it.src, held: it.held })));

  it('applying overlays to what they gave changes nothing more', () => {
    fc.assert(
      fc.property(made, overlays, (markers, list) => {
        const once = effectiveMarkers(markers, list);
        expect(effectiveMarkers(once, list)).toEqual(once);
      }),
    );
  });

  it('the order of what was detected does not matter, and nothing is changed in place', () => {
    fc.assert(
      fc.property(made, overlays, (markers, list) => {
        const before = structuredClone(markers);
        const there = effectiveMarkers(markers, list);
        expect(effectiveMarkers([...markers].reverse(), list)).toEqual(there);
        expect(markers).toEqual(before);
      }),
    );
  });

  it('every marker is either there or removed, never both, and the last word decides', () => {
    fc.assert(
      fc.property(made, overlays, (markers, list) => {
        const there = effectiveMarkers(markers, list).map((it) => it.markerId);
        const gone = removedMarkers(markers, list).map((it) => it.markerId);
        expect(there.filter((it) => gone.includes(it))).toEqual([]);
        const known = new Set([
          ...markers.map((it) => it.markerId),
          ...list.filter((it) => it.action === 'add').map((it) => it.markerId),
        ]);
        expect(new Set([...there, ...gone])).toEqual(known);
        for (const it of there) {
          const last = list.findLast((one) => one.markerId === it && one.action !== 'confirm');
          expect(last?.action).not.toBe('remove');
        }
      }),
    );
  });

  it('a marker that nobody knows is not made by a weight, a removal or a confirmation', () => {
    fc.assert(
      fc.property(made, weight, (markers, to) => {
        const list = [weigh('nobody', to), remove('nobody'), confirm('nobody')];
        expect(effectiveMarkers(markers, list)).toEqual(effectiveMarkers(markers, []));
      }),
    );
  });
});

it('survival is shown by version, in the order of the versions', () => {
  const compressions = [
    { versionId: 'part1_v001', survived: ['a', 'b'], summarized: [] },
    { versionId: 'part1_v002', survived: ['a'], summarized: ['b', 'unknown'] },
  ];
  const stale = marker('a', { survivedIn: ['part9_v999'] });
  expect(withSurvival([stale, marker('b'), marker('c')], compressions)).toMatchObject([
    { survivedIn: ['part1_v001', 'part1_v002'], summarizedIn: [] },
    { survivedIn: ['part1_v001'], summarizedIn: ['part1_v002'] },
    { survivedIn: [], summarizedIn: [] },
  ]);
});
