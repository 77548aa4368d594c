import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import type { HookSession } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import { promptText } from './prompt.ts';
import { startText } from './start.ts';
import { inStartOrder } from './start-injection.ts';

const RULE = 'Always keep prices in whole cents.';
let world: TestWorld;
let shop = '';
let project = '' as ProjectId;
beforeEach(async () => {
  world = makeWorld();
  shop = join(world.places.home, 'work', 'shop');
  mkdirSync(shop, { recursive: true });
  world.places.cwd = shop;
  project = shop.replace(/[^A-Za-z0-9]/g, '-') as ProjectId;
  mkdirSync(join(world.projects, project));
  const turns = [{ you: RULE, agent: 'Prices are kept in whole cents now, because floats lost money.' }];
  writeFileSync(join(world.projects, project, 'alpha001.jsonl'), transcript(shop, 'alpha001', turns));
  await sync(world);
});
afterEach(() => world.remove());

const newSession = (): HookSession => ({ version: 2, session: 'now00001' as SessionId, told: [] });
const start = (state: HookSession) => startText(world, state, project, CONFIG_DEFAULTS);

test('a rule is said once, whatever else holds it', async () => {
  const text = await start(newSession());
  expect(text).toContain(RULE);
  expect(text.split(RULE)).toHaveLength(2);
});

for (const [where, file, content] of [
  ['in the folder', 'work/shop/CLAUDE.md', RULE],
  ['in a folder above', 'work/AGENTS.md', `# Rules\n- ${RULE}`],
  ['in a file that they import', 'work/shop/CLAUDE.md', 'See @docs/prices.md for prices.'],
  ['in the rules of the agent', 'work/shop/.claude/rules/prices.md', RULE],
] as const) {
  test(`what the agent's own instructions say is not repeated, at the start or later: ${where}`, async () => {
    const path = join(world.places.home, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${content}\n`);
    mkdirSync(join(shop, 'docs'), { recursive: true });
    if (content.includes('@docs')) writeFileSync(join(shop, 'docs', 'prices.md'), `${RULE}\n`);
    const state = newSession();
    expect(await start(state)).not.toContain(RULE);
    const later = await promptText(world, state, { project, prompt: 'Go on.' }, CONFIG_DEFAULTS);
    expect(later).not.toContain(RULE);
  });
}

test('a decision is said whole, not its first words', async () => {
  const reason =
    'Totals were rounded twice because the cart and the invoice both did it, and a discount made the sums differ.';
  const command = `git commit -m "feat(price): round totals once, when they are shown\n\n${reason}"`;
  const line = (type: string, minute: number, content: unknown) =>
    JSON.stringify({
      type,
      cwd: shop,
      sessionId: 'beta0001',
      version: '2.1.0',
      userType: 'external',
      isSidechain: false,
      uuid: `beta0001-${minute}`,
      timestamp: `2026-01-06T10:${String(minute).padStart(2, '0')}:00.000Z`,
      message: { role: type, content },
    });
  const lines = [
    line('user', 1, 'Why do the sums of cart and invoice differ? Please fix it.'),
    line('assistant', 2, [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command } }]),
    line('user', 3, [{ type: 'tool_result', tool_use_id: 'c1', content: '[main 1a2b3c4] feat(price)' }]),
    line('assistant', 4, [{ type: 'text', text: 'Committed: totals are rounded once now.' }]),
  ];
  writeFileSync(join(world.projects, project, 'beta0001.jsonl'), `${lines.join('\n')}\n`);
  await sync(world);
  const text = await start(newSession());
  expect(text).toContain('## Decided');
  expect(text).toContain(reason);
});

test('what was done last is said before what was decided, and what came before it last', () => {
  const of = (section: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ section, source: '', text: `${section} ${at + 1}` }));
  const ordered = inStartOrder({
    files: of('Files', 1),
    environment: of('Environment', 1),
    open: of('Left open', 1),
    decided: of('Decided', 6),
    memory: of('Memory', 2),
    latest: of('Latest', 4),
  });
  expect([...new Set(ordered.map(({ section }) => section))]).toEqual(
    'Files,Environment,Left open,Latest,Decided,Memory,Earlier'.split(','),
  );
  expect(ordered.filter(({ section }) => section === 'Latest')).toHaveLength(2);
  expect(ordered.at(-1)?.text).toBe('Latest 4');
});

test('what one of the latest exchanges decided is said once, with the exchange', () => {
  const piece = (section: string, text: string, ts: string) => ({
    section,
    source: '',
    text,
    sessionId: 'a1',
    ts,
  });
  const [noon, eve] = ['2026-01-05T12:00:00Z', '2026-01-05T18:00:00Z'];
  const none = { files: [], environment: [], open: [], memory: [] };
  const latest = [piece('Latest', 'user: whole cents, please', eve)];
  const decided = [piece('Decided', 'User: "whole cents"', eve), piece('Decided', 'User: "no floats"', noon)];
  expect(inStartOrder({ ...none, latest, decided }).map(({ text }) => text)).toEqual([
    'user: whole cents, please',
    'User: "no floats"',
  ]);
});
