import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { toProjectId, toSessionId } from '../../core/model/ids.ts';
import { SeenIds } from '../../core/transcript/seen-ids.ts';
import { originalName } from '../find/session-ref.ts';
import { register } from '../sync/register.ts';
import { sync } from '../sync/sync.ts';
import { findAgentFiles } from './agent-files.ts';
import { foldLine } from './fold-session.ts';
import { newSessionState } from './new-session-state.ts';
import { readState, refineOriginal } from './refine-original.ts';
import { loadSources } from './source-cache.ts';

const SESSION = toSessionId('11111111-aaaa-4aaa-8aaa-000000000001');
const REF = { project: toProjectId('-srv-shop'), session: SESSION };
const TURNS = [
  { you: 'Oil the foghorn.', agent: 'Oiled.' },
  { you: 'Paint the lamp.', agent: 'Painted.' },
];
let world: TestWorld;
let path: string;

beforeEach(() => {
  world = makeWorld();
  path = join(world.projects, `${SESSION}.jsonl`);
});
afterEach(() => world.remove());

describe('the work of a subagent', () => {
  const at = { sessionId: SESSION, cwd: '/srv/shop', timestamp: '2026-03-01T00:00:00Z' };
  const edit = (file: string, more: object) => [
    {
      type: 'assistant',
      uuid: `c-${file}`,
      ...at,
      ...more,
      message: {
        id: `m-${file}`,
        role: 'assistant',
        content: [
          { type: 'text', text: `##keepit1.00## ${file} counts.` },
          {
            type: 'tool_use',
            id: `t-${file}`,
            name: 'Write',
            input: { file_path: `/srv/shop/${file}`, content: 'x' },
          },
        ],
      },
    },
    {
      type: 'user',
      uuid: `r-${file}`,
      ...at,
      ...more,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t-${file}`, content: 'ok' }] },
    },
  ];
  const folded = (lines: object[]) => {
    const state = newSessionState('claude-code');
    const fold = { state, seen: new SeenIds(), sessionId: SESSION, extent: 'paragraph' as const };
    for (const [index, line] of lines.entries())
      foldLine(
        { ...fold, count: (words) => words.length },
        Buffer.from(JSON.stringify(line)),
        index * 1000,
        false,
      );
    return state;
  };

  test('is no file, no marker and no token of the session', () => {
    const own = folded(edit('own.ts', {}));
    const both = folded([...edit('own.ts', {}), ...edit('sub.ts', { isSidechain: true, agentId: 'a1' })]);
    expect(both.files).toEqual(['own.ts']);
    expect(both.filesCount).toBe(1);
    expect(both.markers.map(({ content }) => content)).toEqual(['own.ts counts.']);
    expect([both.tokens, both.exchanges, both.l1.lines]).toEqual([own.tokens, own.exchanges, own.l1.lines]);
    expect(own.tokens).toBeGreaterThan(0);
  });

  test('in a separate file belongs to its session, and is neither archived again nor waited for', async () => {
    writeFileSync(path, transcript('/srv/shop', SESSION, TURNS));
    const sub = join(world.projects, 'agent-a1.jsonl');
    const lines = transcript('/srv/shop', SESSION, [{ you: 'Look around.', agent: 'Seen.' }])
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ ...JSON.parse(line), isSidechain: true, agentId: 'a1' }));
    writeFileSync(
      sub,
      lines.map((line) => `${JSON.stringify({ ...line, uuid: `sub-${line.uuid}` })}\n`).join(''),
    );
    await sync(world);
    const sources = await loadSources(world);
    expect(sources.get(sub)).toMatchObject({ session: SESSION, project: REF.project, sub: 'a1' });
    expect(sources.get(path)).not.toHaveProperty('sub');
    expect((await findAgentFiles(world)).pending).toEqual([]);
    const opened: string[] = [];
    const { transcripts } = world;
    const watching = {
      ...world,
      transcripts: {
        ...transcripts,
        readLines: ((file, ...rest) => {
          opened.push(file);
          return transcripts.readLines(file, ...rest);
        }) as typeof transcripts.readLines,
      },
    };
    await sync(watching);
    expect(opened.filter((file) => file === sub || file === path)).toEqual([]);
    const { manifest } = (await world.archive.open(REF.project))!;
    expect(Object.keys(manifest.sessions)).toEqual([SESSION]);
    expect(manifest.sessions[SESSION]?.metadata.subSessions.map(({ agentId }) => agentId)).toEqual(['a1']);
  });
});

describe('a copy that is shorter than what was read of it', () => {
  test('is read again from its start', async () => {
    writeFileSync(path, transcript('/srv/shop', SESSION, TURNS));
    await sync(world);
    const options = { agent: 'claude-code', extent: 'paragraph' } as const;
    const whole = await readState(world, REF, options);
    const first = Buffer.byteLength(transcript('/srv/shop', SESSION, TURNS.slice(0, 1)));
    expect(whole.offset).toBeGreaterThan(first);
    truncateSync(world.archive.originals.path(REF.project, originalName(SESSION)), first);
    expect((await readState(world, REF, options)).offset).toBe(first);
    const state = await refineOriginal(world, REF, options);
    expect([state.offset, state.facts.counts.human]).toEqual([first, 1]);
    const l1 = await world.archive.files.read(REF.project, state.l1.file);
    expect(Buffer.from(l1!).subarray(0, state.l1.bytes).toString()).not.toContain('lamp');
  });
});

describe('the project that a file is registered for', () => {
  test('counts only where its lines name no folder', async () => {
    writeFileSync(path, transcript('/srv/shop', SESSION, TURNS));
    const bare = join(world.projects, 'bare.jsonl');
    const lines = readFileSync(path, 'utf8').replaceAll('"cwd":"/srv/shop",', '').replaceAll(SESSION, 'bare');
    expect(lines).not.toContain('cwd');
    writeFileSync(bare, lines);
    const alone = join(world.projects, '..', 'alone.jsonl');
    copyFileSync(bare, alone);
    const named = await register(world, path, { project: '/srv/other' });
    expect(named.sessions).toEqual([{ projectId: '-srv-shop', sessionId: SESSION }]);
    const nameless = await register(world, alone, { project: '/srv/other' });
    expect(nameless.sessions.map(({ projectId }) => projectId)).toEqual(['-srv-other']);
  });
});
