import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_FILES } from '../../src/adapters/agents/agent-table.ts';
import { allSessions } from '../../src/app/find/sessions.ts';
import { sync } from '../../src/app/sync/sync.ts';
import type { Agent } from '../../src/core/model/agent.ts';
import { documents, MEMORY_WRITERS, WRITERS } from '../made/agent-sessions.ts';
import { CLAUDE_CODE_RESULT, MARKED_LINES, UNMARKED } from '../made/marked-lines.ts';
import { MUTATED_SESSION } from '../made/mutated-file.ts';
import { type Change, changesFor, newer, type ReadBack, readBack } from '../made/newer-version.ts';
import { makeWorld } from '../made/world.ts';

/** Agents that have words and calls in one message. */
const JOINING = new Set(
  'claude-code gemini copilot qwen grok hermes antigravity cursor-ide cursor pi droid amp cline roo'.split(
    ' ',
  ),
);

/** What was said and what was called in one message, as far as an agent does that. */
function joined(lines: object[]): object[] {
  const holds = (text: string) => (line: object) => JSON.stringify(line).includes(text);
  const said = lines.find(holds('The cookie is gone.')) ?? {};
  return lines
    .filter((line) => line !== said)
    .map((line) => (holds('npm test')(line) ? (joinedWith(said, line) as object) : line));
}

function joinedWith(said: unknown, call: unknown): unknown {
  if (Array.isArray(said) && Array.isArray(call)) return [...said, ...call];
  if (typeof said !== 'object' || typeof call !== 'object' || !said || !call)
    return call === '' || call === undefined ? said : call;
  const own = call as Record<string, unknown>;
  const both = Object.entries(said).map(([key, it]) => [key, joinedWith(it, own[key])]);
  return { ...own, ...Object.fromEntries(both) };
}

function read(lines: unknown[]): ReadBack | 'refused' {
  return readBack(lines, MUTATED_SESSION);
}

function lostIn(lines: object[]): string[] {
  const whole = read(lines);
  expect(whole).toMatchObject({ counted: 0 });
  if (whole === 'refused') return ['all'];
  return [...changesFor(lines)].flatMap(([name, change]) => {
    const found = read(lines.map((line) => newer(line, change)));
    if (found === 'refused' || found.counted > 0) return [];
    return [...whole.held].filter((it) => !found.held.has(it)).map((it) => `${name}: ${it}`);
  });
}

describe.each(Object.entries({ ...WRITERS, ...MEMORY_WRITERS }))('a newer version of %s', (agent, write) => {
  it('that renames a field or a kind loses no words, calls or results uncounted', () => {
    expect(lostIn(write(MUTATED_SESSION))).toEqual([]);
  });

  it('loses no title, folder or failure uncounted', () => {
    const lines = [...write(MUTATED_SESSION), ...(MARKED_LINES[agent as Agent] ?? [])];
    const { held } = read(lines) as { held: Set<string> };
    const missing = UNMARKED[agent as Agent]?.split(' ') ?? [];
    for (const mark of ['folder', 'title', 'failure'])
      expect([mark, [...held].some((it) => it.startsWith(`${mark} `))]).toEqual([
        mark,
        !missing.includes(mark),
      ]);
    expect(lostIn(lines)).toEqual([]);
  });

  if (JOINING.has(agent))
    it('loses no call that has text beside it', () => {
      const lines = joined(write(MUTATED_SESSION));
      expect(JSON.stringify(lines)).toContain('The cookie is gone.');
      expect(lostIn(lines)).toEqual([]);
    });
});

/** Documents have their title in themselves. */
const TITLED: Partial<Record<Agent, object>> = {
  gemini: { summary: 'The basket is empty', directories: ['/srv/shop'] },
  opencode: { info: { id: 'made', directory: '/srv/shop', title: 'The basket is empty' } },
  'vscode-copilot': { customTitle: 'The basket is empty', responderUsername: 'GitHub Copilot' },
  amp: { title: 'The basket is empty' },
};
const DOCUMENTS = Object.entries(documents(MUTATED_SESSION)).filter(([, { path }]) => path.endsWith('.json'));

it.each(DOCUMENTS)(
  'a newer document of %s loses no title, folder or failure without a count',
  (agent, it) => {
    const document = { ...JSON.parse(it.text), ...TITLED[agent as Agent] };
    const { held } = readDocument(agent as Agent, it.path, document) as { held: Set<string> };
    expect([...held].some((mark) => mark.startsWith('title '))).toBe(agent in TITLED);
    const lost = [...changesFor(document)].flatMap(([name, change]) => {
      const found = readDocument(agent as Agent, it.path, newer(document, change));
      if (found === 'refused' || found.counted > 0) return [];
      return [...held].filter((mark) => !found.held.has(mark)).map((mark) => `${name}: ${mark}`);
    });
    expect(lost).toEqual([]);
  },
);

it('an export of OpenCode is known where its folder has another name, and the name is counted', () => {
  const { path, text } = documents(MUTATED_SESSION).opencode!;
  const document = newer({ ...JSON.parse(text), ...TITLED.opencode }, { key: 'directory' });
  expect(readDocument('opencode', path, document)).toMatchObject({ counted: 1 });
  expect(readDocument('opencode', path, { info: { id: 'made' }, messages: [{ text: 'Hello.' }] })).toBe(
    'refused',
  );
});

function readDocument(agent: Agent, path: string, document: unknown): ReturnType<typeof read> {
  const rows = AGENT_FILES[agent as 'amp'].document?.rows({
    text: JSON.stringify(document),
    path,
    isEnded: true,
  });
  return read([...(rows ?? [])]);
}

it('a failure that is read without parsing its line is also counted', () => {
  const change = { key: 'is_error' };
  expect(read([CLAUDE_CODE_RESULT])).toMatchObject({
    counted: 0,
    held: new Set(['folder /srv/shop', 'failure 1']),
  });
  expect(read([newer(CLAUDE_CODE_RESULT, change)])).toMatchObject({ counted: 1 });
});

it('a file in which nothing is understood is refused by every sync, and read once it is understood', async () => {
  const world = makeWorld();
  const folder = join(world.places.agents!.qwen[0]!, 'projects', '-srv-shop', 'chats');
  mkdirSync(folder, { recursive: true });
  const put = (change: Change) =>
    writeFileSync(
      join(folder, 'made.jsonl'),
      WRITERS.qwen(MUTATED_SESSION)
        .map((line) => `${JSON.stringify(newer(line, change))}\n`)
        .join(''),
    );
  try {
    put({ key: 'message' });
    for (let time = 0; time < 3; time++) {
      const { leftOut } = await sync(world);
      expect([leftOut.unknownAgent, (await allSessions(world)).length]).toEqual([1, 0]);
      if (time === 0) put({ key: 'parts' });
    }
    put({});
    await sync(world);
    expect((await allSessions(world)).map(({ metadata }) => metadata.counts.human)).toEqual([2]);
  } finally {
    await world.remove();
  }
});
