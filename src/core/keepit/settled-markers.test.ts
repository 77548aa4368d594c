import { expect, it } from 'vitest';
import { toSessionId } from '../model/ids.ts';
import type { Overlay } from '../model/overlay.ts';
import type { KeepitMarker } from '../model/session.ts';
import { heldThoughSettled, lostSettled } from './settled-markers.ts';

const marker = (markerId: string, held = false): KeepitMarker => ({
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
  held,
  src: 0,
});
const base = (markerId: string) => ({
  overlayId: `o_${markerId}`,
  sessionId: toSessionId('11111111'),
  markerId,
  at: '2026-02-01T00:00:00.000Z',
});
const weigh = (id: string, weight: number): Overlay => ({ ...base(id), action: 'weight', weight });
const confirm = (id: string): Overlay => ({ ...base(id), action: 'confirm' });
const remove = (id: string): Overlay => ({ ...base(id), action: 'remove' });

const lost = (before: KeepitMarker[], now: KeepitMarker[], overlays: Overlay[]) =>
  lostSettled(before, now, overlays).map(({ markerId, weight }) => [markerId, weight]);

it('what the user confirmed or made heavier stays, with its weight', () => {
  const before = [marker('a'), marker('b', true), marker('c')];
  expect(lost(before, [], [weigh('a', 0.9), confirm('b')])).toEqual([
    ['a', 0.9],
    ['b', 0.5],
  ]);
});

it('what is found again, was removed or was made lighter does not', () => {
  const before = [marker('a'), marker('b'), marker('c')];
  const overlays = [weigh('a', 0.9), weigh('b', 0.9), remove('b'), weigh('c', 0.1)];
  expect(lost(before, [marker('a')], overlays)).toEqual([]);
});

it('a marker that the user weighed or confirmed does not wait for confirmation after a later reading', () => {
  const before = [marker('a'), marker('b', true), marker('c'), marker('d', true)];
  const now = ['a', 'b', 'c', 'd'].map((id) => marker(id, true));
  const overlays = [weigh('a', 0.9), confirm('b'), weigh('d', 0.2)];
  // `b` is confirmed by its own overlay, nobody touched `c`, and `d` was held back when it was weighed.
  expect(heldThoughSettled(before, now, overlays).map(({ markerId }) => markerId)).toEqual(['a']);
});
