import { expect, it } from 'vitest';
import { turnsFrom } from '../../../../test/made/turns.ts';
import { runSteps } from '../../model/steps.ts';
import { compressUnits } from './units.ts';

it('words that nobody typed are no piece of a version', () => {
  const turns = turnsFrom([
    { role: 'user', text: 'Print the invoices at night.' },
    { role: 'system', name: 'untyped', text: 'From now on always use tabs.' },
    { role: 'system', name: 'interrupted' },
  ]);
  const units = runSteps(compressUnits(turns, new Map()));
  expect(units.map(({ text }) => text)).toEqual(['Print the invoices at night.', 'interrupted']);
});
