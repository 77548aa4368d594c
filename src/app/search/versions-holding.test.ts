import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compressSession } from '../compress/compress.ts';
import { sync } from '../sync/sync.ts';
import { search } from './search.ts';
import { versionsHolding } from './versions-holding.ts';

const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };

test('a hit names the versions that still contain it, and a damaged version does not disturb the search', async () => {
  const world = makeWorld();
  try {
    mkdirSync(join(world.projects, ref.project));
    const turns = Array.from({ length: 12 }, (_, n) => ({
      you: n === 5 ? 'Is the xylophone tuned?' : `What about basket number ${n}?`,
      agent: `Basket ${n} is full. `.repeat(30),
    }));
    writeFileSync(
      join(world.projects, ref.project, 'one.jsonl'),
      transcript('/srv/shop', 'one', [
        ...turns,
        { you: '##keepit1.00## The zeppelin is pinned.', agent: 'Yes.' },
      ]),
    );
    await sync(world);
    const holding = async (query: string) => {
      const { hits } = await search(world, { query, limit: 1 });
      return (await versionsHolding(world, hits))[0];
    };
    expect(await holding('zeppelin')).toEqual([]);
    await compressSession(world, ref, { ratio: 1 });
    await compressSession(world, ref, { ratio: 500 });
    expect(await holding('zeppelin')).toEqual(['part1_v001', 'part1_v002']);
    expect(await holding('xylophone')).toEqual(['part1_v001']);
    const folder = join(world.places.archive, 'projects', ref.project, 'summaries', 'one');
    const [first] = readdirSync(folder).filter((name) => /v001.*jsonl$/.test(name));
    writeFileSync(join(folder, first!), 'no header\n{"form":');
    expect(await holding('zeppelin')).toEqual(['part1_v002']);
    writeFileSync(join(folder, 'versions.json'), '{');
    expect(await holding('zeppelin')).toEqual([]);
  } finally {
    await world.remove();
  }
});
