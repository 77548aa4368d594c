import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OtherAgent } from '../../src/core/model/agent.ts';

/** A client from npm: how to set it up for a model on loopback, and how to send it a prompt. */
export type Client = {
  agent: OtherAgent;
  npm: string;
  version: string;
  command: string;
  /** Needs its package's install scripts, which download the program. */
  scripts?: true;
  setUp: (home: string, url: string) => void;
  env: (home: string, url: string) => Record<string, string>;
  /** A command to run first. */
  prepare?: (url: string) => string[];
  /** Folders that show that the client is installed, if its first start creates others. */
  folders?: string[];
  ask: (prompt: string, goOn: boolean) => string[];
  /** It names files by the minute: a session resumed within the same minute would lose its file. */
  byMinute?: true;
  /** Arguments that let it run hooks that the user did not review. */
  trustsHooks?: string[];
  /** It answers before its servers are connected, so the model sees the injection only in a later request of the same prompt. */
  connectsLate?: true;
  /** It resumes only in a terminal: how to start it there. Without tmux, every prompt is a new session. */
  inTerminal?: (home: string) => string[];
};

const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** The entry of a folder that changed last. */
function newestIn(folder: string): string {
  const time = (name: string) => statSync(join(folder, name)).mtimeMs;
  return readdirSync(folder).sort((a, b) => time(b) - time(a))[0] ?? '';
}

export const CLIENTS: Client[] = [
  {
    agent: 'qwen',
    npm: '@qwen-code/qwen-code',
    version: '0.24.4',
    command: 'qwen',
    setUp: () => {},
    env: (_, url) => ({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' }),
    ask: (prompt, goOn) => ['--auth-type', 'openai', '--yolo', ...(goOn ? ['--continue'] : []), '-p', prompt],
  },
  {
    agent: 'pi',
    npm: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    command: 'pi',
    setUp: (home, url) => {
      const model = {
        id: 'fake-model',
        name: 'Fake',
        reasoning: false,
        input: ['text'],
        contextWindow: 100_000,
        maxTokens: 1000,
      };
      const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      const fake = {
        baseUrl: `${url}/v1`,
        api: 'openai-completions',
        apiKey: 'x',
        models: [{ ...model, cost }],
      };
      put(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { fake } }));
    },
    env: () => ({ PI_OFFLINE: '1' }),
    ask: (prompt, goOn) => [
      '--provider',
      'fake',
      '--model',
      'fake-model',
      ...(goOn ? ['-c'] : []),
      '-p',
      prompt,
    ],
  },
  {
    agent: 'codex',
    trustsHooks: ['--dangerously-bypass-hook-trust'],
    npm: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    setUp: (home, url) =>
      put(
        join(home, '.codex/config.toml'),
        `model = "fake-model"\nmodel_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`,
      ),
    env: () => ({}),
    ask: (prompt, goOn) => [
      'exec',
      '--skip-git-repo-check',
      '--sandbox',
      'danger-full-access',
      ...(goOn ? ['resume', '--last'] : []),
      prompt,
    ],
  },
  {
    agent: 'gemini',
    byMinute: true,
    npm: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    setUp: (home) =>
      put(
        join(home, '.gemini/settings.json'),
        '{"security":{"auth":{"selectedType":"gemini-api-key"}},"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false}}',
      ),
    env: (_, url) => ({ GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url }),
    ask: (prompt, goOn) => [
      '--yolo',
      '--skip-trust',
      '-m',
      'gemini-2.5-flash',
      ...(goOn ? ['--resume', 'latest'] : []),
      '-p',
      prompt,
    ],
  },
  {
    agent: 'opencode',
    npm: 'opencode-ai',
    version: '1.18.33',
    command: 'opencode',
    scripts: true,
    setUp: (home, url) => {
      const options = { baseURL: `${url}/v1`, apiKey: 'x' };
      const fake = {
        npm: '@ai-sdk/openai-compatible',
        name: 'fake',
        options,
        models: { 'fake-model': { name: 'Fake' } },
      };
      const config = {
        model: 'fake/fake-model',
        small_model: 'fake/fake-model',
        autoupdate: false,
        share: 'disabled',
      };
      put(join(home, '.config/opencode/opencode.json'), JSON.stringify({ ...config, provider: { fake } }));
    },
    env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
    ask: (prompt, goOn) => ['run', ...(goOn ? ['-c'] : []), prompt],
  },
  {
    agent: 'copilot',
    npm: '@github/copilot',
    version: '1.0.102',
    command: 'copilot',
    setUp: () => {},
    env: (_, url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'fake-model',
      COPILOT_OFFLINE: 'true',
    }),
    ask: (prompt, goOn) => ['--allow-all', ...(goOn ? ['--continue'] : []), '-p', prompt],
  },
  {
    agent: 'kimi',
    folders: ['.kimi-code'],
    npm: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    command: 'kimi',
    setUp: () => {},
    env: (_, url) => ({
      KIMI_MODEL_NAME: 'fake-model',
      KIMI_MODEL_API_KEY: 'x',
      KIMI_MODEL_BASE_URL: `${url}/v1`,
      KIMI_MODEL_PROVIDER_TYPE: 'openai',
      KIMI_CODE_NO_AUTO_UPDATE: '1',
    }),
    ask: (prompt, goOn) => [...(goOn ? ['-c'] : []), '-p', prompt],
  },
  {
    agent: 'grok',
    connectsLate: true,
    npm: '@xai-official/grok',
    version: '1.0.41',
    command: 'grok',
    scripts: true,
    setUp: (home, url) =>
      put(
        join(home, '.grok/config.toml'),
        `[models]\ndefault = "fake"\n[model.fake]\nmodel = "fake-model"\nbase_url = "${url}/v1"\napi_key = "x"\ncontext_window = 100000\n`,
      ),
    env: () => ({}),
    ask: (prompt, goOn) => ['--always-approve', ...(goOn ? ['--continue'] : []), '-p', prompt],
  },
  {
    agent: 'cline',
    prepare: (url) => [
      'auth',
      'openai-compatible',
      ...['--apikey', 'x', '--baseurl', `${url}/v1`, '--modelid', 'fake-model'],
    ],
    inTerminal: (home) => [
      '-P',
      'openai-compatible',
      '-m',
      'fake-model',
      '--id',
      newestIn(join(home, '.cline/data/sessions')),
    ],
    npm: 'cline',
    version: '3.0.65',
    command: 'cline',
    scripts: true,
    setUp: () => {},
    env: () => ({}),
    ask: (prompt) => ['-P', 'openai-compatible', '-m', 'fake-model', prompt],
  },
];
