import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Archive,
  edit,
  histories,
  newDevice,
  played,
  projectState,
  recordsOf,
  stateOf,
} from '../../../test/made/converging.ts';

/** `KEEPSAKE_HISTORIES=20000` runs more of them. */
const RUNS = Number(process.env.KEEPSAKE_HISTORIES ?? 2000);

describe('archives that import from each other in any order, any number of times', () => {
  it(`end in the same state when one user owns them (${RUNS} histories)`, () => {
    fc.assert(
      fc.property(histories, (history) => {
        const [first, ...others] = played(history, () => 'me').map(projectState);
        const same = JSON.stringify(first);
        for (const other of others) if (JSON.stringify(other) !== same) expect(other).toEqual(first);
      }),
      { numRuns: RUNS },
    );
  });

  it('have the same records if each has its own user, and obey only that one', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const archives = played(history, (index) => `user-${index}`);
        const [first, ...others] = archives.map((archive) => [...archive.values()].flatMap(recordsOf).sort());
        for (const other of others) expect(other).toEqual(first);
        const apart = archives.map((): Archive => new Map());
        const folderOf = (index: number, folder: number) => {
          const owner = `user-${index}`;
          const known =
            apart[index]!.get(folder) ?? newDevice(index, history.devices[index]!, { owner, folder });
          apart[index]!.set(folder, known);
          return known;
        };
        for (const [tick, step] of history.steps.entries())
          if (step.kind === 'edit') edit(folderOf(step.device % apart.length, step.folder), step, tick);
        for (const device of archives.flatMap((archive) => [...archive.values()])) {
          const { versions: _, compositions: __, ...seen } = stateOf(device);
          const own = stateOf(folderOf(device.index, device.folder));
          expect(seen).toEqual(expect.objectContaining({ facts: own.facts, name: seen.name }));
          expect(seen.settings).toEqual(own.settings);
          expect(seen.keepits).toEqual(own.keepits);
          expect(seen.concepts).toEqual(own.concepts);
        }
      }),
      { numRuns: Math.ceil(RUNS / 20) },
    );
  });
});
