import { expect, test } from 'vitest';
import { makeGate } from './gate.ts';

test('a ticket opens once, within two minutes; all secrets differ', () => {
  let now = 0;
  const gate = makeGate(() => now);
  expect(new Set([gate.token, gate.cookie, gate.key, gate.ticket(), gate.ticket()]).size).toBe(5);
  const [used, late] = [gate.ticket(), gate.ticket()];
  now = 119_000;
  expect([gate.takeTicket(used), gate.takeTicket(used)]).toEqual([true, false]);
  now = 121_000;
  expect(gate.takeTicket(late)).toBe(false);
  expect(gate.takeTicket('')).toBe(false);
});
