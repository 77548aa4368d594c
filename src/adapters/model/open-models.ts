import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { platformOf } from '../../core/model/platform.ts';
import type { ModelChoice, ModelMissing, Models } from '../../ports/model.ts';
import { anthropicApi } from './anthropic-api.ts';
import { claudeAgent } from './claude-agent.ts';
import { openaiApi } from './openai-api.ts';
import { refusedUrl } from './refused-url.ts';

export type ModelsOptions = {
  archive: string;
  home: string;
  /** Keys of the environment: each service's own, and `KEEPSAKE_MODEL_KEY` for any other server. */
  keys: { anthropic: string | undefined; openai: string | undefined; other: string | undefined };
  /** `ANTHROPIC_BASE_URL`, where the settings name no URL. */
  anthropicUrl: string | undefined;
  /** The environment of an agent that is started, its hooks turned off. */
  agentVariables: Record<string, string | undefined>;
  command?: string;
};

/** The ways to a model. A key comes from the environment or from a file of its owner's alone, and goes nowhere else. */
export function openModels(options: ModelsOptions): Models {
  return {
    pause: async (ms, signal) => {
      await pause(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
    },
    async open(choice) {
      const { service, timeoutMs } = choice;
      if (service === 'claude')
        return claudeAgent({
          command: options.command ?? platformOf(process.platform).claude,
          folder: join(options.archive, 'cache', 'agent'),
          timeoutMs,
          variables: options.agentVariables,
        });
      const url = choice.url || (service === 'anthropic' ? (options.anthropicUrl ?? '') : '');
      const refused = url === '' ? undefined : refusedUrl(url);
      if (refused) return { missing: refused, hint: 'Give one such as http://localhost:11434.' };
      const key = await keyFor(options, choice);
      if (typeof key === 'object') return key;
      if (service === 'openai')
        return url === ''
          ? {
              missing: 'No URL is set.',
              hint: 'Set it: `keepsake config set model.url http://localhost:11434`',
            }
          : openaiApi({ url, key, timeoutMs });
      if (key === '') return noKey(options.archive);
      return anthropicApi({ url, key, timeoutMs });
    },
  };
}

function noKey(archive: string): ModelMissing {
  return {
    missing: 'No key for the Anthropic API.',
    hint: `Set \`ANTHROPIC_API_KEY\`, or put the key into \`${join(archive, 'keys', 'anthropic')}\` and run \`chmod 600\` on it. A Claude subscription needs none: \`keepsake config set model.service claude\``,
  };
}

async function keyFor(options: ModelsOptions, choice: ModelChoice): Promise<string | ModelMissing> {
  const service = choice.service === 'openai' ? 'openai' : 'anthropic';
  const named = choice.keyFile.replace(/^~(?=[/\\])/, () => options.home);
  if (named === '') {
    const known = environmentKey(options, choice);
    if (known) return known;
  }
  const path = named === '' ? join(options.archive, 'keys', service) : named;
  const found = await stat(path).catch(() => undefined);
  if (!found)
    return named === ''
      ? ''
      : {
          missing: `File not found: ${path}.`,
          hint: 'Put the key into it, or: keepsake config unset model.keyFile',
        };
  if (platformOf(process.platform).hasModes && (found.mode & 0o077) !== 0)
    return { missing: `${path} is readable by other users.`, hint: `Run \`chmod 600 ${path}\`` };
  const key = (await readFile(path, 'utf8').catch(() => '')).trim();
  return /^[\x21-\x7e]+$/.test(key)
    ? key
    : { missing: `${path} contains no key.`, hint: 'It must contain the key and nothing else.' };
}

/** A server of one's own gets no key that was meant for OpenAI. */
function environmentKey({ keys }: ModelsOptions, { service, url }: ModelChoice): string | undefined {
  if (service === 'anthropic') return keys.anthropic;
  return /^https:\/\/api\.openai\.com(?:\/|$)/i.test(url) ? keys.openai : keys.other;
}
