import { beforeAll, describe, expect, it } from 'vitest';
import { settingsOf, turnsFrom } from '../../../test/made/turns.ts';
import { loadTokenCounter, type TokenCounter } from '../text/tokens.ts';
import { type Compressed, compress } from './compress.ts';
import type { Turn } from './turn.ts';
import type { StatedWords } from './units/verdicts.ts';

let count: TokenCounter;
beforeAll(async () => {
  count = await loadTokenCounter();
});

/** A version with so many tokens, at a ratio. */
function version(turns: Turn[], ratio: number, tokens: number, stated: StatedWords[] = []): Compressed {
  return compress({
    turns,
    stated,
    kept: [],
    outcomes: [],
    settings: settingsOf(),
    tiers: [{ endPercent: 100, compactionRatio: ratio, aggressiveness: 'moderate' }],
    inputTokens: ratio * tokens,
    count,
    header: { session: 's1', part: 1 },
  });
}

const refuted = turnsFrom([
  { role: 'user', text: 'Why does the login of the shop expire?' },
  {
    role: 'assistant',
    text: 'The cookie expires after one hour because SameSite is strict. The proxy rewrites its domain.',
  },
  { role: 'user', text: "No, that's wrong. The cookie never expires, SameSite is lax here." },
  {
    role: 'assistant',
    text: "You're right, SameSite is lax. The session store in redis evicts the keys after an hour.",
  },
]);

describe('turning points', () => {
  it('what the user refuted is left out, the objection and the concession are both there', () => {
    const { markdown } = version(refuted, 10, 400);
    expect(markdown).not.toContain('because SameSite is strict');
    expect(markdown).toContain("No, that's wrong.");
    expect(markdown).toContain("You're right, SameSite is lax.");
    expect(markdown).toContain('redis evicts');
  });

  it('at lighter ratios it is included with the words that rejected it', () => {
    const { markdown } = version(refuted, 6, 600);
    expect(markdown).toMatch(/SameSite is strict\. \(later rejected: "No, that's wrong\.?[^"]*"\)/);
    // Whole, a version is the conversation as it was.
    expect(version(refuted, 1, 600).markdown).not.toContain('later rejected');
  });

  it('an objection does not come without its concession, however small the budget', () => {
    for (let tokens = 10; tokens < 120; tokens += 5) {
      const { markdown } = version(refuted, 30, tokens);
      const isBoth = markdown.includes("You're right, SameSite") && markdown.includes("that's wrong");
      expect(markdown.includes("You're right, SameSite")).toBe(isBoth);
      expect(markdown.includes("that's wrong")).toBe(isBoth);
    }
  });

  it('a fix after which the user says that it still fails is not told as one', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'The export of invoices hangs.' },
      { role: 'assistant', text: 'Fixed the deadlock of the writer. I renamed the pool to invoicePool.' },
      { role: 'user', text: 'It still hangs after two pages.' },
      { role: 'assistant', text: 'The paging query had no order. Added one, and 40 pages pass now.' },
    ]);
    const { markdown } = version(turns, 10, 400);
    expect(markdown).not.toContain('Fixed the deadlock');
    expect(markdown).toContain('It still hangs');
    expect(markdown).toContain('The paging query had no order.');
    // Accepted, it stays.
    const accepted = turnsFrom([
      { role: 'user', text: 'The export of invoices hangs.' },
      { role: 'assistant', text: 'Fixed the deadlock of the writer. I renamed the pool to invoicePool.' },
      { role: 'user', text: 'Good. Now write the docs of the importer.' },
      { role: 'assistant', text: 'Wrote docs/importer.md.' },
    ]);
    expect(version(accepted, 10, 400).markdown).toContain('Fixed the deadlock');
  });

  it('what is said again later is told by the later words', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Set up the export.' },
      {
        role: 'assistant',
        text: 'The export is set up. It writes orders.csv with a semicolon as separator.',
      },
      { role: 'user', text: 'Go on with the import.' },
      { role: 'assistant', text: 'The import reads suppliers.xml.' },
      { role: 'user', text: 'Sum it up.' },
      {
        role: 'assistant',
        text: 'Exports: orders.csv, semicolon as separator, now with a header row. Imports: suppliers.xml.',
      },
    ]);
    const { markdown } = version(turns, 30, 400);
    expect(markdown).toContain('now with a header row');
    expect(markdown.match(/orders\.csv/g)).toHaveLength(1);
    // A longer version has room for both, and tells the later words first.
    const [short, long] = [version(turns, 10, 60).markdown, version(turns, 10, 400).markdown];
    expect(long).toContain('It writes orders.csv');
    expect(short).toContain('now with a header row');
    expect(short).not.toContain('It writes orders.csv');
  });

  it('a name that comes again is not what was said of it', () => {
    const talk = (later: string) =>
      turnsFrom([
        { role: 'user', text: 'Why do payments time out?' },
        {
          role: 'assistant',
          text: 'It was the gateway. `loadBasket` retries three times with growing pauses, then it shows the maintenance page of the provider.',
        },
        { role: 'user', text: 'Go on with the tests.' },
        { role: 'assistant', text: later },
      ]);
    const named = talk('Wrote the tests, also one of loadBasket.');
    expect(version(named, 30, 400).markdown).toContain('retries three times');
    const same = talk('Tests done: loadBasket retries several times, then shows the maintenance page.');
    expect(version(same, 30, 400).markdown).not.toContain('retries three times');
  });

  it('words of the agent that the user cites are told once', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'How do we find the commit of a checkpoint?' },
      { role: 'assistant', text: 'We can use CreatedAt as an upper bound and search backwards from there.' },
      {
        role: 'user',
        text: 'You wrote:\n\n> We can use CreatedAt as an upper bound and search backwards from there.\n\nHow does it handle rebased branches?',
      },
      { role: 'assistant', text: 'Rebased branches carry newer dates. The trailer names the checkpoint.' },
    ]);
    const { markdown } = version(turns, 30, 400);
    expect(markdown).toContain('How does it handle rebased branches?');
    expect(markdown.match(/upper bound/g)).toHaveLength(1);
  });

  it('words of the user that hold some of the agent’s are the user’s', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'How do we find the commit of a checkpoint?' },
      { role: 'assistant', text: 'We can use CreatedAt as an upper bound.' },
      {
        role: 'user',
        text: '"We can use CreatedAt as an upper bound" is wrong for rebased branches, always read the trailer instead.',
      },
      { role: 'assistant', text: 'The trailer is read now.' },
    ]);
    expect(version(turns, 30, 400).markdown).toContain('always read the trailer instead');
  });

  it('a line that leads to others is not there without them', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'What is left of the release?' },
      {
        role: 'assistant',
        text: 'Nine of ten tasks are done.\n\n**Current status:**\n\n- The signing of the installer waits for a certificate of the notary.\n- The changelog of the importer is missing.',
      },
    ]);
    for (let tokens = 24; tokens < 80; tokens += 2) {
      const { markdown } = version(turns, 30, tokens);
      if (markdown.includes('Current status')) expect(markdown).toMatch(/installer|importer/);
    }
    expect(version(turns, 30, 200).markdown).toContain('Current status');
  });

  it('guesses before the agent changed its mind are left out', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'The upload of large images is slow.' },
      { role: 'assistant', text: 'Found it: the thumbnails are probably resized twice by sharp.' },
      { role: 'assistant', text: "Hmm, that didn't help." },
      {
        role: 'assistant',
        text: 'Uploads were slow because the disk quota job ran on every request. Fixed.',
      },
    ]);
    const { markdown } = version(turns, 10, 300);
    expect(markdown).not.toContain('resized twice');
    expect(markdown).toContain('disk quota job');
  });

  it('what the agent concluded last, before it mended it, is there', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'The upload of large images is slow.' },
      { role: 'assistant', text: 'Found it: the thumbnails are probably resized twice by sharp.' },
      { role: 'assistant', text: "Hmm, that didn't help." },
      {
        role: 'assistant',
        text: 'The actual cause is the quota job, which walks the whole disk on every request.',
      },
      { role: 'tool', name: 'Edit', target: 'src/quota.ts' },
      { role: 'assistant', text: 'Uploads take 40 ms.' },
    ]);
    const { markdown } = version(turns, 30, 300);
    expect(markdown).toContain('The actual cause is the quota job');
    expect(markdown).not.toContain('resized twice');
  });

  it('a picture below a request does not stand for it', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'The invoices have the wrong logo now.\n[image]' },
      { role: 'assistant', text: 'The template loaded the logo of the shop. It loads that of the company.' },
    ]);
    for (let tokens = 10; tokens < 60; tokens += 2) {
      const { markdown } = version(turns, 30, tokens);
      if (markdown.includes('template')) expect(markdown).toContain('wrong logo');
      if (markdown.includes('[image]')) expect(markdown).toContain('wrong logo');
    }
  });

  it('an outcome that only leads to a list is not there without it', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Mend the release job of the installer.' },
      { role: 'assistant', text: '**Summary of what was done:**\n\n- The notary key comes from the vault.' },
    ]);
    for (let tokens = 20; tokens < 80; tokens += 2) {
      const { markdown } = version(turns, 30, tokens);
      if (markdown.includes('Summary of what')) expect(markdown).toContain('notary key');
    }
    expect(version(turns, 30, 80).markdown).toContain('notary key');
  });

  it('words that a statement replaced are left out, words of a statement come first', () => {
    const turns = turnsFrom([
      { role: 'user', text: 'Which port?' },
      {
        role: 'assistant',
        text: 'The staging server listens on 8443 behind nginx. The database has 40 tables.',
      },
    ]);
    const was: StatedWords = {
      turn: 1,
      text: 'The staging server listens on 8443 behind nginx.',
      as: 'overturned',
      by: 'It is 9443.',
    };
    expect(version(turns, 10, 200, [was]).markdown).not.toContain('8443');
    const shown: StatedWords = { ...was, as: 'shown' };
    const texts = Array.from({ length: 40 }, (_, tokens) => version(turns, 30, tokens, [shown]).markdown);
    expect(texts.some((text) => text.includes('8443') && !text.includes('40 tables'))).toBe(true);
  });
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
