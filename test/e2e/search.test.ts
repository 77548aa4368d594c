import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtCli, LAUNCHER, programEnv } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const SHOP = '11111111-aaaa-4aaa-8aaa-000000000001';
const BLOG = '22222222-bbbb-4bbb-8bbb-000000000002';

type Hit = {
  sessionId: string;
  messageId: string;
  project: string;
  role: string;
  snippet: string;
  ts: string;
};

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
});
afterEach(() => home.remove());

function twoProjects(): void {
  home.session('/home/me/shop', SHOP, [
    {
      you: 'Why did we drop the token cache? ##keepit0.90## Tokens live in the cookie.',
      agent: 'The token cache went stale after a login, so the cookie holds it now.',
    },
    {
      you: 'Then rename getUserName in src/auth/login.ts.',
      agent: 'Renamed it. The redis pool still keeps a cache of its own.',
      at: '2026-01-06T09:00:00.000Z',
      branch: 'feat/basket',
    },
  ]);
  home.session('/home/me/blog', BLOG, [
    {
      you: 'Write a post about caching.',
      agent: 'Here is a draft on caches.',
      at: '2026-01-07T09:00:00.000Z',
    },
  ]);
  home.ok('sync');
}

const hits = (...args: string[]): Hit[] => home.json('search', ...args).items;
const sessionsOf = (found: Hit[]) => [...new Set(found.map((hit) => hit.sessionId))].sort();

function batch(lines: string, ...args: string[]) {
  return spawnSync(process.execPath, [LAUNCHER, 'search', '--batch', ...args], {
    cwd: home.path,
    encoding: 'utf8',
    env: programEnv(home.path),
    input: lines,
  });
}

describe('search', () => {
  test('finds a turn by its words and says where it is', () => {
    twoProjects();
    const [first] = hits('token', 'cookie');
    expect(first).toMatchObject({
      sessionId: SHOP,
      project: '-home-me-shop',
      messageId: expect.stringMatching(/^11111111-.*-(user|assistant)-0$/),
      score: expect.any(Number),
      exchange: { id: expect.stringMatching(/^ex_[0-9a-f]{12}$/), range: [1, 2] },
      snippet: expect.stringContaining('cookie'),
    });
    const shown = home.ok('search', 'token', 'cookie');
    expect(shown).toMatch(
      /^ 1 {2}shop {2}11111111 {2}2026-01-05 10:00 {2}(you|assistant) {2}\d\.\d\d\n {3}\S/,
    );
    expect(shown).toMatch(/^ {3}ex_[0-9a-f]{12}/m);
  });

  test('finds identifiers whole and in parts, other forms of a word, and beginnings', () => {
    twoProjects();
    for (const query of ['getUserName', 'user name', 'src/auth/login.ts', 'renaming', 'getUs*']) {
      expect(hits(query)[0]?.sessionId, query).toBe(SHOP);
    }
  });

  test('finds phrases exactly and excludes words with a minus', () => {
    twoProjects();
    const phrase = hits('"token cache"');
    expect(phrase.length).toBe(2);
    for (const hit of phrase) expect(hit.snippet.toLowerCase()).toContain('token cache');
    expect(hits('"cache token"')).toEqual([]);
    const without = hits('cache', '-redis');
    expect(without.length).toBeGreaterThan(0);
    for (const hit of without) expect(hit.snippet).not.toContain('redis');
    expect(hits('cache', '-http').length).toBeGreaterThan(0);
  });

  test('filters by project, role, time, topic and keepit weight', () => {
    twoProjects();
    expect(sessionsOf(hits('cache'))).toEqual([SHOP, BLOG]);
    expect(sessionsOf(hits('cache', '--project', 'blog'))).toEqual([BLOG]);
    expect(hits('cache', '--role', 'user').every((hit) => hit.role === 'user')).toBe(true);
    expect(hits('cache', '--agent', 'codex')).toEqual([]);
    expect(sessionsOf(hits('cache', '--since', '2026-01-07'))).toEqual([BLOG]);
    expect(hits('cache', '--until', '2026-01-05').every((hit) => hit.ts.startsWith('2026-01-05'))).toBe(true);
    expect(sessionsOf(hits('cache', '--topic', 'basket'))).toEqual([SHOP]);
    expect(hits('token', '--keepit', '0.80').map((hit) => hit.role)).toEqual(['user']);
    expect(hits('token', '--keepit', '0.10-0.50')).toEqual([]);
    expect(hits('--keepit', '0.80')).toHaveLength(1);
    expect(hits('cache', '--limit', '1')).toHaveLength(1);
  });

  test('returns sessions or exchanges instead of turns', () => {
    twoProjects();
    expect(hits('cache', '--grain', 'session').map((hit) => hit.sessionId)).toHaveLength(2);
    const exchanges = hits('cache', '--grain', 'exchange') as (Hit & { exchange: { id: string } })[];
    const ids = exchanges.map((hit) => hit.exchange.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('shows the lines around a hit, and opens its exchange', () => {
    twoProjects();
    const deep = home.json('search', '"went stale"', '--deep').items[0];
    expect(deep.context).toMatchObject({ before: [{ role: 'user' }], line: { role: 'assistant' } });
    expect(home.ok('search', '"went stale"', '--deep')).toContain('Why did we drop the token cache?');
    const opened = home.ok('search', 'went', 'stale', '--open');
    expect(opened).toContain('Why did we drop the token cache?');
    expect(opened).not.toContain('getUserName');
    const { items, exchange } = home.json('search', 'went', 'stale', '--open', '1');
    expect(items.map((line: { role: string }) => line.role)).toEqual(['user', 'assistant']);
    expect(exchange.range).toEqual([1, 2]);
    expect(home.run(['search', 'stale', '--open', '99']).status).toBe(3);
  });

  test('highlights the words only on a terminal', () => {
    twoProjects();
    const args = ['search', 'caching', '--project', 'shop'];
    expect(home.run(args, { FORCE_COLOR: '1' }).stdout).toContain('\u001b[33mcache\u001b[39m');
    expect(home.ok(...args)).not.toContain('\u001b');
  });

  test('says what to try when nothing is found', () => {
    expect(home.ok('search', 'token')).toBe('No sessions yet. Run `keepsake sync`.\n');
    twoProjects();
    for (const query of ['zanzibar', 'the and of', '🎉', '-token']) {
      const lines = home.ok('search', query).split('\n');
      expect(lines, query).toHaveLength(2);
      expect(lines[0]).toMatch(/^Nothing found for .* Try /);
      expect(hits(query)).toEqual([]);
    }
  });

  test('refuses an impossible query', () => {
    for (const args of [
      [],
      ['   '],
      ['x', '--limit', '0'],
      ['x', '--grain', 'page'],
      ['x', '--role', 'god'],
      ['x', '--since', 'soon'],
      ['x', '--keepit', '7'],
      ['x', '--only-files'],
      ['x', '--limt', '3'],
      ['x', '--batch'],
    ]) {
      const ran = home.run(['search', ...args]);
      expect(ran.status, args.join(' ')).toBe(2);
      expect(ran.stderr, args.join(' ')).not.toBe('');
    }
    expect(home.ok('search', '-h')).toContain('Usage: keepsake search');
  });

  test('escapes in a transcript do not reach the terminal', () => {
    home.session('/home/me/shop', SHOP, [{ you: 'red \u001b[31malert\u001b[0m \u001b]0;owned\u0007 text' }]);
    home.ok('sync');
    for (const args of [['alert'], ['alert', '--deep'], ['alert', '--open']]) {
      const shown = home.ok('search', ...args);
      expect(shown).toContain('red alert');
      expect(shown).not.toMatch(/[\u001b\u0007]/);
    }
  });

  test('answers with an index that is damaged anywhere, and rebuilds it', () => {
    twoProjects();
    const expected = hits('token cache');
    const file = join(home.archive, 'index.sqlite');
    const whole = readFileSync(file);
    let damaged = 0;
    for (let at = 0; at + 8192 <= whole.length; at += 12_288) {
      writeFileSync(
        file,
        Buffer.concat([whole.subarray(0, at), Buffer.alloc(8192, 'garbage'), whole.subarray(at + 8192)]),
      );
      const ran = home.run(['search', 'token cache', '--json']);
      expect(ran.status, `damage at ${at}: ${ran.stderr}`).toBe(0);
      expect(JSON.parse(ran.stdout).items, `damage at ${at}`).toEqual(expected);
      if (/was rebuilt/.test(ran.stderr)) damaged++;
    }
    expect(damaged).toBeGreaterThan(1);
    rmSync(file);
    expect(hits('token cache')).toEqual(expected);
  });

  test('survives any query', () => {
    twoProjects();
    const words = [
      'AND OR NOT NEAR(token, 3)',
      'token AND',
      '"token',
      '""" \'\' `',
      'col:token ^cache {a b}: c*',
      '* ** -* -"" "" (',
      "'; DROP TABLE lines; --x",
      '%_\\%',
      '🎉 token 令牌 \u202e',
      'token '.repeat(20_000).trim(),
    ];
    for (const query of words) {
      const ran = home.run(['search', '--json', '--', query]);
      expect(ran.stderr, query.slice(0, 60)).toBe('');
      expect(ran.status, query.slice(0, 60)).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject({ items: expect.any(Array), next: null });
    }
  });
});

describe('search --batch', () => {
  test('answers each line with a line, in order', () => {
    twoProjects();
    const asked = [
      { id: 1, query: 'token cache' },
      { id: 'b', query: 'caching', project: 'blog' },
      { id: 3, query: 'the' },
      { id: 4, query: '' },
    ];
    const ran = batch(asked.map((line) => JSON.stringify(line)).join('\n'));
    expect(ran.stderr).toBe('');
    expect(ran.status).toBe(0);
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map((answer) => answer.id)).toEqual([1, 'b', 3, 4]);
    expect(Object.keys(answers[0].hits[0])).toEqual([
      'sessionId',
      'messageId',
      'project',
      'role',
      'ts',
      'score',
      'snippet',
    ]);
    expect(answers[0].hits[0].sessionId).toBe(SHOP);
    expect(sessionsOf(answers[1].hits)).toEqual([BLOG]);
    expect([answers[2].hits, answers[3].hits]).toEqual([[], []]);
  });

  test('answers as the single command does', () => {
    twoProjects();
    for (const grain of ['turn', 'session']) {
      const ran = batch('{"id":1,"query":"token cache"}\n', '--grain', grain, '--limit', '3');
      const [answer] = ran.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const single = hits('token cache', '--grain', grain, '--limit', '3');
      expect(answer.hits.map((hit: Hit) => hit.messageId)).toEqual(single.map((hit) => hit.messageId));
    }
  });

  test('continues after a line that it cannot read, and reports it', () => {
    twoProjects();
    const lines = [
      'not json',
      '[]',
      '{"id":2}',
      '{"id":3,"query":"token","project":"nowhere"}',
      '{"id":4,"query":"to\\u0000ken \\ud83c \\" OR 1"}',
      JSON.stringify({ id: 5, query: 'x '.repeat(50_000) }),
      '',
      '{"id":6,"query":"token"}',
    ];
    const ran = batch(lines.join('\n'));
    expect(ran.status).toBe(65);
    const answers = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map((answer) => [answer.id, answer.error?.code])).toEqual([
      [null, 'bad-input'],
      [null, 'bad-input'],
      [2, 'bad-input'],
      [3, 'not-found'],
      [4, undefined],
      [5, undefined],
      [6, undefined],
    ]);
    expect(answers.at(-1).hits.length).toBeGreaterThan(0);
  });
});

test('an unknown agent is refused with the list of known ones', () => {
  const { status, stderr } = home.run(['search', 'basket', '--agent', 'cursorr']);
  expect(status).toBe(2);
  expect(stderr).toContain('claude-code');
  expect(stderr).toContain('cursor,');
});
