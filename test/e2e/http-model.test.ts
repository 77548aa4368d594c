import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sync } from '../../src/app/sync/sync.ts';
import { sanitizePath } from '../../src/core/model/ids.ts';
import { transcript } from '../made/conversation.ts';
import { FakeModelServer } from '../made/fake-model-server.ts';
import { HttpClient } from '../made/http-client.ts';
import { makeModelWorld } from '../made/model-world.ts';

test('a model writes a page and a master only if one is named, and both say what was left out', async () => {
  const fake = await FakeModelServer.start();
  const world = makeModelWorld(fake);
  try {
    const cwd = join(world.places.home, 'shop');
    mkdirSync(cwd, { recursive: true });
    const turns = [
      { you: 'Fix the basket rounding in src/basket.ts.', agent: 'The basket rounding is fixed.' },
    ];
    writeFileSync(join(world.projects, 'one.jsonl'), transcript(cwd, 'one', turns));
    await sync(world);
    const client = new HttpClient(world);
    const p = { projectId: sanitizePath(cwd) };
    const page = (body: object) =>
      client.call(
        'post /api/memory/projects/{projectId}/journal/pages/{sessionId}',
        { ...p, sessionId: 'one' },
        { body },
      );
    expect((await page({ dryRun: true })).status).toBe(200);
    expect(fake.asked).toHaveLength(0);
    fake.answer = () =>
      '# Basket rounding\n## Context\nThe basket rounding is fixed.\n## Tracking Points\n- **Done:** The basket rounding is fixed.\n- **Done:** src/ghost.ts was added.';
    const written = await page({ model: 'haiku' });
    expect(written.json).toMatchObject({ saved: true, notes: [expect.stringContaining('src/ghost.ts')] });
    expect(written.json.text).toContain('# Basket rounding');
    fake.answer = () => '## Key Decisions\n- The basket rounding is fixed.';
    const master = await client.call('post /api/memory/projects/{projectId}/journal/synthesis', p, {
      body: { model: 'haiku', dryRun: true },
    });
    expect(master.json.text).toContain('- The basket rounding is fixed.');
    expect(fake.asked).toHaveLength(2);
  } finally {
    await world.remove();
    await fake.stop();
  }
});
