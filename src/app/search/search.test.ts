import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type TestWorld } from '../../../test/made/world.ts';
import { sync } from '../sync/sync.ts';
import { search } from './search.ts';

let made: TestWorld;
const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);

function line(session: string, n: number, text: string, cwd = '/srv/shop'): string {
  const at = `2026-03-0${n}T10:00:00Z`;
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content: text }, uuid: `${session}-${n}`, timestamp: at, cwd, sessionId: session })}\n`;
}

beforeAll(async () => {
  made = makeWorld();
  const file = (name: string, text: string) => writeFileSync(join(made.projects, `${name}.jsonl`), text);
  file(
    'one',
    line('one', 1, 'We decided that the token cache lives for ten minutes.') +
      line('one', 2, 'Why? Because keys rotate every hour.') +
      line('one', 3, `never print ${secret}`),
  );
  file(
    'two',
    line('two', 1, 'The checkout has three steps.') +
      line('two', 4, '##keepit0.80## Prices are integers in cents.') +
      line(
        'two',
        6,
        `Brass, bell and rope: brass for the bell. ${'On and on. '.repeat(300)}Then the bell rope is brass-bound at last.`,
      ) +
      `${JSON.stringify({ type: 'custom-title', customTitle: 'Brass and cents', sessionId: 'two' })}\n`,
  );
  file('three', line('three', 5, 'token cache of another project', '/srv/other'));
  const call = {
    id: 'm',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm run deploy' } }],
  };
  const done = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] };
  const at = { timestamp: '2026-03-06T10:00:00Z', cwd: '/srv/shop', sessionId: 'five' };
  file(
    'five',
    `${JSON.stringify({ type: 'assistant', message: call, uuid: 'c', ...at })}\n${JSON.stringify({ type: 'user', message: done, uuid: 'r', ...at })}\n`,
  );
  // A session that goes on from another one repeats its messages under a new id.
  file(
    'four',
    line('one', 1, 'We decided that the token cache lives for ten minutes.').replace(
      '"sessionId":"one"',
      '"sessionId":"four"',
    ),
  );
  await sync(made);
});

afterAll(async () => made.remove());

const find = async (query: string, rest: Omit<Parameters<typeof search>[1], 'query'> = {}) =>
  (await search(made, { query, ...rest })).hits;

describe('search', () => {
  it('shows the phrase that was asked for, not another place with its words', async () => {
    const [hit] = await find('"the bell rope is brass-bound"');
    expect(hit?.snippet).toMatch(/^….*the bell rope is brass-bound at last\.$/);
  });

  it('finds the turn, with the message and the exchange it came from', async () => {
    const [hit] = await find('token cache minutes');
    expect(hit).toMatchObject({
      messageId: 'one-1',
      role: 'user',
      project: '-srv-shop',
      ts: '2026-03-01T10:00:00Z',
    });
    expect(hit?.exchange.id).toMatch(/^ex_/);
    expect(hit?.snippet).toContain('token cache');
  });

  it('includes a message of two sessions only once', async () => {
    const ids = (await find('token cache minutes')).map((hit) => hit.messageId);
    expect(ids.filter((id) => id === 'one-1')).toHaveLength(1);
  });

  it('keeps to its filters', async () => {
    expect((await find('token', { filters: { project: '/srv/other' } })).map((hit) => hit.sessionId)).toEqual(
      ['three'],
    );
    expect((await find('token', { filters: { since: '2026-03-04' } })).map((hit) => hit.messageId)).toEqual([
      'three-5',
    ]);
    expect((await find('"token cache" -another', { limit: 5 })).map((hit) => hit.messageId)).toEqual([
      'one-1',
    ]);
    expect((await find('check*')).map((hit) => hit.messageId)).toContain('two-1');
    expect((await find('', { filters: { keepitMin: 0.5 } })).map((hit) => hit.messageId)).toEqual(['two-4']);
    expect(await find('token', { filters: { role: 'assistant' } })).toEqual([]);
    expect((await find('deploy', { filters: { role: 'tool' } })).map((hit) => hit.text)).toEqual([
      'npm run deploy',
    ]);
    expect(await find('deploy')).toEqual([]);
    expect(
      (await find('checkout', { filters: { until: '2026-03-01' } })).map((hit) => hit.messageId),
    ).toEqual(['two-1']);
  });

  it('finds sessions and exchanges', async () => {
    expect((await find('checkout steps', { grain: 'session' }))[0]?.sessionId).toBe('two');
    expect((await find('keys rotate', { grain: 'exchange' }))[0]?.messageId).toBe('one-2');
  });

  it('is safe with any query', async () => {
    const words = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'AND OR NOT NEAR(',
        '"',
        '""" \'; DROP TABLE',
        '*',
        '-',
        '-""',
        'a* OR b*',
        'the of and',
        '\u0000',
        '🎉',
        'col:x ^y {z}',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        words,
        fc.constantFrom('turn' as const, 'exchange' as const, 'session' as const),
        async (query, grain) => {
          expect(Array.isArray(await find(query, { grain, limit: 2 }))).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
    expect(Array.isArray(await find('word '.repeat(20_000)))).toBe(true);
  });

  it('holds no secret in any byte of the index', async () => {
    const bytes = ['', '-wal'].map((end) => {
      try {
        return readFileSync(join(made.places.archive, `index.sqlite${end}`), 'latin1').toLowerCase();
      } catch {
        return '';
      }
    });
    expect(bytes.join('').length).toBeGreaterThan(1000);
    expect(bytes.join('')).not.toContain(secret.slice(4, 14).toLowerCase());
  });

  it('answers even if the index is damaged, missing, or of a newer version', async () => {
    const before = await find('token cache', { limit: 3 });
    const path = join(made.places.archive, 'index.sqlite');
    await made.index.close();
    truncateSync(path, 3000);
    const { openSearchIndex } = await import('../../adapters/index-sqlite/open-search-index.ts');
    made.index = openSearchIndex(path);
    const damaged = await search(made, { query: 'token cache', limit: 3 });
    expect(damaged.hits).toEqual(before);
    expect(damaged.notes.join()).toContain('was rebuilt');
    await made.index.destroy();
    expect(await find('token cache', { limit: 3 })).toEqual(before);
    const { DatabaseSync } = await import('node:sqlite');
    const newer = new DatabaseSync(path);
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
    const answer = await search(made, { query: 'token cache', limit: 3 });
    expect(answer.hits).toEqual(before);
    expect(answer.notes.join()).toContain('searched the files');
  });

  it('finds the same in the same archive, however it was ingested', async () => {
    const stepwise = makeWorld();
    for (const name of ['five', 'three', 'two', 'one', 'four']) {
      const lines = readFileSync(join(made.projects, `${name}.jsonl`), 'utf8').split(/(?<=\n)/);
      for (const count of lines.keys()) {
        writeFileSync(join(stepwise.projects, `${name}.jsonl`), lines.slice(0, count + 1).join(''));
        await sync(stepwise);
        if (count > 1) await search(stepwise, { query: 'brass' });
      }
    }
    for (const query of ['token cache', 'why keys rotate', 'prices steps']) {
      for (const grain of ['turn', 'exchange', 'session'] as const) {
        const shown = (answer: Awaited<ReturnType<typeof search>>) =>
          answer.hits.map(({ messageId, score, snippet, title }) => ({ messageId, score, snippet, title }));
        expect(shown(await search(stepwise, { query, grain })), `${query} ${grain}`).toEqual(
          shown(await search(made, { query, grain })),
        );
      }
    }
    expect((await search(stepwise, { query: 'brass' })).hits[0]?.title).toBe('Brass and cents');
    expect((await search(stepwise, { query: '', filters: { topics: ['cents'] } })).hits).not.toEqual([]);
    await stepwise.remove();
  });
});
