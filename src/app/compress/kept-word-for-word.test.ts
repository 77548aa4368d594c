import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { sync } from '../sync/sync.ts';
import { type CompressAsk, compressSession } from './compress.ts';
import { readVersion } from './version-files.ts';

const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };

const words = fc
  .array(fc.constantFrom('cache', 'läuft', '行を', 'src/a.ts', 'never', '`x`', '4,096', '🎉'), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => `${all.join(' ')}.`);
/** Whatever a paragraph can hold that might break a layout. */
const odd = fc.constantFrom(
  'plain words',
  'two  blanks\tand a tab',
  'first line\r\nsecond line',
  'a list:\n\n- one\n- ## two',
  'code:\n\n```yaml\n## a: 1\n\nb: 2\n```',
  'open:\n\n```js\nlet x;',
  '<!-- never closed',
  '| a | b |\n|---|---|',
  'x'.repeat(5000),
);
type Said = { by: 'user' | 'assistant' | 'queued' | 'tool' | 'back'; text: string; pinned: string[] };
const said: fc.Arbitrary<Said> = fc
  .tuple(
    fc.constantFrom<Said['by']>('user', 'assistant', 'assistant', 'queued', 'tool', 'back'),
    words,
    fc.option(fc.record({ content: odd, weight: fc.constantFrom('1.00', '1.00', '0.60', '0.10') })),
    fc.nat(9999),
  )
  .map(([by, text, mark, id]) => {
    if (!mark) return { by, text, pinned: [] };
    const content = `n${id} ${mark.content}`;
    const marked = `${text} ##keepit${mark.weight}## ${content}\n##/keepit## ${text}`;
    // A fence that is never closed takes the closing tag along.
    const open = content.startsWith('open:', content.indexOf(' ') + 1);
    return { by, text: marked, pinned: mark.weight === '1.00' && !open ? [content] : [] };
  });

function linesOf(session: Said[]): string {
  const base = { cwd: '/srv/shop', sessionId: 'one', isSidechain: false, version: '2.1.0' };
  let parentUuid: string | null = null;
  const lines: object[] = [];
  session.forEach(({ by, text }, index) => {
    const uuid = `u-${index}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5) + 1000 * index).toISOString();
    const line = { ...base, parentUuid: by === 'back' ? null : parentUuid, uuid, timestamp };
    const id = `m-${index}`;
    if (by === 'queued') {
      lines.push({
        type: 'queue-operation',
        operation: 'enqueue',
        timestamp,
        sessionId: 'one',
        content: text,
      });
      return;
    }
    parentUuid = uuid;
    if (by === 'user' || by === 'back')
      lines.push({ ...line, type: 'user', message: { role: 'user', content: text } });
    else if (by === 'assistant')
      lines.push({
        ...line,
        type: 'assistant',
        message: { id, role: 'assistant', content: [{ type: 'text', text }] },
      });
    else {
      const use = { type: 'tool_use', id: `t-${index}`, name: 'Bash', input: { command: 'cat notes' } };
      const result = { type: 'tool_result', tool_use_id: `t-${index}`, content: text };
      lines.push({ ...line, type: 'assistant', message: { id, role: 'assistant', content: [use] } });
      parentUuid = `${uuid}-r`;
      lines.push({
        ...line,
        parentUuid: uuid,
        uuid: parentUuid,
        type: 'user',
        message: { role: 'user', content: [result] },
      });
    }
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const ask: fc.Arbitrary<CompressAsk> = fc.oneof(
  fc.record({ ratio: fc.constantFrom(1, 1.5, 2, 10, 50, 1000) }),
  fc.record({ preset: fc.constantFrom('gentle', 'standard', 'aggressive') }),
  fc.record({
    ratio: fc.constant(30),
    keepit: fc.constantFrom('preserve-all', 'ignore', 'decay'),
    skipFirst: fc.nat(5),
    telegraphic: fc.boolean(),
    distance: fc.nat(12),
  }),
);

test('pinned text is byte for byte in every version of a session that was read, stored and compressed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 12 }),
      fc.array(ask, { minLength: 3, maxLength: 3 }),
      async (session, asks) => {
        const world = makeWorld();
        try {
          mkdirSync(join(world.projects, '-srv-shop'), { recursive: true });
          writeFileSync(join(world.projects, '-srv-shop', 'one.jsonl'), linesOf(session));
          await sync(world);
          // A queue line alone is no proof that someone typed it.
          const isProven = session.some(({ by }) => by !== 'tool' && by !== 'queued');
          const spoken = isProven ? session.filter(({ by }) => by !== 'tool') : [];
          for (const one of spoken.length === 0 ? [] : asks) {
            const [made] = await compressSession(world, ref, { ...one, force: true });
            const { markdown } = await readVersion(world, ref, made!.version!);
            const kept = new Set(made!.receipt.keepits.filter((it) => it.survives).map((it) => it.markerId));
            const record = (await world.archive.open(ref.project))!.manifest.sessions.one!;
            for (const marker of record.keepitMarkers) {
              if (kept.has(marker.markerId)) expect(markdown).toContain(marker.content);
              if (marker.weight === 1 && !marker.held) expect(kept).toContain(marker.markerId);
            }
            for (const content of spoken.flatMap(({ by, pinned }) => (by === 'assistant' ? [] : pinned)))
              expect(markdown).toContain(content);
          }
        } finally {
          await world.remove();
        }
      },
    ),
    { numRuns: 12 },
  );
});
