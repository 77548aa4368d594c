import { expect, it } from 'vitest';
import { turnsFrom } from '../../../test/made/turns.ts';
import { runSteps } from '../model/steps.ts';
import { compressUnits } from './units.ts';

it('a line that only shows whose words another one holds is no piece of a version', () => {
  const turns = turnsFrom([
    { role: 'user', text: 'Print the invoices at night.' },
    { role: 'system', name: 'typed', sent: 0 },
    { role: 'system', name: 'untyped', unproven: true, sent: 0 },
    { role: 'system', name: 'interrupted' },
  ]);
  const units = runSteps(compressUnits(turns, new Map()));
  expect(units.map(({ text }) => text)).toEqual(['Print the invoices at night.', 'interrupted']);
});
