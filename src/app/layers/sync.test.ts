import { expect, test } from 'vitest';
import { makeWorld } from '../../../test/made/world.ts';
import { toProjectId } from '../../core/model/ids.ts';
import { newReport } from '../sync-report.ts';
import { layersAfter } from './sync.ts';

const PROJECT = toProjectId('-srv-shop');

/** How often the layers of a project with so many refined sessions are made. */
async function made(sessions: number, others: number): Promise<number> {
  const world = makeWorld();
  let looked = 0;
  const names = [
    ...Array.from({ length: sessions }, (_, index) => `s${index}.l1.jsonl`),
    ...Array.from({ length: others }, (_, index) => `s${index}.l2.json`),
  ];
  const { archive } = world;
  const watched = {
    ...world,
    archive: {
      ...archive,
      head: async () => {
        looked++;
        return undefined;
      },
      files: { ...archive.files, list: async () => names },
    },
  } as typeof world;
  try {
    const registered = [{ projectId: PROJECT }, { projectId: PROJECT }];
    await layersAfter(watched, registered, { report: newReport() });
  } finally {
    await world.remove();
  }
  return looked;
}

test('after a session was registered by name, the layers of a small project are made at once, those of a large one later', async () => {
  const once = await made(1, 0);
  expect(once).toBeGreaterThan(0);
  expect(await made(400, 400)).toBe(once);
  expect(await made(401, 0)).toBe(0);
});
