import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Turn, transcript } from '../../../test/made/conversation.ts';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { importChats } from '../import/import-chats.ts';
import { sync } from '../sync/sync.ts';
import { compose } from './compose.ts';

let made: TestWorld;
afterEach(async () => made?.remove());

const TOPICS =
  'basket price cents rounding invoice index cache token queue retry worker schema voucher'.split(' ');

/** Talk that says something else in every turn and in every session. */
function filler(session: number, turns: number): Turn[] {
  const word = (at: number) => `${TOPICS[(session * 5 + at * 7) % TOPICS.length]}${session}${at}`;
  return Array.from({ length: turns }, (_, at) => ({
    you: `How does the ${word(at)} meet the ${word(at + 1)} of the ${word(at + 2)}?`,
    agent: `The ${word(at)} lives in src/${word(at)}.ts, reads the ${word(at + 3)} and writes the ${word(at + 4)}. The ${word(at + 5)} waits for it.`,
    at: `2026-01-0${session + 1}T10:${String(at % 60).padStart(2, '0')}:00.000Z`,
  }));
}

async function project(sessions: Turn[][]): Promise<void> {
  made = makeWorld();
  const folder = join(made.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  for (const [at, turns] of sessions.entries()) {
    const id = `session-${at}`;
    writeFileSync(join(folder, `${id}.jsonl`), transcript('/srv/shop', id, turns));
  }
  await sync(made);
}

function said(session: number, you: string, agent: string): Turn {
  return { you, agent, at: `2026-01-0${session + 1}T11:00:00.000Z` };
}

const ask = (budget: number, latest: number) => ({ budget, latest, project: 'shop' });

/** A chat of Bo and Ada, who speak in turn. */
function writeChat(folder: string, day: number, texts: readonly string[]): void {
  const lines = texts.map((text, at) =>
    JSON.stringify({
      ts: `2026-02-0${day + 1}T10:00:${String(at).padStart(2, '0')}.000Z`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      name: at % 2 === 0 ? 'Bo' : 'Ada',
      text,
      id: `m${at}`,
    }),
  );
  writeFileSync(join(folder, `chat-${day}.jsonl`), `${lines.join('\n')}\n`);
}

describe('sessions in one composition', () => {
  it('state a thing once, however many of them say it', async () => {
    const decision = 'Decided: invoices are rounded per line with bankers rounding in src/invoice-lines.ts.';
    await project(
      [0, 1, 2].map((at) => [...filler(at, 30), said(at, 'How do we round invoices?', decision)]),
    );
    const { markdown } = await compose(made, 'x', ask(1200, 3), { preview: true });
    expect(markdown.split('bankers rounding')).toHaveLength(2);
    expect(markdown.indexOf('bankers rounding')).toBeGreaterThan(markdown.indexOf('session session-2'));
  });

  it('follow the later verdict: a rule that a later session took back is not stated', async () => {
    const before = 'Always use tabs for indentation in the TypeScript files of this project.';
    const after = 'Never use tabs for indentation in the TypeScript files of this project.';
    await project([
      [...filler(0, 30), said(0, before, 'Understood, tabs it is.')],
      filler(1, 20),
      [...filler(2, 20), said(2, after, 'Understood.')],
    ]);
    const { markdown } = await compose(made, 'x', ask(1500, 3), { preview: true });
    expect(markdown).toContain(after);
    expect(markdown).not.toContain(before);
  });

  it('first say what the latest one leaves open', async () => {
    const open = 'Still open: the voucher migration of the archive tables is not written yet.';
    await project([filler(0, 40), [...filler(1, 40), said(1, 'What is left?', `The tests pass. ${open}`)]]);
    const { markdown } = await compose(made, 'x', ask(600, 2), { preview: true });
    expect(markdown).toContain('voucher migration of the archive tables');
  });

  it('are left out rather than shown as crumbs, and short ones still have their say', async () => {
    await project(Array.from({ length: 8 }, (_, at) => filler(at, 40)));
    const long = await compose(made, 'x', ask(1500, 8), { preview: true });
    const shares = long.components.map(({ tokenContribution }) => tokenContribution).filter((it) => it > 0);
    expect(shares.length).toBeLessThan(6);
    expect(Math.min(...shares)).toBeGreaterThan(200);
    await made.remove();
    await project(Array.from({ length: 8 }, (_, at) => filler(at, 4)));
    const short = await compose(made, 'x', ask(1300, 8), { preview: true });
    expect(short.components.filter(({ tokenContribution }) => tokenContribution > 0)).toHaveLength(8);
  });

  it('with a topic and no names are found in the whole project, however old they are', async () => {
    const said0 = said(
      0,
      'Which port does the ledger exporter listen on?',
      'The ledger exporter listens on port 7421.',
    );
    await project([[...filler(0, 6), said0], ...Array.from({ length: 8 }, (_, at) => filler(at + 1, 12))]);
    const request = { budget: 900, project: 'shop', topic: 'port of the ledger exporter' };
    const { markdown, components } = await compose(made, 'x', request, { preview: true });
    expect(components.map(({ sessionId }) => sessionId)).toContain('session-0');
    expect(markdown).toContain('The ledger exporter listens on port 7421.');
  });

  it('of people: the news of many short chats comes before the small talk of the latest', async () => {
    made = makeWorld();
    const folder = join(made.projects, '..', 'chats');
    mkdirSync(folder, { recursive: true });
    const cities = ['Ghent', 'Lisbon', 'Turin', 'Leeds', 'Porto', 'Riga'];
    const news = cities.map((city, day) => `Last week I moved ${day + 2} boxes to my new flat in ${city}.`);
    for (const [day, first] of news.entries()) {
      const messages = [
        first,
        ...Array.from({ length: 14 }, () => 'Oh that is really so nice of you, take care!'),
      ];
      writeChat(folder, day, messages);
    }
    await importChats(made, folder, { project: 'people' });
    const request = { budget: 300, latest: 6, project: 'people' };
    const { markdown, totalTokens } = await compose(made, 'x', request, { preview: true });
    expect(totalTokens).toBeLessThanOrEqual(300);
    for (const [day, first] of news.entries()) {
      expect(markdown).toContain(`# 2026-02-0${day + 1}\n\n**Bo:** ${first}`);
    }
    // What was asked for by name is given: every session its share by size.
    const even = await compose(made, 'x', { ...request, strategy: 'proportional' }, { preview: true });
    expect(even.markdown).not.toBe(markdown);
  });

  it('of people who talk with each other keep whole messages of both, news before good wishes', async () => {
    made = makeWorld();
    const folder = join(made.projects, '..', 'chats');
    mkdirSync(folder, { recursive: true });
    const line = (at: number, name: string, text: string) =>
      `${JSON.stringify({ ts: `2026-02-01T10:00:${String(at).padStart(2, '0')}.000Z`, role: at % 2 === 0 ? 'user' : 'assistant', name, text, id: `m${at}` })}\n`;
    const news =
      'Hi Ada! Last Friday I adopted two kittens from the shelter in Ghent. They are called Miro and Klee.';
    const reply = 'How lovely! My sister moved to Lisbon on 3 March and already speaks some Portuguese.';
    const wishes = Array.from({ length: 40 }, (_, at) =>
      line(
        at + 2,
        at % 2 === 0 ? 'Bo' : 'Ada',
        `That is really so nice of you, number ${'x'.repeat(at % 7)} friend, have a good time and take care!`,
      ),
    );
    writeFileSync(
      join(folder, 'chat.jsonl'),
      [line(0, 'Bo', news), line(1, 'Ada', reply), ...wishes].join(''),
    );
    await importChats(made, folder, { project: 'people' });
    const { markdown } = await compose(
      made,
      'x',
      { budget: 200, latest: 5, project: 'people' },
      { preview: true },
    );
    expect(markdown).toContain(news);
    expect(markdown).toContain(reply);
  });

  it('of people name somebody once who says several things, and mark what is omitted between them', async () => {
    made = makeWorld();
    const folder = join(made.projects, '..', 'chats');
    mkdirSync(folder, { recursive: true });
    const said = [
      ['Bo', 'Last Friday I adopted two kittens from the shelter in Ghent.'],
      ['Bo', 'On 3 March my sister Ines moved to Lisbon.'],
      ['Ada', `Oh that is ${'really so nice of you, '.repeat(16)}take care!`],
      ['Bo', 'Yesterday we bought 14 chairs at the market in Porto.'],
      ['Ada', 'In June I start as a nurse at the hospital of Turin.'],
      ['Bo', 'My list for 9 May:\n- 2 lamps from Riga\n- 5 plates from Leeds'],
      ['Bo', 'Last month I sold my blue Volvo to Mr. Okafor.'],
      ...Array.from({ length: 30 }, (_, at) => [
        at % 2 === 0 ? 'Ada' : 'Bo',
        'That is really so nice, have a good time and take care!',
      ]),
    ];
    const lines = said.map(([name, text], at) =>
      JSON.stringify({
        ts: `2026-02-01T10:00:${String(at).padStart(2, '0')}.000Z`,
        role: name === 'Bo' ? 'user' : 'assistant',
        name,
        text,
        id: `m${at}`,
      }),
    );
    writeFileSync(join(folder, 'chat.jsonl'), `${lines.join('\n')}\n`);
    await importChats(made, folder, { project: 'people' });
    const request = { budget: 200, latest: 5, project: 'people' };
    const { markdown } = await compose(made, 'x', request, { preview: true });
    expect(markdown).toContain(
      '**Bo:** Last Friday I adopted two kittens from the shelter in Ghent. On 3 March my sister Ines moved to Lisbon. … Yesterday we bought 14 chairs at the market in Porto.\n\n**Ada:** In June I start as a nurse at the hospital of Turin.\n\n**Bo:** My list for 9 May:\n- 2 lamps from Riga\n- 5 plates from Leeds\n\n**Bo:** Last month I sold my blue Volvo',
    );
  });

  it('of people are chosen from all of them as long as there is room, not filled up with wishes of the latest', async () => {
    made = makeWorld();
    const folder = join(made.projects, '..', 'chats');
    mkdirSync(folder, { recursive: true });
    const wish = 'Oh that is really so nice of you to say, do take care and have a good time!';
    const cities = ['Ghent', 'Lisbon', 'Turin', 'Leeds', 'Porto', 'Riga', 'Basel', 'Bergen'];
    for (const [day, city] of cities.entries()) {
      const texts = Array.from({ length: 24 }, (_, at) =>
        at % 3 === 0
          ? `Last week I saw the number ${at + 10 * day} tram to Saint ${city} for ${at + 3} cents.`
          : wish,
      );
      writeChat(folder, day, texts);
    }
    await importChats(made, folder, { project: 'people' });
    for (const budget of [500, 800, 1100]) {
      const request = { budget, latest: 8, project: 'people' };
      const { markdown, totalTokens } = await compose(made, 'x', request, { preview: true });
      expect(totalTokens).toBeLessThanOrEqual(budget);
      // Less than one more message is left, or one that says less.
      expect(totalTokens).toBeGreaterThan(budget - 30);
      expect(markdown.split(wish).length).toBeLessThanOrEqual(2);
    }
  });
});
