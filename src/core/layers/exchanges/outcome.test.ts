import { describe, expect, it } from 'vitest';
import { type L1Line, refusedResult } from '../../model/l1.ts';
import { exchangeRecords, extendRecords } from './records.ts';

let src = 0;
const line = (role: L1Line['role'], rest: Partial<L1Line>): L1Line => ({
  ts: '2026-03-01T10:00:00Z',
  role,
  src: src++,
  ...rest,
});
const user = (text: string) => line('user', { text });
const agent = (text: string) => line('assistant', { text });
const bash = (target: string, result?: string) =>
  line('tool', { name: 'Bash', target, ...(result === undefined ? {} : { result }) });
const edit = (target = 'src/basket.ts', result?: string) =>
  line('tool', { name: 'Edit', target, ...(result === undefined ? {} : { result }) });
const refused = refusedResult();
const stopped = () => line('system', { name: 'interrupted' });
const outcomes = (...lines: L1Line[]) => exchangeRecords('s', lines).map(({ outcome }) => outcome);
const first = (...lines: L1Line[]) => outcomes(...lines)[0];

describe('an exchange is open', () => {
  it('only while nothing follows and the agent was not done', () => {
    const lines = [user('Add a filter to the list.'), agent('I look at it.'), bash('ls src')];
    expect(outcomes(...lines)).toEqual(['open']);
    expect(first(...lines, user('Also sort it.'), agent('Added both.'))).toBe('done');
  });

  it('when the last words ask for a decision', () => {
    const lines = [
      user('Add a filter to the list.'),
      agent('There are two ways: A or B. Which do you prefer?'),
    ];
    expect(outcomes(...lines)).toEqual(['open']);
    expect(first(...lines, user('A'), agent('Added it.'))).toBe('done');
  });

  it('when the change that was asked for is only offered', () => {
    expect(first(user('Fix the total.'), agent('It rounds twice. Shall I change it?'))).toBe('open');
    expect(first(user('Why is the total wrong?'), agent('It rounds twice. Shall I change it?'))).toBe('done');
    const made = [user('Fix the total.'), edit(), agent('It rounds once now. Shall I commit it?')];
    expect(first(...made)).toBe('done');
    expect(first(user('Create a page.'), agent("Done. The page has a title. What's next?"))).toBe('done');
  });

  it('when the last words say that something remains', () => {
    const text = 'The reader is in place. The writer is not yet implemented.';
    expect(first(user('Write the exporter.'), edit(), agent(text))).toBe('open');
  });

  it('not when the last step is a commit or a check that passed', () => {
    expect(first(user('Commit it.'), bash('git commit -m "fix: total"'))).toBe('done');
    expect(first(user('Fix the total.'), edit(), bash('npm test'))).toBe('done');
    expect(first(user('Fix the total.'), edit())).toBe('open');
  });
});

describe('an exchange is rejected', () => {
  it('when the user stopped it, unless they continue from it', () => {
    const lines = [user('Fix the total.'), edit(), agent('Now the tests:'), bash('npm test'), stopped()];
    expect(first(...lines)).toBe('rejected');
    expect(first(...lines, user('Wait, look at the cart first.'), agent('It is empty.'))).toBe('rejected');
    expect(first(...lines, user('ok, commit'), bash('git commit -m "fix: total"'))).toBe('done');
  });

  it('not when it was committed before the user stopped it', () => {
    const lines = [
      user('Fix the total.'),
      edit(),
      bash('git commit -m "fix: total"'),
      bash('sleep 60', refused),
    ];
    expect(first(...lines, stopped(), user('Next: the header.'), agent('Changed.'))).toBe('done');
  });

  it('when the last call was refused and nothing was done after it', () => {
    const plan = line('tool', { name: 'ExitPlanMode', text: '# Plan', result: refused });
    expect(first(user('Plan the export.'), plan, agent('Understood.'), user('Another thing.'))).toBe(
      'rejected',
    );
    expect(first(user('Fix it.'), edit('a.ts', refused), edit('b.ts'), agent('Fixed in b.ts.'))).toBe('done');
    const talk = `${'You are right, the name is read from the branch. '.repeat(6)}So it stays.`;
    const reply = line('user', { text: 'how do we know the name?', reply: true });
    expect(first(user('Fix it.'), edit('a.ts', refused), reply, agent(talk), user('good'))).toBe('done');
  });

  it('when the user withdraws it', () => {
    const lines = [user('Rename the class.'), edit(), agent('Renamed it.')];
    for (const next of [
      'revert that',
      'no, undo it please',
      "no, don't do that",
      "that's not what I asked for",
      'never mind',
    ])
      expect([next, first(...lines, user(next), agent('Reverted.'))]).toEqual([next, 'rejected']);
    for (const next of [
      'do not add the full name',
      'why did it revert?',
      'no problem',
      'now the reset button',
    ])
      expect([next, first(...lines, user(next), agent('Changed.'))]).toEqual([next, 'done']);
  });

  it('not when "no" answers an offer', () => {
    const lines = [user('Rename the class.'), edit(), agent('Renamed it. Shall I push?')];
    expect(first(...lines, user("no, don't push"), agent('Fine.'))).toBe('done');
  });

  it('when it was never answered and sent again', () => {
    expect(first(user('Where is the log?'), user('Where is the log? I need it.'), agent('In logs/.'))).toBe(
      'rejected',
    );
  });
});

describe('an exchange failed', () => {
  const failing = () => bash('npm test', 'Exit code 1');

  it('when its last check failed and nothing mended it', () => {
    const lines = [user('Make it pass.'), edit(), failing(), agent('The order of the items differs.')];
    expect(first(...lines)).toBe('failed');
    expect(first(...lines, user('What is the time?'), agent('Noon.'))).toBe('failed');
    expect(first(...lines, user('go on'), edit(), bash('npm test'), agent('The order is kept.'))).toBe(
      'done',
    );
  });

  it('not when a failed run was mended', () => {
    expect(first(user('Make it pass.'), failing(), edit(), bash('npm test'), agent('It is in order.'))).toBe(
      'done',
    );
    const after = [bash('git commit -m "fix: order of items"'), agent('It is in.')];
    expect(first(user('Make it pass.'), failing(), edit(), ...after)).toBe('done');
  });

  it('when the agent says so, but not when it only reports a failure', () => {
    expect(first(user('Fix it.'), agent('I was not able to fix it.'))).toBe('failed');
    expect(first(user('Why does CI fail?'), agent('The linter is failing at line 3.'))).toBe('done');
    expect(first(user('Fix it.'), edit(), agent('Fixed. If it still fails, clear the cache.'))).toBe('done');
  });

  it('when the user says that it does not work, and the next exchange does not mend it', () => {
    const lines = [user('Fix the button.'), edit(), agent('Fixed the button.'), user('still not working')];
    expect(first(...lines, agent('Hm, I see nothing in the log.'))).toBe('failed');
    expect(first(...lines, edit(), agent('The handler was missing. Fixed.'))).toBe('done');
  });

  it('when the service failed in place of an answer', () => {
    const lines = [user('Fix it.'), edit(), agent('API Error: 500 Internal Server Error')];
    expect(first(...lines)).toBe('failed');
    expect(first(...lines, user('continue'), edit(), agent('Fixed.'))).toBe('done');
  });
});

it('the outcome of the last but one changes as the last one grows', () => {
  const lines = [
    user('Make it pass.'),
    edit(),
    bash('npm test', 'Exit code 1'),
    agent('The order of the items differs.'),
    user('go on'),
    agent('I look at the sorter.'),
    edit(),
    bash('npm test'),
    agent('The order is kept.'),
  ];
  const known = 6;
  const before = exchangeRecords('s', lines.slice(0, known));
  expect(before.map(({ outcome }) => outcome)).toEqual(['failed', 'done']);
  expect(extendRecords('s', before, lines, known)).toEqual(exchangeRecords('s', lines));
});
