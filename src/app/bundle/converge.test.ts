import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Device,
  edit,
  histories,
  merge,
  newDevice,
  recordsOf,
  type Step,
  stateOf,
} from '../../../test/made/converging.ts';

/** `KEEPSAKE_HISTORIES=20000` runs more of them. */
const RUNS = Number(process.env.KEEPSAKE_HISTORIES ?? 2000);

type History = { devices: number[]; steps: Step[]; order: [number, number][] };

function run({ devices: skews, steps, order }: History, ownerOf: (index: number) => string): Device[] {
  const devices = skews.map((skew, index) => newDevice(index, skew, ownerOf(index)));
  const at = (index: number) => devices[index % devices.length]!;
  for (const [tick, step] of steps.entries()) {
    if (step.kind === 'edit') edit(at(step.device), step, tick);
    else for (let time = 0; time <= Number(step.twice); time++) merge(at(step.from), at(step.to));
  }
  for (const [from, to] of order) merge(at(from), at(to));
  // One hears of everything, and then everybody does.
  const [hub, ...others] = devices;
  for (const from of others) merge(from, hub!);
  for (const to of others) merge(hub!, to);
  return devices;
}

describe('archives that import from each other in any order, any number of times', () => {
  it(`end in the same state when one user owns them (${RUNS} histories)`, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const [first, ...others] = run(history, () => 'me').map(stateOf);
        const same = JSON.stringify(first);
        for (const other of others) if (JSON.stringify(other) !== same) expect(other).toEqual(first);
      }),
      { numRuns: RUNS },
    );
  });

  it('hold the same records when each has a user of its own, and obey only that one', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const devices = run(history, (index) => `user-${index}`);
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
      { numRuns: Math.ceil(RUNS / 10) },
    );
  });
});
