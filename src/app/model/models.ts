import { askChunk } from '../../core/compress/model/ask.ts';
import type { Config } from '../../core/model/config-defaults.ts';
import { capText, readCap } from '../../core/model/daily-cap.ts';
import {
  costOf,
  listPrice,
  MODEL_NAMES,
  modelId,
  type Price,
  readPrice,
} from '../../core/model/model-names.ts';
import type { ModelService } from '../../ports/model.ts';
import type { World } from '../world.ts';
import { type Spent, spentToday } from './ledger.ts';
import { isOn, MODEL_USES } from './use.ts';

export type ServiceState = {
  service: ModelService;
  /** Set up; `reached` only where it was tried. */
  ready: boolean;
  reached?: boolean;
  place?: string;
  message: string;
  hint?: string;
  models?: string[];
};

export type ModelsReport = {
  /** What writes versions unless one is named; `extractive` is none. */
  model: string;
  id: string;
  service: Config['model']['service'];
  services: ServiceState[];
  names: { name: string; id: string; price: Price | null; session: Record<string, number> | null }[];
  uses: { use: string; on: boolean }[];
  cap: string;
  today: Spent;
};

/** Tokens of the session that the example costs are of. */
const EXAMPLE = 100_000;
/** What of a version's source a model reads and writes: see `compress-model-plan.ts`. */
const READ = 3;

/** What is set up and what it would cost. Only with `check` is anything beyond this machine asked, and nothing paid. */
export async function describeModels(
  world: World,
  request: { model?: string; check?: boolean } = {},
): Promise<ModelsReport> {
  const { config } = await world.settings.resolve();
  const model = request.model ?? config.defaults.model;
  const services: ServiceState[] = [];
  for (const service of ['anthropic', 'claude', 'openai'] as const)
    services.push(await stateOf(world, config, service, request.check === true));
  const wanted =
    model === 'extractive' || MODEL_NAMES.includes(model) ? MODEL_NAMES : [model, ...MODEL_NAMES];
  return {
    model,
    id: modelId(model),
    service: config.model.service,
    services,
    names: wanted.map((name) => {
      const id = modelId(name);
      const price = (name === model ? readPrice(config.model.price) : undefined) ?? listPrice(id) ?? null;
      return { name, id, price, session: price && exampleCosts(price, config) };
    }),
    uses: MODEL_USES.map((use) => ({ use, on: isOn(config, use) })),
    cap: capText(readCap(config.model.dailyCap) ?? 'none'),
    today: await spentToday(world),
  };
}

async function stateOf(
  world: World,
  config: Config,
  service: ModelService,
  check: boolean,
): Promise<ServiceState> {
  const { url, keyFile, timeoutSeconds } = config.model;
  const choice = {
    service,
    url: ownUrl(config, service) ? url : '',
    keyFile,
    timeoutMs: 1000 * Math.min(15, timeoutSeconds),
  };
  const found = await world.models?.open(choice);
  if (!found || 'missing' in found) {
    const { missing = 'Not available.', hint } = found ?? {};
    return { service, ready: false, message: missing, ...(hint === undefined ? {} : { hint }) };
  }
  const { place } = found;
  // The command is on this machine: asking for its version reaches nobody.
  if (!check && service !== 'claude')
    return { service, ready: true, place, message: 'Configured; not tested.' };
  const { reached, message, models } = await found.probe();
  const ready = service === 'claude' ? reached : true;
  return {
    service,
    ready,
    ...(check || service === 'claude' ? { reached } : {}),
    place,
    message,
    models: models.slice(0, 50),
  };
}

/** The URL of the settings is that of one service. */
function ownUrl({ model }: Config, service: ModelService): boolean {
  return model.service === service || (model.service === 'auto' && service === 'openai');
}

/** USD for a session of 100,000 tokens at each level, as far as it can be estimated beforehand. */
function exampleCosts(price: Price, { levels }: Config): Record<string, number> {
  const cost = (ratio: number) => {
    const output = EXAMPLE / ratio;
    const input = Math.min(EXAMPLE, READ * output);
    const instructions = askChunk({ pieces: [] }).system.length / 4;
    return costOf(price, { input: input + (input / 8000) * instructions, output });
  };
  return Object.fromEntries(
    Object.entries(levels).map(([level, ratio]) => [level, Math.round(1e4 * cost(ratio)) / 1e4]),
  );
}
