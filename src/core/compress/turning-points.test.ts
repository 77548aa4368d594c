import { beforeAll, describe, expect, it } from 'vitest';
import { shortVersions } from '../../../test/made/short-version.ts';
import { turnsFrom } from '../../../test/made/turns.ts';
import { loadTokenCounter } from '../text/tokens.ts';
import type { StatedWords } from './units/verdicts.ts';

let version: ReturnType<typeof shortVersions>;
beforeAll(async () => {
  version = shortVersions(await loadTokenCounter());
});

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
