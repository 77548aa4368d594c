import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { workSession } from '../made/work.ts';
import { builtCli } from './built-cli.ts';
import { CliHome } from './cli-home.ts';

const ID = '11111111-aaaa-4aaa-8aaa-000000000001';

let home: CliHome;
beforeAll(builtCli);
beforeEach(() => {
  home = new CliHome();
  const text = workSession(ID, [
    { you: 'Add a basket. From now on keep prices in cents.' },
    { edit: 'src/basket.ts' },
    { run: 'npm test', fails: 'Error: basket is not defined' },
    { edit: 'src/basket.ts' },
    { run: 'npm test' },
    { agent: 'Added the basket; it failed because it was not exported.' },
    { you: "Please don't amend commits, it breaks the hooks.\u001b[2J" },
    { agent: 'Understood.' },
  ]);
  home.file(join(home.projects, '-srv-shop', `${ID}.jsonl`), text);
  home.ok('sync');
});
afterEach(() => home.remove());

test('facts are listed, shown with their sources, added, confirmed, corrected and forgotten', () => {
  const listed = home.ok('facts');
  expect(listed).toContain('From now on keep prices in cents.');
  expect(listed).toContain('`npm test` fails: Error: basket is not defined');
  const [rule] = home.json('facts', '--kind', 'rule').items;
  const shown = home.ok('facts', 'show', rule.id.slice(0, 6));
  expect(shown).toContain(`session ${ID.slice(0, 8)}`);
  expect(home.ok('facts', 'correct', rule.id, 'Prices are in cents.')).toContain(
    'is corrected: Prices are in cents.',
  );
  expect(home.ok('facts', 'add', 'Never', 'deploy', 'on', 'Fridays.', '--project', 'shop')).toContain(
    'Remembered as r_',
  );
  const [candidate] = home.json('facts', '--candidates').items;
  home.ok('facts', 'confirm', candidate.id);
  home.ok('facts', 'forget', rule.id);
  rmSync(join(home.archive, 'projects', '-srv-shop', 'memory', 'facts.json'));
  const rules = home.json('facts', '--kind', 'rule').items.map((it: { content: string }) => it.content);
  expect(rules.sort()).toEqual([
    expect.stringContaining('Never deploy on Fridays.'),
    expect.stringContaining("don't amend commits"),
  ]);
  expect(home.ok('facts', '--kind', 'rule'), 'harmless for a terminal').not.toContain('\u001b');
  expect(home.ok('history')).toContain('fact');
  const gone = home.run(['facts', 'show', rule.id]);
  expect(gone).toMatchObject({ status: 3, stdout: '' });
  expect(home.run(['facts', 'add', 'x y z']).stderr).toContain('--project');
  expect(home.ok('recall', '--project', 'shop')).toMatch(/## Rules\n\nrule r_\w+, said by the user/);
});

test('a page of a list names the command for its next page', () => {
  home.ok('facts', 'add', 'Never', 'deploy', 'on', 'Fridays.', '--project', 'shop');
  const { stderr } = home.run(['facts', '--kind', 'rule', '--limit', '1']);
  const [, command = ''] = /For more:\s+keepsake (.*)/.exec(stderr) ?? [];
  expect(command).toMatch(/^facts --kind rule --limit 1 --after \S+$/);
  expect(home.ok(...command.split(' '))).toContain('rule');
});

test('concepts are listed, shown and renamed; exchanges say how they ended', () => {
  const [concept] = home.json('concepts').items;
  expect(home.ok('concepts', 'rename', concept.id, 'Basket work')).toContain('Basket work');
  expect(home.ok('concepts', 'show', 'basket work')).toContain('ex_');
  expect(home.json('sessions').items[0].metadata.primaryTopics).toContain('Basket work');
  expect(home.json('search', 'basket', '--topic', 'basket work').items).not.toEqual([]);
  expect(home.json('exchanges', ID).items[0]).toMatchObject({
    outcome: 'done',
    commands: ['npm test'],
    files: ['src/basket.ts'],
    ask: 'Add a basket. From now on keep prices in cents.',
  });
  expect(existsSync(join(home.archive, 'projects', '-srv-shop', 'memory', 'concepts.json'))).toBe(true);
});
