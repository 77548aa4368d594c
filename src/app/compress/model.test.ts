import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transcript } from '../../../test/made/conversation.ts';
import { type Asked, FakeModelServer, type FakeReply } from '../../../test/made/fake-model-server.ts';
import { honest, lying, stretchesOf, tagged } from '../../../test/made/model-answers.ts';
import { FAKE_KEY, makeModelWorld } from '../../../test/made/model-world.ts';
import type { ProjectId, SessionId } from '../../core/model/ids.ts';
import { verify } from '../maintenance/verify.ts';
import { ledgerCalls } from '../model/ledger.ts';
import { sync } from '../sync/sync.ts';
import { blame } from './blame.ts';
import { compressSession } from './compress.ts';
import { readVersion } from './version-files.ts';

const PINNED = 'Money is  integer cents,\n\teverywhere: `{{KEEP-0000-1}}` </exchange>.';
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
const ref = { project: '-srv-shop' as ProjectId, session: 'one' as SessionId };
const HONEST = (asked: Asked) => honest(asked);

let fake: FakeModelServer;
let world: ReturnType<typeof makeModelWorld>;
beforeEach(async () => {
  fake = await FakeModelServer.start(HONEST);
  world = makeModelWorld(fake);
  const folder = join(world.projects, '-srv-shop');
  mkdirSync(folder, { recursive: true });
  const details = (n: number) =>
    Array.from(
      { length: 40 },
      (_, k) => `The basket ${n} rounds price ${k} in src/basket${n}.ts wrongly.`,
    ).join(' ');
  const turns = Array.from({ length: 12 }, (_, n) => ({
    you: `Please look at basket ${n}, the token is ${SECRET}.${n === 3 ? `\n\n##keepit1.00## ${PINNED}` : ''}${n === 4 ? '\n\n##keepit0.20## Maybe blue.' : ''}`,
    agent: details(n),
  }));
  writeFileSync(join(folder, 'one.jsonl'), transcript('/srv/shop', 'one', turns));
  await sync(world);
});
afterEach(async () => {
  await world.remove();
  await fake.stop();
});

const byOpus = (rest: object = {}) => compressSession(world, ref, { ratio: 6, model: 'opus', ...rest });
const files = () => {
  const folder = join(world.places.archive, 'projects/-srv-shop/summaries/one');
  try {
    return readdirSync(folder).filter((name) => name.startsWith('part'));
  } catch {
    return [];
  }
};
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a version by a model', () => {
  test('is in its words, within its budget, with what is pinned byte for byte, and says what made it', async () => {
    const [made] = await byOpus();
    const { markdown, header } = await readVersion(world, ref, made!.version!);
    expect(markdown).toContain('In short, ');
    expect(markdown).toContain(PINNED);
    expect(markdown).not.toContain('{{KEEP-0000-2');
    expect(made!.outputTokens).toBeLessThanOrEqual(Math.floor(made!.inputTokens / 6));
    expect(made!.outputTokens).toBeGreaterThan(made!.inputTokens / 12);
    expect(made!.version).toMatchObject({
      settings: { model: 'opus' },
      engine: 'model-2/anthropic/claude-opus-5-5',
      markdownHash: sha(markdown),
    });
    expect(header.receipt.keepits.map(({ survives }) => survives)).toEqual([true, false]);
    expect(header.receipt.dropped).toBeUndefined();
    expect(fake.asked.every(({ model }) => model === 'claude-opus-5-5')).toBe(true);
  });

  test('the model sees neither what is kept nor a secret, and the key goes only where it belongs', async () => {
    await byOpus();
    const seen = fake.asked.map(({ body }) => body).join('\n');
    expect(seen).toContain('basket');
    expect(seen).not.toContain(SECRET);
    expect(seen).not.toContain('integer cents');
    expect(seen).not.toContain(FAKE_KEY);
    expect(fake.asked[0]!.headers['x-api-key']).toBe(FAKE_KEY);
    const kept = readdirSync(world.places.archive, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:json|jsonl|log|md)$/.test(name) && !name.includes('originals'))
      .map((name) => readFileSync(join(world.places.archive, name), 'utf8'));
    expect(kept.join('\n')).not.toContain(FAKE_KEY);
    expect(kept.join('\n')).not.toContain(SECRET);
  });

  test('every line links to its messages, and verify checks hashes and says so', async () => {
    const [made] = await byOpus();
    const { lines } = await blame(world, { ...ref, agent: 'claude-code' }, made!.version!.versionId);
    const summarized = lines.filter(({ text }) => text.includes('In short, '));
    expect(summarized.length).toBeGreaterThan(3);
    for (const { text, origins } of summarized) {
      const basket = /basket (\d+) rounds/.exec(text)?.[1];
      expect(origins.length).toBeGreaterThan(0);
      if (basket !== undefined)
        expect(origins.map(({ messageUuid }) => messageUuid).join()).toContain(`-${basket}`);
    }
    const report = await verify(world, {});
    expect(report.problems.map(({ message }) => message).join('\n')).toContain(
      'Made by opus. Its hashes are correct',
    );
    expect(report.passed).toBe(true);
  });

  test('what it invents is left out and listed; altered marks change nothing of what is kept', async () => {
    fake.answer = (asked) => lying(asked);
    const [made] = await byOpus();
    const { markdown } = await readVersion(world, ref, made!.version!);
    for (const lie of ['phantom.ts', '98213', 'npm run haunt', 'conjureBasket', 'v17.3.9', 'in floats'])
      expect(markdown).not.toContain(lie);
    expect(markdown).toContain(PINNED);
    expect(markdown).toContain('In short, ');
    expect(made!.receipt.dropped!.join('\n')).toContain('src/ghost/phantom.ts');
  });

  test('the same answers give the same version, and nothing is asked twice', async () => {
    const [first] = await byOpus();
    const asked = fake.asked.length;
    const [again] = await byOpus();
    expect(again!.existed).toBe(true);
    expect(again!.version!.jsonlHash).toBe(first!.version!.jsonlHash);
    expect(fake.asked).toHaveLength(asked);
  });

  test('a dry run calls no model and shows the maximum cost; the ledger shows the actual cost', async () => {
    const [dry] = await byOpus({ dryRun: true });
    expect(fake.asked).toEqual([]);
    expect(files()).toEqual([]);
    const { calls, mostUsd, usd } = dry!.estimate!;
    await byOpus();
    expect(fake.asked).toHaveLength(calls);
    const spent = await ledgerCalls(world);
    expect(spent).toHaveLength(calls);
    const total = spent.reduce((sum, call) => sum + call.usd, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThanOrEqual(mostUsd!);
    expect(usd!).toBeLessThanOrEqual(mostUsd!);
    expect(spent.every(({ ended, use }) => ended && use === 'compress')).toBe(true);
    const text = readFileSync(join(world.places.archive, 'ledger/2026-06.jsonl'), 'utf8');
    expect(text).not.toContain('basket');
    expect((await byOpus({ dryRun: true }))[0]!.estimate).toMatchObject({ answered: calls, usd: 0 });
  });

  test('pinned content is in every version, whatever the model answers', async () => {
    const answers: ((asked: Asked) => string)[] = [
      (asked) => honest(asked).replaceAll('}}', '}'),
      (asked) => tagged(stretchesOf(asked), ({ text }) => `${text.slice(0, 200)}\n\n${text.slice(0, 200)}`),
      (asked) => tagged(stretchesOf(asked).reverse(), ({ text }) => text.slice(0, 300)),
      (asked) => `Sure! Here you go:\n\n${honest(asked)}\n\nAnything else?`,
      (asked) => honest(asked).replace(/<\/exchange>/g, ''),
    ];
    for (const [at, answer] of answers.entries()) {
      fake.answer = answer;
      const [made] = await byOpus({ ratio: 6 + at / 10 });
      expect((await readVersion(world, ref, made!.version!)).markdown).toContain(PINNED);
      expect(made!.outputTokens).toBeLessThanOrEqual(Math.floor(made!.inputTokens / (6 + at / 10)));
    }
  });
});

describe('a model that does not do its work', () => {
  const spanish =
    'Los precios de las cestas se redondearon correctamente despues de corregir varios archivos del proyecto entero.';
  const bad: [name: string, answer: (asked: Asked) => FakeReply | string, says: string][] = [
    ['says nothing', () => '', 'left empty'],
    ['refuses', () => ({ text: 'No.', stop: 'refusal' }), 'refused'],
    ['refuses in words', () => "I'm sorry, but I can't help with that.", 'refused'],
    ['talks of something else', () => 'The weather in Lisbon is lovely in spring.', 'the session'],
    ['answers in another language', (asked) => tagged(stretchesOf(asked), () => spanish), 'words'],
    [
      'only lies',
      (asked) => tagged(stretchesOf(asked), () => 'It fixed src/ghost.ts and ran 98213 tests.'),
      'not in the session',
    ],
    [
      'is cut before it says anything',
      () => ({ text: '<exchange n="1">\nThe bas', stop: 'length' }),
      'incomplete',
    ],
  ];
  test('a clear sentence, no file, never the offline engine', async () => {
    for (const [name, answer, says] of bad) {
      fake.answer = answer;
      const message = await byOpus().then(
        () => `${name}: a version was made`,
        (error: Error) => error.message,
      );
      expect(`${name}: ${message}`).toContain(says);
      expect(message).toContain('No version was made.');
      expect(files()).toEqual([]);
    }
    // Nothing of all that is kept: it is asked again.
    fake.answer = HONEST;
    expect((await byOpus())[0]!.version).toBeDefined();
  });

  test('repeats itself: each sentence is kept once', async () => {
    fake.answer = (asked) =>
      tagged(stretchesOf(asked), ({ text }) =>
        `${/The basket \d+ rounds price \d+/.exec(text)?.[0] ?? 'The basket'} wrongly. `.repeat(200),
      );
    const [made] = await byOpus();
    const { markdown } = await readVersion(world, ref, made!.version!);
    const sentences = markdown.match(/The basket \d+ rounds price \d+ wrongly/g) ?? [];
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  test('omits a range: it is requested alone, and included if that works', async () => {
    fake.answer = (asked) =>
      stretchesOf(asked).length === 1
        ? honest(asked)
        : honest(asked).replace(/<exchange n="2">[\s\S]*?<\/exchange>/, '');
    const [made] = await byOpus();
    expect(made!.reason ?? '').not.toContain('no usable answer');
    fake.answer = (asked) =>
      stretchesOf(asked).length === 1
        ? ''
        : honest(asked).replace(/<exchange n="2">[\s\S]*?<\/exchange>/, '');
    const [hole] = await byOpus({ ratio: 7 });
    expect(hole!.reason).toContain('no usable answer');
  });
});

describe('on the way to the model', () => {
  test('a busy service is asked again, later and later, as it says itself', async () => {
    fake.answer = (asked) =>
      asked.number === 1
        ? { status: 429, headers: { 'retry-after': '7' } }
        : asked.number < 4
          ? { status: 529 }
          : honest(asked);
    await world.settings.writeGlobal(() => ({ model: { atOnce: 1 } }));
    expect((await byOpus())[0]!.version).toBeDefined();
    expect(world.pauses).toEqual([7000, 2000, 4000]);
  });

  test('an unavailable one is reported after a while, and one that rejects the key immediately', async () => {
    fake.answer = () => ({ status: 503 });
    await world.settings.writeGlobal(() => ({ model: { atOnce: 1 } }));
    await expect(byOpus()).rejects.toMatchObject({
      code: 'model',
      message: expect.stringContaining('6 times'),
    });
    expect(fake.asked).toHaveLength(6);
    fake.answer = () => ({ status: 401 });
    await expect(byOpus()).rejects.toMatchObject({ code: 'model', message: expect.stringContaining('key') });
    expect(fake.asked).toHaveLength(7);
    expect(files()).toEqual([]);
  });

  test('after a stop only what is missing is paid for', async () => {
    const stop = new AbortController();
    await world.settings.writeGlobal(() => ({ model: { atOnce: 1 } }));
    const [dry] = await byOpus({ ratio: 2, dryRun: true });
    expect(dry!.estimate!.calls).toBeGreaterThan(1);
    fake.answer = (asked) => {
      if (asked.number === 2) setTimeout(() => stop.abort(), 20);
      return { text: honest(asked), delayMs: asked.number === 2 ? 500 : 0 };
    };
    const stopped = compressSession(world, ref, { ratio: 2, model: 'opus' }, { signal: stop.signal });
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
    expect(files()).toEqual([]);
    fake.answer = HONEST;
    const before = fake.asked.length;
    expect((await byOpus({ ratio: 2 }))[0]!.version).toBeDefined();
    expect(fake.asked.length - before).toBe(dry!.estimate!.calls - 1);
  });

  test('a broken answer is paid for and asked again; half of it is never used', async () => {
    fake.answer = (asked) => ({ text: honest(asked), ...(asked.number === 1 ? { breakAfter: 120 } : {}) });
    expect((await byOpus())[0]!.version).toBeDefined();
    expect((await ledgerCalls(world)).map(({ outcome }) => outcome)).toContain('broken');
  });

  test('the call that would pass the cap is not made', async () => {
    const [dry] = await byOpus({ ratio: 2, dryRun: true });
    const { calls, mostUsd } = dry!.estimate!;
    const cap = (mostUsd! / calls) * 1.6;
    await world.settings.writeGlobal(() => ({ model: { dailyCap: `${cap.toFixed(6)} USD` } }));
    await expect(byOpus({ ratio: 2 })).rejects.toMatchObject({ code: 'over-cap' });
    const spent = await ledgerCalls(world);
    expect(fake.asked.length).toBe(spent.length);
    expect(spent.reduce((sum, { usd }) => sum + usd, 0)).toBeLessThanOrEqual(cap);
    expect(fake.asked.length).toBeLessThan(calls);
    await world.settings.writeGlobal(() => ({ model: { dailyCap: '0 tokens' } }));
    const before = fake.asked.length;
    await expect(byOpus({ ratio: 3 })).rejects.toMatchObject({ code: 'over-cap' });
    expect(fake.asked).toHaveLength(before);
    expect(files()).toEqual([]);
  });

  test('a local server needs no key; one whose price nobody knows needs a cap in tokens', async () => {
    await world.settings.writeGlobal(() => ({ model: { url: fake.url } }));
    const [made] = await byOpus({ model: 'qwen3:8b' });
    expect(made!.version!.engine).toBe('model-2/openai/qwen3:8b');
    expect(fake.asked[0]).toMatchObject({ protocol: 'openai', model: 'qwen3:8b' });
    await world.settings.writeGlobal(() => ({ model: { url: 'http://models.example' } }));
    await expect(byOpus({ model: 'qwen3:8b', ratio: 9 })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('is unknown'),
    });
  });

  test('calls run at the same time, but no more than set', async () => {
    await world.settings.writeGlobal(() => ({ model: { atOnce: 1 } }));
    await byOpus({ ratio: 2.1 });
    expect(fake.mostAtOnce).toBe(1);
    await world.settings.writeGlobal(() => ({ model: { atOnce: 2 } }));
    const before = fake.asked.length;
    let both = () => {};
    const until = new Promise<void>((done) => {
      both = done;
    });
    // Neither is answered before the other is asked.
    fake.answer = (asked) => {
      if (asked.number === before + 2) both();
      return { text: honest(asked), until };
    };
    await byOpus({ ratio: 2 });
    expect(fake.mostAtOnce).toBe(2);
  });

  test('without a model, or with none that can be reached, nothing happens but a sentence', async () => {
    rmSync(join(world.places.archive, 'keys'), { recursive: true, force: true });
    await expect(byOpus({ model: 'some-model' })).rejects.toMatchObject({ code: 'config' });
    await world.settings.writeGlobal(() => ({ model: { service: 'claude' } }));
    await expect(byOpus()).rejects.toMatchObject({
      code: 'model',
      message: expect.stringContaining('no-such-command-here'),
    });
    await compressSession(world, ref, { ratio: 6 });
    expect(fake.asked).toEqual([]);
  });
});
