import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import {
  isClaude,
  listPrice,
  MODEL_NAMES,
  modelId,
  type Price,
  readPrice,
} from '../../core/model/model-names.ts';
import type { Model, ModelChoice, ModelMissing, ModelService } from '../../ports/model.ts';
import type { World } from '../world.ts';

/** A model that can be asked, and what that costs. */
export type Engine = {
  model: Model;
  /** As the user calls it, and as the service does. */
  name: string;
  id: string;
  /** Undefined where nobody knows. */
  price: Price | undefined;
  settings: Config['model'];
};

/** How far work with a model is. */
export type ModelOptions = {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: { done: number; total: number; cached: number }) => void) | undefined;
};

/** What a record says made it. */
export function engineLabel({ model, id }: Engine): string {
  return `${model.service}/${id}`;
}

/** The model of this name by the way that the settings say. Sends nothing; a fault says what to set. */
export async function openEngine(world: World, config: Config, name: string): Promise<Engine> {
  const id = modelId(name);
  if (!world.models || id === '' || id === 'extractive')
    throw new Fault('usage', 'Missing model.', {
      hint: `Choose one: --model ${MODEL_NAMES.join('|')}, or any other model id.`,
    });
  const model = await openModel(world, config, id);
  const { model: settings } = config;
  const own = readPrice(settings.price);
  const price = own ?? (model.service === 'openai' ? localPrice(model.place) : undefined) ?? listPrice(id);
  return { model, name, id, price, settings };
}

async function openModel(world: World, config: Config, id: string): Promise<Model> {
  const { service, url } = config.model;
  if (service !== 'auto') return opened(await open(world, config, service));
  if (url !== '') return opened(await open(world, config, 'openai'));
  if (!isClaude(id))
    throw new Fault('config', `No server is configured for the model ${JSON.stringify(id)}.`, {
      hint: `Set its address: keepsake config set model.url http://localhost:11434. Built-in names: ${MODEL_NAMES.join(', ')}.`,
    });
  const api = await open(world, config, 'anthropic');
  if (!('missing' in api)) return api;
  const agent = await open(world, config, 'claude');
  if (!('missing' in agent) && (await agent.probe()).reached) return agent;
  throw new Fault('model', `${api.missing} The claude command was not found either.`, { hint: api.hint });
}

function open(world: World, { model }: Config, service: ModelService): Promise<Model | ModelMissing> {
  const { url, keyFile, timeoutSeconds } = model;
  const choice: ModelChoice = { service, url, keyFile, timeoutMs: 1000 * timeoutSeconds };
  return world.models!.open(choice);
}

function opened(found: Model | ModelMissing): Model {
  if ('missing' in found) throw new Fault('model', found.missing, { hint: found.hint });
  return found;
}

/** What runs on this machine costs nothing. */
function localPrice(url: string): Price | undefined {
  const { hostname } = new URL(url);
  const here = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
  return here ? { input: 0, output: 0 } : undefined;
}
