import { expect, it } from 'vitest';
import { turnsFrom } from '../../../../test/made/turns.ts';
import { runSteps } from '../../model/steps.ts';
import { joinUnits } from './join-units.ts';
import { compressUnits } from './units.ts';

it('a paragraph after a list is no part of its last item, also where its first sentence is left out', () => {
  const text =
    '1. Wrote the authors anew\n2. Pushed both branches. By force.\n\nAll is well. The mirror follows within an hour.';
  const units = runSteps(compressUnits(turnsFrom([{ role: 'assistant', text }]), new Map()));
  const chosen = units.flatMap((unit, at) => (/Pushed|force|mirror/.test(unit.text) ? [at] : []));
  expect(joinUnits(text, units, chosen, true)).toBe(
    '2. Pushed both branches. By force.\n\nThe mirror follows within an hour.',
  );
});
