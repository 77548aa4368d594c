import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anthropicApi } from '../../src/adapters/model/anthropic-api.ts';
import { type ModelsOptions, openModels } from '../../src/adapters/model/open-models.ts';
import { openaiApi } from '../../src/adapters/model/openai-api.ts';
import type { ModelChoice } from '../../src/ports/model.ts';
import { FakeModelServer } from '../made/fake-model-server.ts';
import { modelContract } from './model.ts';

const KEY = 'sk-ant-fake-dummy';

modelContract({
  name: 'the Anthropic API',
  streams: true,
  open: (fake, timeoutMs) => anthropicApi({ url: fake.url, key: KEY, timeoutMs }),
});
modelContract({
  name: 'a server that speaks OpenAI’s protocol',
  streams: true,
  open: (fake, timeoutMs) => openaiApi({ url: fake.url, key: KEY, timeoutMs }),
});

describe('keys', () => {
  let archive: string;
  let fake: FakeModelServer;
  let options: ModelsOptions;
  const choice: ModelChoice = { service: 'anthropic', url: '', keyFile: '', timeoutMs: 5000 };
  const ask = { model: 'm', system: 's', prompt: 'p', maxTokens: 10, session: 'x' };
  beforeEach(async () => {
    archive = mkdtempSync(join(tmpdir(), 'keepsake-keys-'));
    fake = await FakeModelServer.start();
    const keys = { anthropic: undefined, openai: 'sk-meant-for-openai', other: undefined };
    options = { archive, home: archive, keys, anthropicUrl: fake.url, agentVariables: {} };
  });
  afterEach(async () => {
    await fake.stop();
    rmSync(archive, { recursive: true, force: true });
  });
  const open = async (wanted: Partial<ModelChoice> = {}) => {
    const model = await openModels(options).open({ ...choice, ...wanted });
    if (!('missing' in model)) await model.ask(ask);
    return model;
  };

  test('without a key nothing is sent, and the error says what to set', async () => {
    expect(await open()).toMatchObject({
      missing: expect.stringContaining('No key'),
      hint: expect.stringContaining('`ANTHROPIC_API_KEY`'),
    });
    expect(fake.asked).toEqual([]);
  });

  test('a file with the key is used only while nobody else can read it', async () => {
    mkdirSync(join(archive, 'keys'));
    const file = join(archive, 'keys', 'anthropic');
    writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
    expect(await open()).toMatchObject({ service: 'anthropic' });
    expect(fake.asked[0]!.headers['x-api-key']).toBe(KEY);
    chmodSync(file, 0o640);
    expect(await open()).toMatchObject({ missing: expect.stringContaining('readable by other users') });
    writeFileSync(file, 'two words');
    chmodSync(file, 0o600);
    expect(await open()).toMatchObject({ missing: expect.stringContaining('no key') });
    expect(fake.asked).toHaveLength(1);
  });

  test.each(['anthropic', 'openai'] as const)(
    'no key and no word follows a redirect (%s)',
    async (service) => {
      options.keys = { anthropic: KEY, openai: undefined, other: KEY };
      const elsewhere = createServer((_, response) => response.writeHead(307, { location: fake.url }).end());
      await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
      const { port } = elsewhere.address() as AddressInfo;
      const model = await openModels(options).open({ ...choice, service, url: `http://127.0.0.1:${port}` });
      if ('missing' in model) throw new Error(model.missing);
      expect(await model.ask(ask)).toMatchObject({ kind: 'failed', why: 'unreachable' });
      expect(fake.asked).toEqual([]);
      elsewhere.close();
    },
  );

  test('the user’s own server does not get the key that is meant for OpenAI', async () => {
    await open({ service: 'openai', url: fake.url });
    expect(fake.asked[0]!.headers.authorization).toBeUndefined();
    options.keys.other = 'own-key';
    await open({ service: 'openai', url: `${fake.url}/v1/` });
    expect(fake.asked[1]!.headers.authorization).toBe('Bearer own-key');
  });

  test('an address with a password, or a text that is no address, is not used', async () => {
    for (const url of ['http://user:secret@127.0.0.1:1', 'file:///etc/passwd', 'not a url'])
      expect(await open({ service: 'openai', url })).toHaveProperty('missing');
    expect(await open({ service: 'openai', url: '' })).toMatchObject({ missing: 'No URL is set.' });
  });
});
