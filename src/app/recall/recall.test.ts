import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { findSession } from '../find/session.ts';
import { unregister } from '../purge/unregister.ts';
import { sync } from '../sync/sync.ts';
import { recall } from './recall.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const ID = (number: number) => `${String(number).repeat(8)}-aaaa-4aaa-8aaa-000000000001`;

function session(cwd: string, number: number, turns: Turn[]): void {
  const folder = join(world.projects, cwd.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${ID(number)}.jsonl`), transcript(cwd, ID(number), turns));
}

/** A checkout in the temporary place. */
function checkout(name: string, remote: string): string {
  const folder = join(world.places.cwd, name);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git', 'config'), `[remote "origin"]\n\turl = ${remote}\n`);
  return folder;
}

const standingIn = (cwd: string) => ({ ...world, places: { ...world.places, cwd } });

describe('recall', () => {
  it('includes each pinned text once, newest first, and none of unregistered sessions', async () => {
    session('/home/me/shop', 1, [{ you: '##keepit1.00## Cents only.' }, { you: '##keepit1.00## UTC only.' }]);
    session('/home/me/shop', 2, [{ you: '##keepit1.00## Cents only.', at: '2026-01-09T10:00:00.000Z' }]);
    session('/home/me/shop', 3, [{ you: '##keepit1.00## Forget me.', at: '2026-01-10T10:00:00.000Z' }]);
    session('/home/me/shop', 4, [{ you: '##keepit0.99## Nearly.', at: '2026-01-11T10:00:00.000Z' }]);
    await sync(world);
    const { row } = await findSession(world, ID(3));
    await unregister(world, [row]);
    const { pieces, text } = await recall(world, { project: 'shop' });
    const pinned = pieces.filter((piece) => piece.kind === 'pinned').map((piece) => piece.text.trim());
    expect(pinned).toEqual(['Cents only.', 'UTC only.']);
    expect(text).not.toContain('Forget me');
  });

  it('never includes an exchange twice', async () => {
    session('/home/me/shop', 1, [
      { you: 'Is the cache full?', agent: 'The cache is empty.' },
      { you: 'Why is the cache empty?', agent: 'It was cleared.' },
    ]);
    session('/home/me/shop', 2, [
      { you: 'Rename the basket.', agent: 'Renamed.', at: '2026-01-04T10:00:00.000Z' },
    ]);
    await sync(world);
    const { pieces } = await recall(world, { topic: 'cache', project: 'shop', budget: 5000 });
    const byKind = (kind: string) => pieces.filter((it) => it.kind === kind).map((it) => it.exchange);
    expect(byKind('topic').length).toBeGreaterThan(0);
    expect(new Set(byKind('topic')).size).toBe(byKind('topic').length);
  });

  it('takes worktrees together, and knows a checkout that was moved', async () => {
    const one = checkout('one', 'https://example.com/me/shop.git');
    const two = checkout('two', 'https://example.com/me/shop.git');
    session(one, 1, [{ you: 'First tree talk.', agent: 'Yes.' }]);
    session(two, 2, [{ you: 'Second tree talk.', agent: 'Yes.' }]);
    session('/home/me/blog', 3, [{ you: 'Blog talk.', agent: 'Yes.' }]);
    await sync(world);
    for (const folder of [one, two, checkout('moved', 'https://example.com/me/shop.git')]) {
      const { text, project } = await recall(standingIn(folder), { topic: 'talk' });
      expect(project).not.toBeNull();
      expect(text).toContain('First tree talk.');
      expect(text).toContain('Second tree talk.');
      expect(text).not.toContain('Blog talk.');
    }
    const elsewhere = await recall(standingIn(checkout('other', 'https://example.com/me/x.git')), {});
    expect(elsewhere).toMatchObject({ project: null, text: expect.stringContaining('Blog talk.') });
  });

  it('finds what was said of a file', async () => {
    session('/home/me/shop', 1, [
      { you: 'Look at src/price.ts please.', agent: 'It rounds too early.' },
      { you: 'And the weather?', agent: 'Sunny.' },
    ]);
    await sync(world);
    const { pieces } = await recall(world, { files: ['src/price.ts'], project: 'shop' });
    expect(pieces[0]).toMatchObject({ kind: 'topic', text: expect.stringContaining('src/price.ts') });
    expect(pieces[0]!.text).toContain('It rounds too early.');
  });

  it('compares worktrees with each other: a weak hit of one is no better than a strong hit of another', async () => {
    const one = checkout('one', 'https://example.com/me/shop.git');
    const two = checkout('two', 'https://example.com/me/shop.git');
    const talk = Array.from({ length: 8 }, (_, i) => ({ you: `Bread ${i}.`, agent: 'Baked.' }));
    session(one, 1, [...talk, { you: 'There was a token on the bread.', agent: 'Token gone.' }]);
    session(two, 2, [
      { you: 'The token cache is cold after a start.' },
      ...talk,
      { you: 'The token cache of the shop and of the ovens lives ten minutes, or longer in summer.' },
      ...talk,
    ]);
    await sync(world);
    const { pieces } = await recall(standingIn(one), { topic: 'token cache' });
    const kinds = pieces.filter((piece) => piece.kind === 'topic').map((piece) => piece.sessionId);
    expect(kinds.slice(0, 2)).toEqual([ID(2), ID(2)]);
    expect(kinds).toContain(ID(1));
  });

  it('says nothing when nothing fits the topic, and takes small words for no topic', async () => {
    session('/home/me/shop', 1, [{ you: 'Bake the bread.', agent: 'Baked.' }]);
    await sync(world);
    for (const topic of ['zebra', 'the of and']) {
      const { pieces, text } = await recall(world, { topic, project: 'shop' });
      expect({ pieces, text }).toEqual({ pieces: [], text: '' });
    }
    const known = await recall(world, { topic: 'bread', project: 'shop' });
    expect(known.pieces[0]!.kind).toBe('topic');
    expect(known.notes).toEqual([]);
    expect((await recall(world, { project: 'shop' })).notes).toEqual([]);
  });

  it('searches for a file of any name', async () => {
    session('/home/me/shop', 1, [{ you: 'Look at my "odd" -file.ts please.' }]);
    await sync(world);
    const { pieces } = await recall(world, { topic: 'odd', files: ['-file.ts'], project: 'shop' });
    expect(pieces[0]!.kind).toBe('topic');
  });

  it('keeps some lines of what is too long to quote whole', async () => {
    const filler = 'Nothing to see here, it only takes room. '.repeat(40);
    session('/home/me/shop', 1, [
      { you: 'Which ovens?', agent: `${filler}\n\n- the zebra oven\n- the steel oven\n\n${filler}` },
    ]);
    await sync(world);
    const { text } = await recall(world, { topic: 'zebra', project: 'shop' });
    expect(text).toMatch(/^> - the zebra oven\n> - the steel oven$/m);
  });

  it('of a moment inside an exchange leaves out the answer that came later', async () => {
    session('/home/me/shop', 1, [
      { you: 'Why?' },
      { agent: 'Because of the moon.', at: '2026-01-06T10:00:00.000Z' },
    ]);
    await sync(world);
    const { text } = await recall(world, { project: 'shop', asOf: '2026-01-05' });
    expect(text).toContain('Why?');
    expect(text).not.toContain('moon');
  });
});
