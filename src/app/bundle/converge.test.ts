import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edit, histories, newDevice, played, recordsOf, stateOf } from '../../../test/made/converging.ts';

/** `KEEPSAKE_HISTORIES=20000` runs more of them. */
const RUNS = Number(process.env.KEEPSAKE_HISTORIES ?? 2000);

describe('archives that import from each other in any order, any number of times', () => {
  it(`end in the same state when one user owns them (${RUNS} histories)`, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const [first, ...others] = played(history, () => 'me').map(stateOf);
        const same = JSON.stringify(first);
        for (const other of others) if (JSON.stringify(other) !== same) expect(other).toEqual(first);
      }),
      { numRuns: RUNS },
    );
  });

  it('hold the same records when each has a user of its own, and obey only that one', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const devices = played(history, (index) => `user-${index}`);
        const [first, ...others] = devices.map(recordsOf);
        for (const other of others) expect(other).toEqual(first);
        const alone = { ...history, steps: history.steps.filter(({ kind }) => kind === 'edit'), order: [] };
        const apart = alone.devices.map((skew, index) => newDevice(index, skew, `user-${index}`));
        for (const [tick, step] of history.steps.entries())
          if (step.kind === 'edit') edit(apart[step.device % apart.length]!, step, tick);
        for (const [index, device] of devices.entries()) {
          const { versions: _, compositions: __, ...seen } = stateOf(device);
          expect(seen).toEqual(
            expect.objectContaining({ facts: stateOf(apart[index]!).facts, name: seen.name }),
          );
          expect(seen.settings).toEqual(stateOf(apart[index]!).settings);
          expect(seen.keepits).toEqual(stateOf(apart[index]!).keepits);
          expect(seen.concepts).toEqual(stateOf(apart[index]!).concepts);
        }
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });
});
