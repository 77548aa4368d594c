import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { CONFIG_DEFAULTS } from '../../core/model/config-defaults.ts';
import { type ProjectId, type SessionId, sanitizePath } from '../../core/model/ids.ts';
import { pack } from '../../core/search/pack.ts';
import { mostPackedTokens } from '../../core/search/packed-tokens.ts';
import { estimateTokens } from '../../core/text/estimate-tokens.ts';
import { loadTokenCounter } from '../../core/text/tokens.ts';
import { rulePieces } from '../answer/rules.ts';
import { showSession } from '../session/show.ts';
import { setSetting } from '../settings/configure.ts';
import { noteOpen, openSessions } from '../sync/open-sessions.ts';
import { type HookSession, loadHookSession, saveHookSession } from '../sync/running-session.ts';
import { sync } from '../sync/sync.ts';
import { syncSession } from '../sync/sync-session.ts';
import { promptText } from './prompt.ts';
import { startText, unsaidPieces } from './start.ts';
import { inStartOrder, startInjection } from './start-injection.ts';
import { knownTokens, startTitle } from './start-title.ts';

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
const of = (text: string, ...files: string[]) => ({ text, files: new Set(files) });
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

test('what was written to a file that the agent reads is not said, whether it is still in it or not', () => {
  const text = 'Written to MEMORY.md: The till listens on port 4100. It needs a TILL_KEY.';
  const memory = '# Till\n- The till listens on port 4100.\n- It needs a TILL_KEY.';
  for (const instructions of [of(memory), of('# Till', 'MEMORY.md')]) {
    const unsaid = unsaidPieces([{ text }], instructions);
    expect(unsaid).toEqual({ pieces: [], known: [{ text }] });
  }
  expect(unsaidPieces([{ text }], of('# Till', 'CLAUDE.md')).pieces).toEqual([{ text }]);
});

test('a session with only a question takes no room, unless there is no other', async () => {
  const session = (id: string, day: number, you: string) => {
    const [line = '', ...more] = transcript(shop, id, [
      { you, agent: 'A hub that fails ends such a call.' },
    ]).split('\n');
    const dated = [line, ...more]
      .join('\n')
      .replaceAll(/"timestamp":"2026-01-\d\d/g, `"timestamp":"2026-02-0${day}`);
    writeFileSync(join(world.projects, project, `${id}.jsonl`), dated);
  };
  session('talk0001', 2, 'My laptop just crashed. What does this mean?\n\npanic at 0x0 in usb');
  session('work0001', 1, 'Let us move the till to port 4100.');
  await sync(world);
  const text = await start(newSession());
  expect(text).toContain('port 4100');
  expect(text).not.toContain('laptop');
});

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

test('a start that was counted ahead needs no counter, and says the same as one that counts', async () => {
  const said = await start(newSession());
  const injection = await startInjection(world, project, [project]);
  const known = knownTokens(injection, 'now00001');
  const unsaid = unsaidPieces([...(await rulePieces(world, [project])), ...injection.pieces], of('')).pieces;
  const { taken, text } = pack(startTitle(injection.name, 'now00001'), unsaid, 1500, estimateTokens);
  expect(text.trimEnd()).toBe(said);
  const most = mostPackedTokens(taken, known!)!;
  const count = await loadTokenCounter();
  expect(most).toBeGreaterThanOrEqual(count(text));
  expect(most).toBeLessThan(1500);

  const file = `hooks/start/${project}.json`;
  const { tokens: _, ...older } = injection;
  await world.archive.files.write(undefined, file, JSON.stringify(older));
  expect(knownTokens(await startInjection(world, project, [project]), 'now00001')).toBeUndefined();
  expect(await start(newSession())).toBe(said);
});

test('what is left of a piece takes at most what the piece takes, if its lines are read one by one', () => {
  const text = 'The totals are rounded once.\nThe cart shows all prices in whole cents.';
  const { pieces } = unsaidPieces([{ text, tokens: 20 }], of('The cart shows all prices in whole cents.'));
  expect(pieces).toEqual([{ text: 'The totals are rounded once.', tokens: 20 }]);
  const marked = { text: `##\n${text}`, tokens: 20 };
  expect(unsaidPieces([marked], of(text)).pieces).toEqual([{ text: '##' }]);
  expect(unsaidPieces([{ text, tokens: 20 }], of('')).pieces).toEqual([{ text, tokens: 20 }]);
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

describe('a start in one worktree, while a session of another runs', () => {
  const OTHER = '11111111-aaaa-4aaa-8aaa-000000000001' as SessionId;
  let side = '';
  beforeEach(async () => {
    const git = join(shop, '.git', 'worktrees', 'side');
    mkdirSync(git, { recursive: true });
    writeFileSync(join(shop, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(git, 'commondir'), '../..\n');
    side = join(world.places.home, 'work', 'side');
    mkdirSync(side);
    writeFileSync(join(side, '.git'), `gitdir: ${git}\n`);
    mkdirSync(join(world.projects, sanitizePath(side)));
    const path = join(world.projects, sanitizePath(side), `${OTHER}.jsonl`);
    writeFileSync(path, transcript(side, OTHER, [{ you: 'How is the till oiled?', agent: 'It is not.' }]));
    const state = await loadHookSession(world, OTHER);
    await syncSession(world, state, path, { config: CONFIG_DEFAULTS, upTo: 'l1' });
    await saveHookSession(world, state);
    await noteOpen(world, OTHER);
    appendFileSync(path, transcript(side, OTHER, [{}, { you: 'And the bell?', agent: 'With grease.' }]));
  });
  const messages = async () => (await showSession(world, OTHER)).originalMessages;

  test('brings its record up to date', async () => {
    await start(newSession());
    expect(await messages()).toBe(4);
  });

  test.each<[string, () => unknown]>([
    ['a marker', () => writeFileSync(join(side, '.keepsake-ignore'), '')],
    ['the setting', () => setSetting(world, 'record', 'false', side)],
  ])('reads no more of it once it is kept out by %s', async (_, keepOut) => {
    await keepOut();
    await start(newSession());
    expect(await messages()).toBe(2);
    expect(await openSessions(world)).toEqual([]);
  });
});
