import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { importChats } from '../import/import-chats.ts';
import { findAgentFiles } from '../intake/agent-files.ts';
import { unregister, whatToUnregister } from '../purge/unregister.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { nothingToRemember } from '../sync/use-sample.ts';
import { readL1 } from './read-l1.ts';
import { allSessions } from './sessions.ts';

let world: TestWorld;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const SNAPSHOT = '{"type":"file-history-snapshot","messageId":"m1","snapshot":{},"isSnapshotUpdate":false}\n';
const SUMMARY = '{"type":"summary","summary":"Old work","leafUuid":"aaaaaaaa-1111-2222-3333-444444444444"}\n';

let lines = 0;
function said(sessionId: string, cwd: string, more: object = {}): string {
  const message = { role: 'user', content: `words ${lines}` };
  const line = {
    type: 'user',
    message,
    uuid: `u${lines++}`,
    timestamp: '2026-03-01T00:00:00Z',
    cwd,
    sessionId,
  };
  return `${JSON.stringify({ ...line, ...more })}\n`;
}

function write(path: string, text: string): string {
  const file = join(world.projects, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function places(): Promise<string[]> {
  return (await allSessions(world)).map((row) => `${row.projectId} ${row.sessionId}`).sort();
}

const head = (project: string) => world.archive.head(project as ProjectId);

describe('the project of a file', () => {
  it('is that of its neighbours when its own lines name no folder, without a word', async () => {
    write('-srv-shop/aaa.jsonl', SUMMARY);
    write('-srv-shop/bbb.jsonl', said('bbb', '/srv/shop'));
    expect(await sync(world)).toMatchObject({ added: 2, problems: [], notes: [] });
    expect(await places()).toEqual(['-srv-shop aaa', '-srv-shop bbb']);
    expect(await head('-srv-shop')).toMatchObject({ originalPath: '/srv/shop', displayName: 'shop' });
  });

  it('is that of its neighbours in a folder of any name, and not that of a subagent', async () => {
    write('backup/aaa.jsonl', SUMMARY);
    write('backup/agent-x.jsonl', said('bbb', '/srv/tree', { isSidechain: true, agentId: 'x' }));
    write('backup/bbb.jsonl', said('bbb', '/srv/shop'));
    await sync(world);
    expect(await places()).toEqual(['-srv-shop aaa', '-srv-shop bbb']);
  });

  it('is known by the name of the folder alone, until a path is known', async () => {
    const file = write('-srv-shop/aaa.jsonl', SNAPSHOT);
    await sync(world);
    expect(await head('-srv-shop')).toMatchObject({ originalPath: '', displayName: '-srv-shop' });
    appendFileSync(file, said('aaa', '/srv/shop'));
    expect(await sync(world)).toMatchObject({ grown: 1 });
    expect(await places()).toEqual(['-srv-shop aaa']);
    expect(await head('-srv-shop')).toMatchObject({ originalPath: '/srv/shop', displayName: 'shop' });
    write('x/other.jsonl', said('other', '/srv-shop'));
    await sync(world);
    expect((await places())[1]).toMatch(/^-srv-shop~[0-9a-f]{6} other$/);
  });

  it('keeps the name that a user gave it when its path becomes known', async () => {
    write('-srv-shop/aaa.jsonl', SNAPSHOT);
    await sync(world);
    await world.archive.change('-srv-shop' as ProjectId, [{ at: [], merge: { displayName: 'mine' } }]);
    write('-srv-shop/bbb.jsonl', said('bbb', '/srv/shop'));
    await sync(world);
    expect(await head('-srv-shop')).toMatchObject({ originalPath: '/srv/shop', displayName: 'mine' });
  });

  it.each(['with', 'without'])('stays if the lines name another one later, %s the cache', async (cache) => {
    const file = write('-srv-shop/2026-03-01-aaa.jsonl', SNAPSHOT);
    write('-srv-shop/bbb.jsonl', said('bbb', '/srv/shop'));
    await sync(world);
    appendFileSync(file, said('aaa', '/srv/elsewhere'));
    if (cache === 'without') rmSync(join(world.archive.root, 'cache'), { recursive: true });
    await sync(world);
    await register(world, file);
    expect(await places()).toEqual(['-srv-shop 2026-03-01-aaa', '-srv-shop bbb']);
  });

  it('keeps out what was purged, whatever its lines say later', async () => {
    const file = write('-srv-shop/aaa.jsonl', SNAPSHOT);
    await sync(world);
    appendFileSync(file, said('aaa', '/srv/elsewhere'));
    await sync(world);
    await unregister(world, await whatToUnregister(world, { session: 'aaa' }), { purge: true });
    for (const more of ['', said('aaa', '/srv/elsewhere'), '']) {
      appendFileSync(file, more);
      await sync(world);
      expect(await places()).toEqual([]);
    }
  });

  it('is not guessed where the neighbours disagree', async () => {
    write('mixed/a.jsonl', said('a', '/srv/shop'));
    write('mixed/b.jsonl', said('b', '/srv/blog'));
    write('mixed/c.jsonl', SUMMARY);
    await sync(world);
    expect(await places()).toContain('mixed c');
  });
});

describe('a subagent beside the sessions', () => {
  const sub = (cwd: string) => said('one', cwd, { isSidechain: true, agentId: 'abc' });

  it.each(['/srv/shop', '/srv/shop/worktree'])('belongs to its session, working in %s', async (cwd) => {
    write('-srv-shop/one.jsonl', said('one', '/srv/shop'));
    write('-srv-shop/agent-abc.jsonl', sub(cwd));
    expect(await sync(world)).toMatchObject({ added: 2, skipped: 0, notes: [] });
    expect(await world.archive.projects()).toEqual(['-srv-shop']);
    const [row] = await allSessions(world);
    expect(row?.metadata.subSessions).toMatchObject([{ agentId: 'abc', messages: 1 }]);
    expect(await sync(world)).toMatchObject({ same: 2 });
    appendFileSync(join(world.projects, '-srv-shop/agent-abc.jsonl'), sub(cwd));
    expect(await sync(world)).toMatchObject({ same: 1, grown: 1 });
    expect((await allSessions(world))[0]?.metadata.subSessions).toMatchObject([{ messages: 2 }]);
  });

  it('finds its session in the archive when the agent has deleted it', async () => {
    const file = write('-srv-shop/one.jsonl', said('one', '/srv/shop'));
    await sync(world);
    rmSync(file);
    write('-srv-shop/agent-abc.jsonl', sub('/srv/other'));
    await sync(world);
    expect(await world.archive.projects()).toEqual(['-srv-shop']);
    const [row] = await allSessions(world);
    expect(row).toMatchObject({ originalFile: file, metadata: { subSessions: [{ agentId: 'abc' }] } });
  });
});

describe('registering by id', () => {
  async function inTwoProjects(): Promise<void> {
    write('-a/one.jsonl', said('one', '/a'));
    write('-b/one.jsonl', said('one', '/b'));
    await sync(world);
  }

  it('reads the copy of a session without a folder into its own project', async () => {
    const chats = join(world.places.home, 'chats');
    mkdirSync(chats);
    writeFileSync(join(chats, 'bread.jsonl'), '{"role":"user","text":"Which flour?"}\n');
    await importChats(world, chats, { project: 'family' });
    rmSync(chats, { recursive: true });
    await register(world, 'bread');
    expect(await places()).toEqual(['family bread']);
    await register(world, world.archive.originals.path('family' as ProjectId, 'bread.jsonl'));
    expect(await places()).toEqual(['family bread']);
  });

  it.each(['by the agent', 'in the archive'])('asks which of two is meant, both kept %s', async (where) => {
    await inTwoProjects();
    if (where === 'in the archive') rmSync(world.projects, { recursive: true });
    const fault = await register(world, 'one').catch((error: Fault) => error);
    expect(fault).toMatchObject({ code: 'ambiguous' });
    expect((fault as Fault).hint).toContain('--project=-a');
    expect((fault as Fault).hint).toContain('--project=-b');
    const { sessions } = await register(world, 'one', { project: '-b' });
    expect(sessions).toEqual([{ projectId: '-b', sessionId: 'one' }]);
  });

  it('asks, too, when one of the two is only in the archive', async () => {
    await inTwoProjects();
    rmSync(join(world.projects, '-a'), { recursive: true });
    await expect(register(world, 'one')).rejects.toMatchObject({ code: 'ambiguous' });
    const { sessions } = await register(world, 'one', { project: '-a' });
    expect(sessions).toEqual([{ projectId: '-a', sessionId: 'one' }]);
  });
});

describe('importing chats', () => {
  const chat = (path: string, ...texts: string[]) => {
    const file = join(world.places.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, texts.map((text) => `{"role":"user","text":"${text}"}\n`).join(''));
    return file;
  };
  const bring = (path: string) => importChats(world, path, { project: 'family' });

  it('keeps two of one name from two folders apart, and knows each by its path from then on', async () => {
    await bring(chat('c/a/chat.jsonl', 'About bread'));
    await bring(chat('c/b/chat.jsonl', 'About taxes'));
    const before = await allSessions(world);
    expect(before.map((row) => row.sessionId)).toEqual(['chat', expect.stringMatching(/^chat-[0-9a-f]{6}$/)]);
    const texts = await Promise.all(
      before.map(async (row) => (await readL1(world, row)).map(({ text }) => text)),
    );
    expect(texts).toEqual([['About bread'], ['About taxes']]);
    expect(await bring(join(world.places.home, 'c'))).toMatchObject({ added: 0, same: 2 });
    expect(await allSessions(world)).toHaveLength(2);
  });

  it('knows a moved chat by its beginning', async () => {
    await bring(chat('a/chat.jsonl', 'One', 'Two'));
    await bring(chat('b/chat.jsonl', 'One', 'Two', 'Three'));
    await bring(chat('c/chat.jsonl', 'One'));
    expect((await allSessions(world)).map((row) => row.metadata.counts.human)).toEqual([3]);
  });

  it('continues when one cannot be read', async () => {
    chat('c/chat.jsonl', 'One');
    const bad = chat('c/bad.jsonl', 'Two');
    const { readLines } = world.transcripts;
    const broken = new Fault('unreadable', 'broken');
    const failing = (path: string) => (path === bad ? Promise.reject(broken) : undefined);
    world.transcripts = {
      ...world.transcripts,
      readLines: (path, from, onLine) => failing(path) ?? readLines(path, from, onLine),
    };
    const report = await bring(join(world.places.home, 'c'));
    expect(report).toMatchObject({ added: 1, skipped: 1, problems: [{ path: bad }] });
  });

  it('takes a name of many bytes', async () => {
    await bring(chat(`c/${'漢'.repeat(75)}.jsonl`, 'One'));
    expect(await allSessions(world)).toHaveLength(1);
  });
});

describe('unreadable files', () => {
  const closed = () => {
    world.transcripts = {
      ...world.transcripts,
      find: async (folder, unreadable) => {
        unreadable.push(folder);
        return [];
      },
    };
  };

  it('is a problem of a sync and of registering all, and no reason for the sample', async () => {
    closed();
    expect((await sync(world)).problems).toMatchObject([{ path: world.projects }]);
    expect(await nothingToRemember(world)).toBe(false);
    await expect(register(world, { all: true })).rejects.toMatchObject({ code: 'unreadable' });
    await expect(register(world, world.projects)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('in the archive is a problem of its session only', async () => {
    const gone = write('-a/one.jsonl', said('one', '/a'));
    await sync(world);
    const project = '-a' as ProjectId;
    const copy = world.archive.originals.path(project, 'one.jsonl');
    rmSync(gone);
    rmSync(copy);
    symlinkSync(gone, copy);
    const [refined] = await world.archive.files.list(project, 'memory/sessions');
    await world.archive.files.remove(project, `memory/sessions/${refined}`);
    write('-b/two.jsonl', said('two', '/b'));
    const report = await sync(world);
    expect(report).toMatchObject({ added: 1, problems: [{ path: copy }] });
    expect(await places()).toEqual(['-a one', '-b two']);
  });

  it('does not stop the others, whatever goes wrong', async () => {
    const bad = write('-a/one.jsonl', said('one', '/a'));
    write('-b/two.jsonl', said('two', '/b'));
    const { absorb } = world.archive.originals;
    world.archive.originals.absorb = async (project, name, source, mode) => {
      if (source.path === bad) throw new TypeError('a slip of ours');
      return absorb(project, name, source, mode);
    };
    const report = await sync(world);
    expect(report).toMatchObject({ found: 2, added: 1, skipped: 1, problems: [{ path: bad }] });
    expect(report.problems[0]?.message).toContain('a slip of ours');
  });
});

describe('a sync from a folder', () => {
  it("finds an agent's hidden folder in a backup, and nothing of the archive", async () => {
    const backup = join(world.places.home, '.claude/projects/-a/one.jsonl');
    mkdirSync(dirname(backup), { recursive: true });
    writeFileSync(backup, said('one', '/a'));
    expect(await sync(world, { from: [world.places.home] })).toMatchObject({ found: 1, added: 1 });
    expect(await sync(world, { from: [world.places.home] })).toMatchObject({ found: 1, same: 1 });
    expect(readFileSync(backup, 'utf8')).toContain('"cwd":"/a"');
  });
});

describe("what the archive holds of the agent's files", () => {
  it('does not include a purged session, before the next sync or after it', async () => {
    write('-a/one.jsonl', said('one', '/a'));
    write('-a/two.jsonl', said('two', '/a'));
    await sync(world);
    expect(await findAgentFiles(world)).toMatchObject({ pending: [], leftOut: [] });
    await unregister(world, await whatToUnregister(world, { session: 'one' }), { purge: true });
    const left = { pending: [], leftOut: [{ path: join(world.projects, '-a/one.jsonl') }] };
    expect(await findAgentFiles(world)).toMatchObject(left);
    await sync(world);
    expect(await findAgentFiles(world)).toMatchObject(left);
  });

  it('counts an unregistered session as kept', async () => {
    write('-a/one.jsonl', said('one', '/a'));
    await sync(world);
    await unregister(world, await whatToUnregister(world, { session: 'one' }));
    await sync(world);
    expect(await findAgentFiles(world)).toMatchObject({ pending: [], leftOut: [] });
  });

  it('has nothing waiting when only a subagent is left of a session', async () => {
    write('-a/agent-abc.jsonl', said('one', '/a', { isSidechain: true, agentId: 'abc' }));
    await sync(world);
    expect(await findAgentFiles(world)).toMatchObject({ pending: [], leftOut: [] });
  });
});
