import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const LONG = '22222222-aaaa-4aaa-8aaa-000000000001';
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
const PINNED = 'Money is  integer cents,\n\teverywhere.';

let home: CliHome;
let file: string;
beforeAll(builtCli);
beforeAll(() => {
  home = new CliHome();
  const turns = Array.from({ length: 10 }, (_, n) => ({
    you: `What about basket ${n}?${n === 2 ? `\n\n##keepit1.00## ${PINNED}` : ''}`,
    agent: n === 3 ? `The key is ${SECRET}.` : `Basket ${n} holds ${n} things worth telling of. `.repeat(20),
  }));
  file = home.session('/home/me/shop', LONG, turns);
  const empty = join(home.projects, '-home-me-shop', '33333333-aaaa-4aaa-8aaa-000000000001.jsonl');
  home.file(empty, '{"type":"summary","summary":"Nothing was said","leafUuid":"x"}\n');
  home.ok('sync');
});
afterAll(() => home.remove());

test('a session is compressed, read, compared, traced and verified, and a version deleted', () => {
  expect(home.ok('compress', '2222', '--ratio', '10', '--dry-run')).toMatch(/^part 1 would be .* tokens/);
  expect(home.json('versions', '2222').parts).toEqual([]);
  expect(home.ok('compress', '2222', '--level', 'aggressive')).toMatch(
    /^part1_v001 made: [\d,]+ to [\d,]+ tokens .*\n {2}keepits: 1 preserved, 0 summarized \(threshold 0\.53\)\n/,
  );
  expect(home.ok('compress', '2222', '--level', 'aggressive')).toMatch(/^part1_v001 already existed/);
  home.ok('compress', '2222', '--preset', 'gentle');
  const markdown = home.ok('versions', '2222', 'v001', '--markdown');
  expect(markdown).toContain(PINNED);
  const { inputTokens, outputTokens } = home.json('versions', '2222', 'v002');
  expect(outputTokens).toBeLessThan(inputTokens / 2);
  expect(home.ok('diff', '2222', 'v001')).toMatch(/original .* to part1_v001 .* removed, 0 new; /);
  const at = markdown.split('\n').findIndex((line) => line.includes('integer cents')) + 1;
  const [line] = home.json('blame', '2222', 'v001', String(at)).lines;
  const bytes = readFileSync(file).subarray(...(line.origins[0].bytes as [number, number]));
  expect(JSON.parse(bytes.toString('utf8')).uuid).toBe(line.origins[0].messageUuid);
  expect(home.json('search', 'integer cents', '--limit', '1').items[0].versions).toEqual([
    'part1_v001',
    'part1_v002',
  ]);
  expect(home.ok('search', 'integer cents', '--limit', '1')).toContain('in part1_v001, part1_v002');
  expect(home.ok('verify', LONG)).toContain('Every byte matches.');
  expect(home.ok('prune', '2222', 'v001', '--dry-run')).toMatch(/v001[\s\S]*would be deleted/);
  expect(home.json('prune', '2222', 'v001', '--dry-run')).toMatchObject({
    dryRun: true,
    versions: ['part1_v001'],
  });
  home.ok('prune', '2222', 'v001', '--yes');
  expect(home.run(['versions', '2222', 'v001']).status).toBe(3);
});

test('new messages become the next part, and no secret reaches a version', () => {
  const more = transcript('/home/me/shop', LONG, [
    { you: 'One more thing?', agent: 'Here it is. '.repeat(20) },
  ]);
  appendFileSync(file, more.replaceAll(`${LONG}-`, 'more-'));
  home.ok('sync');
  expect(home.json('delta', '2222')).toMatchObject({ parts: 1, newMessages: 2, hasDelta: true, nextPart: 2 });
  expect(home.ok('delta', '2222', '--compress', '--ratio', '2')).toMatch(/^part2_v001 made/);
  expect(home.ok('delta', '2222')).toBe('Nothing new since part 2.\n');
  const archive = join(home.archive, 'projects');
  const made = readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /summaries.*part/.test(name),
  );
  expect(made.length).toBeGreaterThanOrEqual(4);
  for (const name of made) expect(readFileSync(join(archive, name), 'utf8')).not.toContain(SECRET);
});

test('an impossible request says why, with an exit status of its own', () => {
  const tiers = join(home.path, 'tiers.json');
  const tier = (endPercent: unknown, compactionRatio = 10) => ({
    endPercent,
    compactionRatio,
    aggressiveness: 'moderate',
  });
  const bad: [object[], RegExp][] = [
    [[tier(50), tier(40)], /endPercent 40 must be greater than 50/],
    [[tier(50)], /last endPercent is 50, not 100/],
    [[], /the list is empty/],
    [[tier(100, 0)], /Tier 1, compactionRatio/],
  ];
  for (const [list, words] of bad) {
    writeFileSync(tiers, JSON.stringify(list));
    const { status, stderr, stdout } = home.run(['compress', '2222', '--tiers', tiers]);
    expect([status, stdout]).toEqual([65, '']);
    expect(stderr).toMatch(words);
  }
  // The names of levels are understood everywhere.
  writeFileSync(tiers, JSON.stringify([{ ...tier(100), aggressiveness: 'light' }]));
  for (const own of [
    ['--tiers', tiers],
    ['--ratio', '5', '--aggressiveness', 'light'],
    ['--level', '2'],
  ])
    home.ok('compress', '2222', '--dry-run', ...own);
  const cases: [number, RegExp, ...string[]][] = [
    [2, /Invalid compression ratio: 0:1/, 'compress', '2222', '--ratio', '0'],
    [2, /contradict/, 'compress', '2222', '--ratio', '5', '--preset', 'gentle'],
    [3, /No part 7 in this session/, 'compress', '2222', '--part', '7'],
    [3, /No version "v099"/, 'versions', '2222', 'v099'],
    [65, /The session has no messages/, 'compress', '3333'],
    [2, /between 0.00 and 1.00/, 'keepit', 'add', '2222', '--last', '--weight', '1.5'],
    [2, /--yes/, 'prune', '2222', '--unused'],
  ];
  for (const [expected, words, ...args] of cases) {
    const { status, stderr } = home.run(args);
    expect([args.join(' '), status, stderr]).toEqual([
      args.join(' '),
      expected,
      expect.stringMatching(words),
    ]);
  }
});
