import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WRITERS } from '../../../test/made/agent-sessions.ts';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import { listSessions } from '../find/sessions.ts';
import { importChats } from '../import/import-chats.ts';
import { register } from './register.ts';
import { sync } from './sync.ts';

/** Invented: no agent writes these. */
const FIRST = [
  { type: 'opening', revision: 3, id: '019e19b4-eb48-746a-aa6b-8dfcfa37954b', cwd: '/srv/shop' },
  { type: 'turn', id: 'a', turn: { from: 'user', words: 'Read it.' } },
];
const SECOND = [{ event: 'turn', of: 'user', words: 'Read it.', where: '/srv/shop' }];

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
  hint: expect.stringContaining('Claude Code, Codex CLI, Gemini CLI, OpenCode'),
};

describe('files of agents that are not read', () => {
  it('are skipped and counted by each sync, and named by the first', async () => {
    const path = write('first', FIRST);
    write('second', SECOND);
    writeFileSync(join(folder, 'talk.jsonl'), transcript('/srv/shop', 'talk', [{ you: 'Hello' }]));
    const first = await sync(world);
    expect(first).toMatchObject({ found: 3, added: 1, skipped: 2, problems: [] });
    expect(first.leftOut.unknownAgent).toBe(2);
    expect(first.notes.join('\n')).toContain(`${path} and 1 more`);
    const again = await sync(world);
    expect(again).toMatchObject({ same: 1, skipped: 2, leftOut: { unknownAgent: 2 }, notes: [] });
    expect(await world.archive.projects()).toEqual(['-srv-shop']);
  });

  it('are refused by register, with the agents that are read', async () => {
    await expect(register(world, write('first', FIRST))).rejects.toMatchObject(refusal);
    await expect(register(world, write('second', SECOND))).rejects.toMatchObject(refusal);
    expect(await world.archive.projects()).toEqual([]);
  });

  it('are refused by import, with the agents that are read', async () => {
    await expect(importChats(world, write('first', FIRST), { project: 'shop' })).rejects.toMatchObject(
      refusal,
    );
    // Whether or not a project is named.
    await expect(importChats(world, write('first', FIRST), { project: undefined })).rejects.toMatchObject(
      refusal,
    );
    write('chat', [{ ts: '2026-01-05T10:00:00Z', role: 'user', text: 'Hello' }]);
    await expect(importChats(world, folder, { project: undefined })).rejects.toMatchObject({ code: 'usage' });
    const report = await importChats(world, folder, { project: 'shop' });
    expect(report.sessions).toHaveLength(1);
    expect(report.leftOut.unknownAgent).toBe(1);
    expect(report.problems.map(({ hint }) => hint).join()).toContain('Codex CLI');
  });

  it('are those of a known agent, too, whose new version writes nothing that is understood', async () => {
    const newer = [...WRITERS.copilot([]), { type: 'voice.message', words: 'Hello' }];
    const path = write('newer', newer);
    await expect(register(world, path)).rejects.toMatchObject(refusal);
    expect(await sync(world)).toMatchObject({ added: 0, leftOut: { unknownAgent: 1 } });
    write('newer', [...newer, ...WRITERS.copilot([{ kind: 'ask', text: 'Why is it slow?' }]).slice(1)]);
    expect(await sync(world)).toMatchObject({ added: 1 });
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
    expect(report.notes.join('\n')).toContain('Session quiet was removed from the lists');
    expect((await listSessions(world, {})).items.map(({ sessionId }) => sessionId)).toEqual(['other']);
    expect(readFileSync(copy, 'utf8')).toContain('Read it.');
    expect(readFileSync(other, 'utf8')).toContain('logout');
    expect((await sync(world)).notes).toEqual([]);
  });
});
