import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { DOCUMENT_KINDS } from '../../core/model/search.ts';
import { findSession } from '../find/session.ts';
import { unregister } from '../purge/unregister.ts';
import { setNote } from '../rolling/notes.ts';
import { updateMemory } from '../rolling/update.ts';
import { sync } from '../sync/sync.ts';
import { search } from './search.ts';

const PROJECT = '-srv-shop' as ProjectId;
const ONE = '11111111-aaaa-4aaa-8aaa-000000000001';
const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
let world: TestWorld;

function said(role: 'user' | 'assistant', n: number, text: string): string {
  const at = `2026-03-0${n}T10:00:00Z`;
  const message =
    role === 'user' ? { role, content: text } : { id: `m${n}`, role, content: [{ type: 'text', text }] };
  return `${JSON.stringify({ type: role, message, uuid: `u${n}`, timestamp: at, cwd: '/srv/shop', sessionId: ONE })}\n`;
}

const LINES = [
  said(
    'user',
    1,
    'Always keep the basket prices in cents, never in floats. Why does the basket round wrongly?',
  ),
  said('assistant', 2, 'The basket rounded twice. The basket now keeps cents because rounding lost money.'),
  said('user', 3, '##keepit0.80## The warehouse counts pallets on Mondays.'),
  said('assistant', 4, 'Noted: pallets are counted on Mondays.'),
];

beforeEach(async () => {
  world = makeWorld();
  writeFileSync(join(world.projects, 'one.jsonl'), LINES.join(''));
  await sync(world);
});
afterEach(() => world.remove());

const kinds = async (query: string, ...asked: (typeof DOCUMENT_KINDS)[number][]) =>
  (await search(world, { query, filters: { kinds: asked.length > 0 ? asked : DOCUMENT_KINDS } })).hits;
const memoryPath = (name: string) => world.archive.files.path(PROJECT, `memory/${name}`);

describe('search for documents', () => {
  it('finds what each kind says, with its place', async () => {
    await updateMemory(world, PROJECT);
    await setNote(world, PROJECT, {
      name: 'architecture',
      text: '# Parts\n\nThe basket talks to the ledger.\n',
    });
    const found = new Map((await kinds('basket cents')).map((hit) => [hit.kind, hit]));
    expect([...found.keys()].sort()).toEqual(
      expect.arrayContaining(['concept', 'exchange', 'fact', 'memory']),
    );
    expect(found.get('fact')).toMatchObject({ sessionId: ONE, role: 'user', project: PROJECT });
    expect(found.get('fact')?.place).toMatchObject({
      file: 'memory/facts.json',
      id: expect.stringMatching(/^r_/),
    });
    expect(found.get('exchange')?.exchange.id).toMatch(/^ex_/);
    const id = found.get('fact')?.place.id ?? '';
    expect((await kinds(id)).map(({ place }) => place.id)).toEqual([id]);
    expect((await kinds('ledger', 'note'))[0]).toMatchObject({
      kind: 'note',
      text: expect.stringContaining('talks to the ledger'),
      place: { file: 'memory/architecture.md' },
    });
    expect((await kinds('pallets', 'keepit')).map(({ title }) => title)).toEqual(['keepit 0.80']);
  });

  it('changes nothing of what turns are found, and how', async () => {
    const before = (await search(world, { query: 'basket cents' })).hits;
    await updateMemory(world, PROJECT);
    await kinds('basket cents');
    expect((await search(world, { query: 'basket cents' })).hits).toEqual(before);
    const ofExchanges = await search(world, { query: 'basket cents', grain: 'exchange' });
    expect(ofExchanges.hits.every(({ kind }) => kind === 'turn')).toBe(true);
    expect((await search(world, { query: 'pallets', grain: 'session' })).hits).toHaveLength(1);
  });

  it('follows a file that somebody edits or deletes', async () => {
    await setNote(world, PROJECT, { name: 'project', text: 'A shop for tea.\n' });
    expect(await kinds('tea')).toHaveLength(1);
    writeFileSync(memoryPath('project.md'), 'A shop for coffee, and more.\n');
    expect(await kinds('tea')).toEqual([]);
    expect(await kinds('coffee')).toHaveLength(1);
    rmSync(memoryPath('project.md'));
    expect(await kinds('coffee')).toEqual([]);
  });

  it('holds no secret of a note, neither as words nor as a hit', async () => {
    writeFileSync(memoryPath('project.md'), `The token is ${secret} for deploys.\n`);
    expect(await kinds(`"${secret}"`)).toEqual([]);
    const [hit] = await kinds('deploys', 'note');
    expect(hit?.text).toContain('[redacted');
    expect(JSON.stringify(hit)).not.toContain(secret);
  });

  it('gives the same however it was ingested', async () => {
    const grown = makeWorld();
    try {
      for (let upTo = 1; upTo <= LINES.length; upTo++) {
        writeFileSync(join(grown.projects, 'one.jsonl'), LINES.slice(0, upTo).join(''));
        await sync(grown);
        await search(grown, { query: 'basket', filters: { kinds: DOCUMENT_KINDS } });
      }
      for (const query of ['basket cents', 'pallets Mondays', 'rounding']) {
        const filters = { kinds: DOCUMENT_KINDS.filter((kind) => kind !== 'memory') };
        expect((await search(grown, { query, filters })).hits).toEqual(
          (await search(world, { query, filters })).hits,
        );
      }
    } finally {
      await grown.remove();
    }
  });

  it('leaves out what came from a session that is gone', async () => {
    expect((await kinds('basket cents')).length).toBeGreaterThan(0);
    const { row } = await findSession(world, ONE);
    await unregister(world, [row]);
    await sync(world);
    expect((await kinds('basket cents')).map(({ kind }) => kind)).not.toContain('exchange');
    expect(await kinds('pallets', 'keepit')).toEqual([]);
  });

  it('keeps to project and time', async () => {
    const at = async (filters: object) =>
      (await search(world, { query: 'pallets', filters: { kinds: ['keepit'], ...filters } })).hits.length;
    expect(await at({ project: '/srv/shop' })).toBe(1);
    expect(await at({ since: '2026-03-04' })).toBe(0);
    expect(await at({ until: '2026-03-03' })).toBe(1);
    expect(await at({ projects: ['-other'] })).toBe(0);
  });
});
