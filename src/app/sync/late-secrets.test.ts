import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { compose } from '../compose/compose.ts';
import { compressSession } from '../compress/compress.ts';
import { addFact } from '../layers/facts-edit.ts';
import { verify } from '../maintenance/verify.ts';
import { search } from '../search/search.ts';
import { sync } from './sync.ts';

const PROJECT = '-srv-shop' as ProjectId;
/** Nothing but a place shows that these are secrets. */
const VALUES = ['kX9vQ2zT7wLm', 'correct-horse7battery', 'Zq8#tR5vNw2y', 'pT4mWx9Lk2Rv8Bn3'];
let made: TestWorld | undefined;

afterEach(async () => made?.remove());

/** A line in which a value is recognized, or is just there; `n` tells lines apart. */
type Said = { value: number; form: 'bare' | 'cut' | 'known' | 'none'; who: 'user' | 'assistant' | 'tool' };

const said: fc.Arbitrary<Said> = fc.record({
  value: fc.nat({ max: VALUES.length - 1 }),
  form: fc.constantFrom('bare', 'bare', 'cut', 'known', 'none'),
  who: fc.constantFrom('user', 'assistant', 'tool'),
});

function line({ value, form, who }: Said, n: number): string {
  const word = VALUES[value]!;
  const text = {
    bare: `Put ${word} into the form ##keepit0.50## and the ${word} there.`,
    cut: `${'z'.repeat(390)} ${word} is cut.`,
    known: `export DB_PASSWORD='${word}'`,
    none: `Step ${n} is done.`,
  }[form];
  const at = {
    cwd: '/srv/shop',
    sessionId: 'one',
    timestamp: `2026-03-01T00:00:${String(n).padStart(2, '0')}Z`,
  };
  const message =
    who === 'user'
      ? { role: 'user', content: text }
      : {
          role: 'assistant',
          id: `m${n}`,
          content: [
            who === 'assistant'
              ? { type: 'text', text }
              : { type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: text } },
          ],
        };
  return `${JSON.stringify({ type: who === 'user' ? 'user' : 'assistant', uuid: `u${n}`, ...at, message })}\n`;
}

/** Every derived file by its name, but what says when it was written. */
function derived(world: TestWorld): Map<string, string> {
  const root = world.places.archive;
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('/originals/') && !path.endsWith('lock.sqlite'))
      .map((path) => [path.slice(root.length), readFileSync(path, 'latin1')]),
  );
}

function layersOf(files: Map<string, string>): Record<string, string> {
  return Object.fromEntries([...files].filter(([path]) => /\/memory\/sessions\//.test(path)));
}

describe('a secret that a later line shows to be one', () => {
  it('leaves versions, compositions, memory.md, pages, notes and what the user wrote', async () => {
    made = makeWorld();
    const path = join(made.projects, 'one.jsonl');
    const root = join(made.places.home, 'shop');
    mkdirSync(root, { recursive: true });
    const at = (text: string) => text.replaceAll('/srv/shop', root);
    const bare = { value: 0, form: 'bare', who: 'user' } as const;
    writeFileSync(path, at(line(bare, 0) + line({ ...bare, who: 'assistant' }, 1)));
    await sync(made);
    const [project] = await made.archive.projects();
    const ref = { project: project!, session: 'one' as SessionId };
    await compressSession(made, ref, { ratio: 1.2 });
    await compose(made, 'all', { budget: 50_000, sessions: ['one:original'] });
    await addFact(made, { content: `The form takes ${VALUES[0]}, always.`, project: ref.project });
    await made.archive.files.write(ref.project, 'memory/memory.md', `- user: ${VALUES[0]} and more\n`);
    mkdirSync(join(root, '_memory'));
    writeFileSync(join(root, '_memory', 'master.md'), `# ${VALUES[0]}\n`);
    const held = [...derived(made)].filter(([, text]) => text.includes(VALUES[0]!)).map(([file]) => file);
    for (const folder of ['/summaries/', '/composed/', '/memory/memory.md'])
      expect(
        held.some((file) => file.includes(folder)),
        folder,
      ).toBe(true);
    appendFileSync(path, at(line({ value: 0, form: 'known', who: 'tool' }, 2)));
    await sync(made);
    for (const [file, text] of derived(made)) expect(text.includes(VALUES[0]!), file).toBe(false);
    expect(readFileSync(join(root, '_memory', 'master.md'), 'utf8')).not.toContain(VALUES[0]!);
    expect(await verify(made)).toMatchObject({ passed: true });
  });

  it('leaves what was made from the lines before it, the index and the layers, too', async () => {
    made = makeWorld();
    const path = join(made.projects, 'one.jsonl');
    const bare = { value: 0, form: 'bare', who: 'user' } as const;
    writeFileSync(path, line(bare, 0) + line({ ...bare, who: 'assistant' }, 1));
    await sync(made);
    expect([...derived(made).values()].join('')).toContain(VALUES[0]!);
    appendFileSync(path, line({ value: 0, form: 'known', who: 'tool' }, 2));
    await sync(made);
    for (const [file, text] of derived(made)) expect(text.includes(VALUES[0]!), file).toBe(false);
    expect((await search(made, { query: VALUES[0]! })).hits).toEqual([]);
    expect([...derived(made).values()].join('')).toContain('[redacted]**');
  });

  it('gives the same bytes in any number of steps as at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(said, { minLength: 2, maxLength: 8 }),
        fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
        async (all, cuts) => {
          const lines = all.map(line);
          const [once, stepped] = [makeWorld(), makeWorld()];
          try {
            writeFileSync(join(once.projects, 'one.jsonl'), lines.join(''));
            await sync(once);
            let from = 0;
            for (const end of [...cuts.sort((a, b) => a - b), lines.length]) {
              appendFileSync(join(stepped.projects, 'one.jsonl'), lines.slice(from, end).join(''));
              from = Math.max(from, end);
              await sync(stepped);
            }
            expect(layersOf(derived(stepped))).toEqual(layersOf(derived(once)));
            const shown = new Set(
              all.filter(({ form }) => form === 'known').map(({ value }) => VALUES[value]!),
            );
            const { l1 } = Object.values((await once.archive.open(PROJECT))!.manifest.sessions)[0]!;
            const path = join(once.places.archive, 'projects', PROJECT, l1.file);
            const text = l1.file === '' ? '' : readFileSync(path, 'utf8');
            for (const value of shown) expect(text).not.toContain(value);
          } finally {
            await once.remove();
            await stepped.remove();
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
