import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcript } from '../made/conversation.ts';
import { nameOf, ROUTES } from '../made/http-client.ts';
import { makeScenario, type Scenario } from '../made/http-scenario.ts';

let made: Scenario;
beforeAll(async () => {
  made = await makeScenario();
});
afterAll(() => made.world.remove());

const keepits = 'get /api/memory/sessions/{sessionId}/keepits';
const put = 'put /api/memory/sessions/{sessionId}/keepits/{markerId}';
const compress = 'post /api/memory/sessions/{sessionId}/versions';

async function marker(): Promise<{ sessionId: string; markerId: string }> {
  const { json } = await made.client.call(keepits, { sessionId: 'one' });
  return { sessionId: 'one', markerId: json.items.find((it) => it.weight < 1)?.markerId ?? '' };
}

describe('edits of two people', () => {
  test('the second one gets a conflict, and nothing of the first is lost', async () => {
    const params = await marker();
    const read = await made.client.call('get /api/memory/sessions/{sessionId}/keepits/{markerId}', params);
    const tag = read.headers.get('etag') ?? '';
    const first = await made.client.call(put, params, {
      body: { weight: 0.6 },
      headers: { 'if-match': tag },
    });
    const second = await made.client.call(put, params, {
      body: { weight: 0.7 },
      headers: { 'if-match': tag },
    });
    expect([first.status, second.status]).toEqual([200, 412]);
    expect(second.problem.code).toBe('changed-meanwhile');
    const now = await made.client.call('get /api/memory/sessions/{sessionId}/keepits/{markerId}', params);
    expect(now.json.weight).toBe(0.6);
    const again = { 'if-match': now.headers.get('etag') ?? '' };
    expect((await made.client.call(put, params, { body: { weight: 0.7 }, headers: again })).status).toBe(200);
  });

  test('of twenty at once with the same tag, one succeeds', async () => {
    const params = await marker();
    const read = await made.client.call('get /api/memory/sessions/{sessionId}/keepits/{markerId}', params);
    const headers = { 'if-match': read.headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        made.client.call(put, params, { body: { weight: (n + 40) / 100 }, headers }),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    const { json } = await made.client.call(
      'get /api/memory/sessions/{sessionId}/keepits/{markerId}',
      params,
    );
    expect(json.weight).toBe(won[0]?.json.weight);
  });

  test('unchanged content is not sent again', async () => {
    const { headers } = await made.client.call('get /api/memory/projects');
    const again = await made.client.send('get', '/api/memory/projects', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('an id that exists in two projects', () => {
  test('is a conflict that lists the choices, and naming the project resolves it', async () => {
    const name = 'get /api/memory/sessions/{sessionId}';
    const { status, problem } = await made.client.call(name, { sessionId: 'twin' });
    expect(status).toBe(409);
    expect(problem.choices?.map(({ projectId }) => projectId).sort()).toEqual(
      [made.other, made.project].sort(),
    );
    for (const project of [made.project, made.other]) {
      const { json } = await made.client.call(name, { sessionId: 'twin', project });
      expect(json.projectId).toBe(project);
    }
    expect((await made.client.call(name, { sessionId: 'twin', project: 'nowhere' })).status).toBe(404);
  });
});

describe('a request that is sent twice', () => {
  const name = 'post /api/memory/facts';
  const fact = { content: 'The oven needs an hour.', kind: 'fact' };

  test('with one key is executed once, also at the same time', async () => {
    const body = { name: 'once', budget: 2000, sessions: ['one'] };
    const sent = { body, headers: { 'idempotency-key': 'k1' } };
    const answers = await Promise.all(
      [1, 2, 3].map(() => made.client.call('post /api/memory/compose', {}, sent)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await made.client.call('post /api/memory/compose', {}, { body })).status).toBe(409);
  });

  test('with the key of another request is refused, and a failed request can be retried', async () => {
    const headers = { 'idempotency-key': 'k2' };
    const body = { ...fact, project: made.project };
    expect((await made.client.call(name, {}, { body, headers })).status).toBe(201);
    const other = await made.client.call(name, {}, { body: { ...body, content: 'No.' }, headers });
    expect([other.status, other.problem.code]).toEqual([422, 'bad-input']);
    const failing = { body: { ...body, project: 'later' }, headers: { 'idempotency-key': 'k3' } };
    expect((await made.client.call(name, {}, failing)).status).toBe(404);
    expect((await made.client.call(name, {}, failing)).status).toBe(404);
    const odd = await made.client.call(name, {}, { body, headers: { 'idempotency-key': 'x'.repeat(300) } });
    expect(odd.status).toBe(400);
  });
});

test('started automatically is returned with its current state, under any name of this machine, and started again if it failed', async () => {
  const { jobs } = made.client;
  const async = { prefer: 'respond-async' };
  const send = (key: string, body: object, host = '127.0.0.1:4737') =>
    made.client.call(
      compress,
      { sessionId: 'one' },
      { body, headers: { ...async, host, 'idempotency-key': key } },
    );
  const first = await send('async', { level: 'light' });
  const jobId = first.headers.get('location')?.split('/').at(-1) ?? '';
  await new Promise<void>((resolve) =>
    jobs.follow(jobId, () => jobs.get(jobId).endedAt !== null && resolve()),
  );
  const again = await send('async', { level: 'light' }, 'localhost:4737');
  expect(again.status).toBe(202);
  expect(again.json).toMatchObject({ jobId, state: 'done' });
  const blocked = jobs.start({ kind: 'k', subject: `${made.project}/one` }, ({ signal }) => stops(signal));
  const waiting = await send('stopped', { level: 'light' });
  const stopped = waiting.headers.get('location') ?? '';
  await made.client.send('delete', stopped);
  const anew = await send('stopped', { level: 'light' });
  expect(anew.headers.get('location')).not.toBe(stopped);
  jobs.cancel(blocked.job.jobId);
  await blocked.done.catch(() => undefined);
});

test('If-Match is refused, not ignored, where there is nothing to compare it with', async () => {
  const deaf = ROUTES.filter(({ method, body, current }) => method === 'delete' && !body && !current);
  expect(deaf.length).toBeGreaterThan(2);
  for (const route of deaf) {
    const headers = { 'if-match': '"x"' };
    const response = await made.client.send('delete', route.path.replace(/\{\w+\}/g, '0a1b'.repeat(8)), {
      headers,
    });
    expect([response.status, await response.text()], nameOf(route)).toEqual([
      400,
      expect.stringContaining('If-Match'),
    ]);
  }
});

test('of two corrections and a deletion with one tag, at once, one succeeds', async () => {
  const { json } = await made.client.call(
    'post /api/memory/facts',
    {},
    {
      body: { content: 'We deploy on Mondays.', kind: 'rule', project: made.project },
    },
  );
  const at = { factId: json.id, project: made.project };
  const read = await made.client.call('get /api/memory/facts/{factId}', at);
  const headers = { 'if-match': read.headers.get('etag') };
  const statuses = await Promise.all([
    made.client.call('put /api/memory/facts/{factId}', at, {
      body: { content: 'We deploy on Tuesdays.' },
      headers,
    }),
    made.client.call('delete /api/memory/facts/{factId}', at, { headers }),
    made.client.call('put /api/memory/facts/{factId}', at, {
      body: { content: 'We deploy on Fridays.' },
      headers,
    }),
  ]);
  expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('purged text is in no job and no repeated answer', async () => {
  const secret = 'violet-herring-4711';
  const folder = join(made.world.projects, made.project);
  writeFileSync(
    join(folder, 'purged.jsonl'),
    transcript(join(made.world.places.home, 'shop'), 'purged', [{ you: `Keep ${secret}.`, agent: 'Yes.' }]),
  );
  await made.client.call('post /api/memory/sync', {}, { body: {} });
  const key = { 'idempotency-key': 'purged' };
  const ask = { name: 'herring', sessions: ['purged'], budget: 4000 };
  const begun = await made.client.call(
    'post /api/memory/compose',
    {},
    { body: ask, headers: { ...key, prefer: 'respond-async' } },
  );
  const events = await eventsOf(begun.headers.get('location') ?? '');
  expect(JSON.stringify(events)).toContain(secret);
  const gone = await made.client.call('post /api/memory/purge', {}, { body: { text: secret } });
  expect(gone.status).toBe(200);
  for (const path of ['/api/memory/jobs', begun.headers.get('location') ?? ''])
    expect(await (await made.client.send('get', path)).text()).not.toContain(secret);
});

test('HEAD of a read or a download returns only the headers', async () => {
  for (const path of ['/api/memory/projects', '/api/memory/sessions/one/original']) {
    const [head, get] = [await made.client.send('head', path), await made.client.send('get', path)];
    expect([head.status, head.headers.get('content-type')]).toEqual([200, get.headers.get('content-type')]);
    expect(await head.text()).toBe('');
    await get.body?.cancel();
  }
});

/** The jobs that a stream told of, to its end. */
async function eventsOf(location: string): Promise<{ state: string; progress: unknown; result: unknown }[]> {
  const response = await made.client.send('get', `${location}/events`);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
}

describe('long work', () => {
  const async = { prefer: 'respond-async' };

  test('runs in the background when requested, and reports its progress until it has ended', async () => {
    const sent = { body: { level: 'aggressive' }, headers: async };
    const begun = await made.client.call(compress, { sessionId: 'one' }, sent);
    expect(begun.status).toBe(202);
    const location = begun.headers.get('location') ?? '';
    const events = await eventsOf(location);
    expect(events.at(-1)).toMatchObject({ state: 'done', result: { sessionId: 'one' } });
    // A page that was reloaded finds it again, with its result.
    expect((await eventsOf(location)).map(({ state }) => state)).toEqual(['done']);
    const { json } = await made.client.call('get /api/memory/jobs', {});
    expect(json.items[0]).toMatchObject({ kind: 'compress', state: 'done' });
  });

  test('of one session runs one after the other, of two sessions at once', async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push(`${name} ends`);
    };
    const { jobs } = made.client;
    const started = [
      jobs.start({ kind: 'a', subject: 's' }, work('a')),
      jobs.start({ kind: 'b', subject: 's' }, work('b')),
      jobs.start({ kind: 'c', subject: 'other' }, work('c')),
    ];
    await Promise.all(started.map(({ done }) => done));
    expect(order.indexOf('b begins')).toBeGreaterThan(order.indexOf('a ends'));
    expect(order.indexOf('c begins')).toBeLessThan(order.indexOf('a ends'));
  });

  test('that waits never starts once it is cancelled, and running work is asked to stop', async () => {
    let begun = false;
    const { jobs } = made.client;
    const first = jobs.start({ kind: 'long', subject: 's' }, ({ signal }) => stops(signal));
    const second = jobs.start({ kind: 'next', subject: 's' }, async () => {
      begun = true;
    });
    const cancel = 'delete /api/memory/jobs/{jobId}';
    expect((await made.client.call(cancel, { jobId: second.job.jobId })).json.state).toBe('cancelled');
    await made.client.call(cancel, { jobId: first.job.jobId });
    await Promise.allSettled([first.done, second.done]);
    expect([first.job.state, second.job.state, begun]).toEqual(['cancelled', 'cancelled', false]);
    expect((await made.client.call(cancel, { jobId: first.job.jobId })).json.state).toBe('cancelled');
  });

  test('that fails says why, in the job and to clients that wait', async () => {
    const sent = { body: { name: 'x', budget: 1, sessions: ['one'] } };
    const waits = await made.client.call('post /api/memory/compose', {}, sent);
    const begun = await made.client.call('post /api/memory/compose', {}, { ...sent, headers: async });
    const [last] = (await eventsOf(begun.headers.get('location') ?? '')).slice(-1);
    expect(last).toMatchObject({ state: 'failed', error: { code: waits.problem.code } });
    expect(waits.status).toBeGreaterThanOrEqual(400);
  });

  test('a stream whose client leaves ends, and the job continues', async () => {
    let finish: () => void = () => undefined;
    const { job, done } = made.client.jobs.start(
      { kind: 'long', subject: 's' },
      () => new Promise<void>((resolve) => (finish = resolve)),
    );
    const response = await made.client.send('get', `/api/memory/jobs/${job.jobId}/events`);
    await response.body?.cancel();
    finish();
    await done;
    expect(job.state).toBe('done');
  });
});

function stops(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () =>
      reject(Object.assign(new Error('aborted'), { name: 'AbortError' })),
    ),
  );
}

describe('a hundred clients', () => {
  test('that read and write at once lose no change and see no half-written state', async () => {
    const params = { sessionId: 'one' };
    const texts = Array.from({ length: 12 }, (_, n) => `detail ${n}, worth about ${n * 7} cents`);
    const writers = texts.map((words, n) =>
      made.client.call('post /api/memory/sessions/{sessionId}/keepits', params, {
        body: { text: `The tax has a ${words}`, weight: (n + 10) / 100 },
      }),
    );
    const noting = texts.map((words) =>
      made.client.call(
        'post /api/memory/facts',
        {},
        { body: { content: `Fact: ${words}.`, project: made.project } },
      ),
    );
    const compressing = [4, 7, 9].map((ratio) => made.client.call(compress, params, { body: { ratio } }));
    const readers = Array.from({ length: 73 }, (_, n) =>
      n % 2 === 0
        ? made.client.call(keepits, params)
        : made.client.call('get /api/memory/sessions/{sessionId}/versions', params),
    );
    const answers = await Promise.all([...writers, ...noting, ...compressing, ...readers]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
    const { json } = await made.client.call(keepits, params);
    expect(
      json.items
        .filter((it) => it.added)
        .map((it) => it.weight)
        .sort(),
    ).toEqual(texts.map((_, n) => (n + 10) / 100).sort());
    const facts = await made.client.call('get /api/memory/facts', { project: made.project });
    expect(facts.json.items.filter(({ content }) => content.startsWith('Fact: '))).toHaveLength(12);
    const versions = await made.client.call('get /api/memory/sessions/{sessionId}/versions', params);
    const ratios = versions.json.parts[0]?.versions.map((it) => it.settings.compactionRatio);
    expect(ratios).toEqual(expect.arrayContaining([4, 7, 9, 10]));
    expect(new Set(versions.json.parts[0]?.versions.map((it) => it.versionId)).size).toBe(ratios?.length);
  });
});

describe('text of a transcript', () => {
  test('is data in every answer: JSON, or a download', async () => {
    const response = await made.client.send('get', '/api/memory/sessions/one/original');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="one.jsonl"');
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const { json } = await made.client.call('get /api/memory/sessions/{sessionId}', { sessionId: 'one' });
    expect(await response.text()).toBe(readFileSync(json.archivedFile, 'utf8'));
  });

  test('a version cut by hand keeps what is pinned, and its settings give the same version again', async () => {
    const name = 'post /api/memory/sessions/{sessionId}/versions/manual';
    const body = { choices: { 1: 'drop', 2: 'keep' }, others: 'shrink' };
    const { json } = await made.client.call(name, { sessionId: 'one' }, { body });
    const versionId = json.items[0]?.version?.versionId ?? '';
    const read = await made.client.call('get /api/memory/sessions/{sessionId}/versions/{versionId}', {
      sessionId: 'one',
      versionId,
    });
    expect(read.json.markdown).toContain('Money is integer cents.');
    expect(read.json.markdown).not.toContain('The rounding has a detail 3');
    expect(read.json.markdown).toContain('The basket has a detail 11, worth about 77 cents.');
    expect(read.json.settings.mode).toBe('manual');
    const { json: checked } = await made.client.call(
      'post /api/memory/verify',
      {},
      { body: { session: 'one' } },
    );
    expect([checked.passed, checked.problems]).toEqual([true, []]);
    const wrong = await made.client.call(
      name,
      { sessionId: 'one' },
      { body: { choices: { ex_nothere: 'drop' } } },
    );
    expect(wrong.status).toBe(404);
  });
});
