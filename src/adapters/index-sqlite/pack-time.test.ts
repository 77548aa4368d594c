import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packTime, unpackTime } from './pack-time.ts';

test('every time comes back, and takes a number', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date(253_402_300_799_999), noInvalidDate: true }),
      (date) => {
        const packed = packTime(date.toISOString());
        expect(packed).toBeTypeOf('number');
        expect(unpackTime(packed)).toBe(date.toISOString());
      },
    ),
  );
});

test('any other text comes back too', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
      (text) => {
        expect(unpackTime(packTime(text))).toBe(text);
      },
    ),
  );
});

test('later is greater', () => {
  const times = [
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00.000Z',
    '2026-01-31T00:00:00.000Z',
    '2026-02-01T00:00:00.000Z',
  ];
  const packed = times.map((time) => Number(packTime(time)));
  expect(packed.toSorted((a, b) => a - b)).toEqual(packed);
});
