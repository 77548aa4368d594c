import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld } from '../../../test/made/world.ts';
import { sync } from '../../app/sync/sync.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { MEMORY_TOOLS } from './memory-tools.ts';
import { callTool, type McpHost, mcpServer } from './serve-mcp.ts';
import { inToolWords } from './tool-words.ts';

/** What a client that has just connected is answered. */
async function asked(host: McpHost, method: string): Promise<unknown> {
  const answers: { id?: unknown; result?: unknown }[] = [];
  const client = {
    onmessage: (_message: object) => {},
    start: async () => {},
    close: async () => {},
    send: async (message: object) => void answers.push(message),
  };
  await mcpServer(host).connect(client as never);
  const send = (id: number, name: string, params: object) =>
    client.onmessage({ jsonrpc: '2.0', id, method: name, params });
  const clientInfo = { name: 'test', version: '1' };
  send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await expect.poll(() => answers.length).toBe(1);
  send(2, method, {});
  await expect.poll(() => answers.length).toBe(2);
  return answers.find(({ id }) => id === 2)?.result;
}

test('the definitions of all tools together, as a client gets them, stay under 2,200 tokens', async () => {
  const world = makeWorld();
  try {
    const list = await asked({ version: '1.0.0', world, failed: async () => {} }, 'tools/list');
    const { tools } = list as { tools: { name: string; inputSchema: { properties: object } }[] };
    expect(tools.map(({ name }) => name)).toEqual(MEMORY_TOOLS.map(({ name }) => name));
    expect(Object.keys(tools[0]!.inputSchema.properties)).toContain('topic');
    expect((await loadTokenCounter())(JSON.stringify(tools))).toBeLessThan(2200);
  } finally {
    await world.remove();
  }
});

test('every tool refuses an argument that it does not know', () => {
  for (const { name, input } of MEMORY_TOOLS) {
    const refused = input.safeParse({ surely_not_known: 1 });
    expect(refused.success, name).toBe(false);
    expect(JSON.stringify(refused.error?.issues), name).toContain('surely_not_known');
  }
});

test('errors speak of tools', async () => {
  const world = makeWorld();
  try {
    for (const place of ['/srv/shop', '/opt/shop']) {
      const id = `00000000-0000-4000-8000-00000000000${place.length}`;
      mkdirSync(join(world.projects, place.replaceAll('/', '-')));
      writeFileSync(
        join(world.projects, place.replaceAll('/', '-'), `${id}.jsonl`),
        transcript(place, id, [{ you: 'Paint the door.', agent: 'Painted.' }]),
      );
    }
    await sync(world);
    const host = { version: '1.0.0', world, failed: async () => {} };
    const call = async (name: string, values: object) => {
      const tool = MEMORY_TOOLS.find((it) => it.name === name)!;
      const { content, isError } = await callTool(host, tool, values as Record<string, unknown>);
      return `${isError ? 'error: ' : ''}${content[0]!.text}`;
    };
    expect(await call('recall', { topic: 'door', project: 'nowhere' })).toBe(
      'error: No project "nowhere". The tool `sessions` with `everywhere` lists them.',
    );
    const several = await call('recall', { topic: 'door', project: 'shop' });
    expect(several).toContain('`project`: -srv-shop');
    expect(several).not.toContain('--');
    expect(await call('open', { id: 'ex_000000' })).toContain('The tool `story` lists those of a session.');
    expect(await call('recall', { topic: 'door', file: 'door.ts' })).toMatch(/^error: Use only one of/);
    expect(await call('sessions', { everywhere: true })).toContain('project -srv-shop');
    // Sessions are stored, only none fits.
    expect(await call('suggest', { files: ['roof.ts'] })).toBe('Nothing found about:\n\n> roof.ts');
  } finally {
    await world.remove();
  }
});

test('what no tool does is left to a terminal', () => {
  expect(inToolWords('It is damaged. Run `keepsake sync` first.')).toBe(
    'It is damaged. Run `keepsake sync` in a terminal first.',
  );
  expect(inToolWords('Write one first: keepsake summarize.')).toBe('Write one first: the tool `summarize`.');
});
