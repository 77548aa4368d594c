import { beforeAll, describe, expect, it } from 'vitest';
import { shortVersions } from '../../../test/made/short-version.ts';
import { turnsFrom } from '../../../test/made/turns.ts';
import { loadTokenCounter } from '../text/tokens.ts';

let version: ReturnType<typeof shortVersions>;
beforeAll(async () => {
  version = shortVersions(await loadTokenCounter());
});

describe('what a short version is made of', () => {
  const command =
    'git add -A && git commit -m "$(cat <<\'EOF\'\nKeep the cart for a day\n\nThe basket cookie had no Max-Age.\n\nCo-Authored-By: X <x@example.com>\nEOF\n)"';

  it('a commit is its message, without the command and the trailers', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Commit it.' },
      {
        role: 'tool',
        name: 'Bash',
        target: command.slice(0, 60),
        detail: { input: { command }, output: '[main 1234567] Keep', isError: false },
      },
    ]);
    const { markdown, lines } = version(turns, 10, 200);
    expect(markdown).toContain('**Committed:** Keep the cart for a day; The basket cookie had no Max-Age.');
    expect(markdown).not.toContain('Co-Authored-By');
    expect(lines.find(({ name }) => name === 'Committed')?.src).toEqual([100]);
  });

  it('lines of a commit that were wrapped are sentences again', () => {
    const body = [
      'Before, the query joined all rows to the tables of uploads and users,',
      'then sorted them, then applied the limit. With large result sets',
      '(a radius of 1500 m) it took two minutes',
      'Now it has an index',
      '- one of the place, which finds the rows of a map without reading all',
      '  the others',
    ].join('\n');
    const wrapped = `git commit -m "$(cat <<'EOF'\nJoin after the limit\n\n${body}\nEOF\n)"`;
    const turns = turnsFrom([
      { role: 'user', text: 'Commit it.' },
      {
        role: 'tool',
        name: 'Bash',
        target: 'git commit',
        detail: { input: { command: wrapped }, isError: false },
      },
    ]);
    expect(version(turns, 10, 400).markdown).toContain(
      '**Committed:** Join after the limit; Before, the query joined all rows to the tables of uploads and users, then sorted them, then applied the limit. With large result sets (a radius of 1500 m) it took two minutes; Now it has an index; one of the place, which finds the rows of a map without reading all the others',
    );
  });

  it('a long address at the beginning or after an empty line joins nothing', () => {
    const address = `https://forge.example/shop/issues/12345#comment-${'9'.repeat(40)}`;
    const command = `git commit -m "$(cat <<'EOF'\nJoin after the limit\n\n${address} has the plan.\n\n${address} has the figures.\nEOF\n)"`;
    const turns = turnsFrom([
      { role: 'user', text: 'Commit it.' },
      { role: 'tool', name: 'Bash', target: 'git commit', detail: { input: { command }, isError: false } },
    ]);
    const { markdown } = version(turns, 10, 400);
    expect(markdown).not.toContain('undefined');
    expect(markdown).toContain(`${address} has the plan. ${address} has the figures.`);
  });

  it('a file whose changed lines are shown ends its line of the list', () => {
    const edit = (target: string, before: string, after: string) => ({
      role: 'tool' as const,
      name: 'Edit',
      target,
      detail: { input: { file_path: target, old_string: before, new_string: after }, isError: false },
    });
    const turns = turnsFrom([
      { role: 'user', text: 'Rename it.' },
      edit('src/cart.ts', 'const basket = 1;', 'const cart = readCookie();'),
      edit('src/old.ts', 'removeMe();', ''),
      edit('src/older.ts', 'removeMeToo();', ''),
    ]);
    expect(version(turns, 10, 400).markdown).toContain(
      '- Edit: src/cart.ts: `const cart = readCookie();`\n- Edit: src/old.ts, src/older.ts',
    );
  });

  it('a pull request is its text, without what the client added below it', () => {
    const opened = `gh pr create --title "Keep the cart" --body "The cookie had no Max-Age.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)"`;
    const turns = turnsFrom([
      { role: 'user', text: 'Open it.' },
      {
        role: 'tool',
        name: 'Bash',
        target: opened,
        detail: { input: { command: opened }, isError: false },
      },
    ]);
    const { markdown } = version(turns, 10, 200);
    expect(markdown).toContain('**Committed:** Keep the cart; The cookie had no Max-Age.');
    expect(markdown).not.toContain('Generated with');
  });

  it('a pull request with the name of its commit is named once', () => {
    const command = `git commit -m 'Round totals up' && gh pr create --title 'Round totals up' --body 'Cents were lost.'`;
    const turns = turnsFrom([
      { role: 'user', text: 'Publish it.' },
      { role: 'tool', name: 'Bash', target: command, detail: { input: { command }, isError: false } },
    ]);
    const { markdown } = version(turns, 10, 200);
    expect(markdown).toContain('**Committed:** Round totals up; Cents were lost.');
  });

  it('a command is its first line, and what a tool was fed is left out from 1/20 on', () => {
    const script = `cat > run.sh <<'EOF'\n${'echo one more line of the script\n'.repeat(20)}EOF`;
    const fed = 'const words = tools.all().filter((tool) => tool.isOpen);\ntext(words);\nzebra();';
    const turns = turnsFrom([
      { role: 'user', text: 'Make a script.' },
      { role: 'tool', name: 'Bash', target: script, detail: { input: { command: script }, isError: false } },
      { role: 'tool', name: 'exec', target: 'tools', detail: { input: { code: fed }, isError: false } },
      { role: 'assistant', text: 'Done, it runs.' },
    ]);
    const { markdown } = version(turns, 20, 400);
    expect(markdown).toContain("cat > run.sh <<'EOF' …");
    expect(markdown).not.toContain('one more line of the script');
    expect(markdown).not.toContain('zebra');
    expect(version(turns, 10, 400).markdown).toContain('zebra');
  });

  it('a question stays with its answer', () => {
    const text = 'Which store for carts?\n→ Redis (already runs)';
    const turns = turnsFrom([
      { role: 'user', text: 'Plan the cart.' },
      { role: 'user', reply: true, asked: 'Which store for carts?', text },
    ]);
    expect(version(turns, 30, 60).markdown).toContain(text);
  });

  it('steps of a list are told once; a subagent by its report; tool output only at 1/10 and lighter', () => {
    const todos = (status: string) => ({ todos: [{ content: 'Migrate the carts', status }] });
    const turns = turnsFrom([
      { role: 'user', text: 'Do it.' },
      {
        role: 'tool',
        name: 'TodoWrite',
        target: '1 todo',
        detail: { input: todos('pending'), isError: false },
      },
      {
        role: 'tool',
        name: 'TodoWrite',
        target: '1 todo',
        detail: { input: todos('completed'), isError: false },
      },
      {
        role: 'tool',
        name: 'Task',
        target: 'look around',
        detail: {
          input: { prompt: 'Look.' },
          output: 'Carts live in lib/cart.rb.\nagentId: a6b0113 (to resume)',
          isError: false,
        },
      },
      {
        role: 'tool',
        name: 'Bash',
        target: 'rake',
        detail: { input: { command: 'rake' }, output: 'zebra output', isError: false },
      },
    ]);
    const { markdown } = version(turns, 20, 300);
    expect(markdown.match(/Migrate the carts/g)).toHaveLength(1);
    expect(markdown).toContain('**Subagent:** Carts live in lib/cart.rb.');
    expect(markdown).not.toContain('agentId');
    expect(markdown).not.toContain('zebra');
    expect(version(turns, 11, 300).markdown).not.toContain('zebra');
    expect(version(turns, 10, 300).markdown).toContain('zebra');
  });

  it('an edit is told by the lines that stayed', () => {
    const edit = (old_string: string, new_string: string) => ({
      role: 'tool' as const,
      name: 'Edit',
      target: 'cart.ts',
      detail: { input: { old_string, new_string }, isError: false },
    });
    const turns = turnsFrom([
      { role: 'user', text: 'Limit it.' },
      edit('let limit;', 'let limit = wrongLimit;'),
      edit('let limit = wrongLimit;', 'let limit = dailyLimit;'),
    ]);
    const { markdown } = version(turns, 20, 200);
    expect(markdown).toContain('dailyLimit');
    expect(markdown).not.toContain('wrongLimit');
  });

  it('of pasted text the first words come before the rest, and after what the user wrote', () => {
    const log = `2026-01-01 10:00:00 ERROR worker ${'retry queue=mail attempt=7 '.repeat(30)}`;
    const turns = turnsFrom([
      { role: 'user', text: `${log}\n\nThe mail worker dies every night since the upgrade of ruby.` },
    ]);
    const { markdown } = version(turns, 30, 60);
    expect(markdown).toContain('dies every night');
    expect(markdown.length).toBeLessThan(300);
  });

  it('what is below a heading comes with it', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Where are we?' },
      {
        role: 'assistant',
        text: '## Not done yet\n\n- Rate limits of the public API\n\n## Done\n\n- Login by passkey works in Safari',
      },
    ]);
    for (let tokens = 12; tokens < 80; tokens += 4) {
      const { markdown } = version(turns, 30, tokens);
      if (markdown.includes('Rate limits')) expect(markdown).toContain('Not done yet');
    }
    expect(version(turns, 30, 80).markdown).toContain('Rate limits');
  });
});

describe('words of an agent at work', () => {
  const turns = turnsFrom([
    { role: 'user', text: 'The nightly export is empty. Why?' },
    {
      role: 'assistant',
      text: 'I’m checking the scheduler first, then the logs of the last three nights and the list of runners. I’m pinning the timezone in the job because the runner has none.',
    },
    {
      role: 'assistant',
      text: 'The job ran before midnight in UTC.\n\n::git-stage{cwd="/srv/export"}\n::git-push{cwd="/srv/export" branch="fix"}',
    },
  ]);

  it('what it does just now comes after what it found, unless it says why', () => {
    for (let tokens = 14; tokens < 90; tokens += 2) {
      const { markdown } = version(turns, 30, tokens);
      if (!markdown.includes('checking the scheduler')) continue;
      expect(markdown).toContain('The job ran before midnight in UTC.');
      expect(markdown).toContain('because the runner has none');
    }
    expect(version(turns, 30, 90).markdown).toContain('because the runner has none');
  });

  it('lines for its client are in no short version', () => {
    expect(version(turns, 10, 400).markdown).not.toContain('::git-');
    expect(version(turns, 1, 400).markdown).toContain('::git-stage');
  });

  it('what the user agreed to stays, also where later words say it again', () => {
    const talk = (answer: string) =>
      turnsFrom([
        { role: 'user', text: 'How shall we cache the tariff lookups?' },
        {
          role: 'assistant',
          text: 'The database answers slowly. Keep the tariff lookups in redis with a ttl of one day.',
        },
        { role: 'user', text: answer },
        { role: 'assistant', text: 'Wrote the client for redis; tariff lookups carry a ttl now.' },
      ]);
    expect(version(talk('Yes, do that.'), 30, 200).markdown).toContain('in redis with a ttl of one day');
    expect(version(talk('Which library has a client?'), 30, 200).markdown).not.toContain('ttl of one day');
  });
});

describe('the layout of a short version', () => {
  it('has a paragraph for each commit, the same one once, headings with what is below them', () => {
    const commit = (message: string) => ({
      role: 'tool' as const,
      name: 'Bash',
      target: 'git commit',
      detail: { input: { command: `git commit -m "${message}"` }, output: '', isError: false },
    });
    const turns = turnsFrom([
      { role: 'user', text: 'Commit both.' },
      commit('Round prices half up\n\n## Testing\n\n- ran the price tests'),
      commit('Sort invoices by day'),
      commit('Sort invoices by day'),
    ]);
    const { markdown, lines } = version(turns, 20, 300);
    expect(markdown).toContain('**Committed:** Round prices half up; Testing: ran the price tests\n\n');
    expect(markdown.match(/Sort invoices by day/g)).toHaveLength(1);
    expect(lines.find(({ text }) => text === 'Sort invoices by day')?.l1).toEqual([3, 4]);
  });

  it('calls that were only fed JSON are left out from 1/20 on', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Wait for the build.' },
      { role: 'tool', name: 'poll', target: '{"cell":1}' },
      { role: 'tool', name: 'poll', target: '{"cell":2}', result: 'Exit code 1' },
      { role: 'assistant', text: 'The build of the installer failed.' },
    ]);
    const { markdown } = version(turns, 20, 300);
    expect(markdown).not.toContain('"cell":1');
    expect(markdown).toContain('"cell":2');
  });

  it('is paragraphs of what was said, then the files, with the sources of all', () => {
    const file = (name: string, target: string) => ({ role: 'tool' as const, name, target });
    const turns = turnsFrom([
      { role: 'user', text: 'Speed up the search page.' },
      { role: 'assistant', text: 'The index had no trigram column.' },
      file('Edit', 'db/index.sql'),
      { role: 'assistant', text: 'Queries now use the trigram index.' },
      file('Read', 'app/search.ts'),
      file('Edit', 'app/query.ts'),
    ]);
    const { markdown, lines } = version(turns, 10, 300);
    expect(markdown).toContain('The index had no trigram column. Queries now use the trigram index.');
    expect(markdown).toContain('- Edit: db/index.sql, app/query.ts\n- Read: app/search.ts');
    expect(lines.find(({ text }) => text.startsWith('The index'))?.l1).toEqual([2, 4]);
    expect(lines.find(({ name }) => name === 'Edit')?.src).toEqual([200, 500]);
  });

  it('has the same call once, and one of many that were fed as JSON', () => {
    const call = (name: string, target: string, result?: string) => ({
      role: 'tool' as const,
      name,
      target,
      ...(result === undefined ? {} : { result }),
    });
    const turns = turnsFrom([
      { role: 'user', text: 'Wait for the build.' },
      call('Bash', 'gh run view 7'),
      call('poll', '{"cell":1}'),
      call('Bash', 'gh run view 7'),
      call('poll', '{"cell":2}'),
      call('poll', '{"cell":3}', 'Exit code 1'),
      { role: 'assistant', text: 'The build of the installer failed.' },
    ]);
    const { markdown, lines } = version(turns, 10, 300);
    expect(markdown.match(/gh run view 7/g)).toHaveLength(1);
    expect(markdown).not.toContain('"cell":2');
    expect(markdown).toContain('- poll: {"cell":3} → failed: Exit code 1');
    expect(lines.filter(({ form }) => form === 'tool').map(({ l1 }) => l1)).toEqual([[2, 4], [3, 5], [6]]);
  });
});
