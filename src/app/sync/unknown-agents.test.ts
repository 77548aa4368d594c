import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { listSessions } from '../find/sessions.ts';
import { importChats } from './import-chats.ts';
import { register } from './register.ts';
import { sync } from './sync.ts';

const PI = [
  { type: 'session', version: 3, id: '019e19b4-eb48-746a-aa6b-8dfcfa37954b', cwd: '/srv/shop' },
  { type: 'message', id: 'a', message: { role: 'user', content: [{ type: 'text', text: 'Read it.' }] } },
];
const QWEN = [
  {
    uuid: '019f0000-0000-7000-8000-000000000011',
    parentUuid: null,
    sessionId: '019f0000-0000-7000-8000-000000000001',
    timestamp: '2026-08-17T12:00:00.000Z',
    type: 'user',
    cwd: '/srv/shop',
    message: { role: 'user', parts: [{ text: 'Read it.' }] },
  },
];

let world: TestWorld;
let folder: string;
beforeEach(() => {
  world = makeWorld();
  folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => world.remove());

function write(name: string, lines: object[]): string {
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

const refusal = {
  code: 'bad-input',
  hint: expect.stringContaining('Claude Code, Codex CLI, Gemini CLI and OpenCode'),
};

describe('files of agents that are not read', () => {
  it('are skipped and counted by each sync, and named by the first', async () => {
    const pi = write('pi', PI);
    write('qwen', QWEN);
    writeFileSync(join(folder, 'talk.jsonl'), transcript('/srv/shop', 'talk', [{ you: 'Hello' }]));
    const first = await sync(world);
    expect(first).toMatchObject({ found: 3, added: 1, skipped: 2, problems: [] });
    expect(first.leftOut.unknownAgent).toBe(2);
    expect(first.notes.join('\n')).toContain(`${pi} and 1 more`);
    const again = await sync(world);
    expect(again).toMatchObject({ same: 1, skipped: 2, leftOut: { unknownAgent: 2 }, notes: [] });
    expect(await world.archive.projects()).toEqual(['-srv-shop']);
  });

  it('are refused by register, with the agents that are read', async () => {
    await expect(register(world, write('pi', PI))).rejects.toMatchObject(refusal);
    await expect(register(world, write('qwen', QWEN))).rejects.toMatchObject(refusal);
    expect(await world.archive.projects()).toEqual([]);
  });

  it('are refused by import, with the agents that are read', async () => {
    await expect(importChats(world, write('pi', PI), { project: 'shop' })).rejects.toMatchObject(refusal);
    write('chat', [{ ts: '2026-01-05T10:00:00Z', role: 'user', text: 'Hello' }]);
    const report = await importChats(world, folder, { project: 'shop' });
    expect(report.sessions).toHaveLength(1);
    expect(report.leftOut.unknownAgent).toBe(1);
    expect(report.problems.map(({ hint }) => hint).join()).toContain('Codex CLI');
  });

  it.each([
    ['Claude Code, a snapshot', [{ type: 'file-history-snapshot', messageId: 'm', snapshot: {} }]],
    ['Claude Code, a summary', [{ type: 'summary', summary: 'The login page', leafUuid: 'u' }]],
    ['Codex, its head', [{ type: 'session_meta', payload: { id: 'codex-one-1', cwd: '/srv/shop' } }]],
  ])("do not include a known agent's file in which nobody spoke: %s", async (_, lines) => {
    write('quiet', lines);
    expect(await sync(world)).toMatchObject({ added: 1, skipped: 0, leftOut: { unknownAgent: 0 } });
  });

  it('that an older version kept as empty sessions go out of the lists, and their copies stay', async () => {
    const quiet = write('quiet', [{ type: 'summary', summary: 'The login page', leafUuid: 'u' }]);
    const other = write('other', [{ type: 'summary', summary: 'The logout page', leafUuid: 'u' }]);
    await sync(world);
    const project = '-srv-shop' as ProjectId;
    const copy = world.archive.originals.path(project, 'quiet.jsonl');
    rmSync(quiet);
    writeFileSync(copy, `${JSON.stringify({ kind: 'thread', who: 'someone', words: 'Read it.' })}\n`);
    for (const id of ['quiet', 'other'])
      await world.archive.change(project, [{ at: ['sessions', id], merge: { engine: 1 } }], []);
    const report = await sync(world);
    expect(report.notes.join('\n')).toContain('Session quiet was taken out of the lists');
    expect((await listSessions(world, {})).items.map(({ sessionId }) => sessionId)).toEqual(['other']);
    expect(readFileSync(copy, 'utf8')).toContain('Read it.');
    expect(readFileSync(other, 'utf8')).toContain('logout');
    expect((await sync(world)).notes).toEqual([]);
  });
});
