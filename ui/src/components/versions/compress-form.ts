import type { Answer } from '../../api/call-api.ts';
import type { Version } from '../../api/records.ts';

export type Strategies = Answer<'get /api/memory/strategies'>;
type Tier = Strategies['presets'][string][number];

/** What the dialog holds; `bodyOf` says it in the server's words. */
export type CompressForm = {
  /** Everything, or what came after the last part. */
  scope: 'all' | 'delta';
  engine: 'offline' | 'model';
  /** Used where the engine is a model. */
  model: string;
  mode: 'uniform' | 'tiered';
  ratio: number;
  aggressiveness: '' | 'light' | 'moderate' | 'aggressive';
  preset: 'gentle' | 'standard' | 'aggressive' | 'custom';
  tiers: Tier[];
  keepit: 'decay' | 'preserve-all' | 'ignore';
  /** Empty: the session's own. */
  distance: number | '';
  skipFirst: number | '';
};

/** Levels in the order in which they are offered. */
const FIRST = ['moderate', 'light', 'aggressive'];

/** At the first level that `made` does not have yet, where the part has versions. */
export function newForm(
  strategies: Strategies,
  made: readonly Pick<Version, 'settings'>[] = [],
  model = 'extractive',
): CompressForm {
  const ratios = FIRST.map((name) => strategies.levels[name] ?? 10);
  const has = (ratio: number) =>
    made.some(({ settings }) => settings.mode === 'uniform' && settings.compactionRatio === ratio);
  return {
    scope: 'all',
    engine: model === 'extractive' ? 'offline' : 'model',
    model: model === 'extractive' ? '' : model,
    mode: 'uniform',
    ratio: ratios.find((ratio) => !has(ratio)) ?? ratios[0] ?? 10,
    aggressiveness: '',
    preset: 'standard',
    tiers: (strategies.presets.standard ?? []).map((tier) => ({ ...tier })),
    keepit: 'decay',
    distance: '',
    skipFirst: '',
  };
}

export function compressBodyOf(form: CompressForm) {
  const { engine, model, mode, ratio, aggressiveness, preset, tiers, keepit, distance, skipFirst } = form;
  const how =
    mode === 'uniform'
      ? { mode, ratio, ...(aggressiveness === '' ? {} : { aggressiveness }) }
      : preset === 'custom'
        ? { mode, tiers }
        : { mode, preset };
  return {
    ...how,
    model: engine === 'offline' ? 'extractive' : model,
    keepit,
    ...(distance === '' ? {} : { distance }),
    ...(skipFirst === '' || skipFirst === 0 ? {} : { skipFirst }),
  };
}

type Models = Pick<Answer<'get /api/memory/models'>, 'service' | 'services'>;

/** Services that a model could be asked through, as the settings have it. */
export function readyServices({ service, services }: Models): string[] {
  return services
    .filter((it) => it.ready && (service === 'auto' || it.service === service))
    .map((it) => it.service);
}

/** What keeps the form from being sent; undefined: nothing. */
export function compressProblem(form: CompressForm, models?: Models): string | undefined {
  if (form.engine === 'model' && models && readyServices(models).length === 0)
    return 'No version can be created: no model is set up. Choose Offline, or open the model settings.';
  const isWhole = (value: number | '', least: number) =>
    value === '' || (Number.isInteger(value) && value >= least);
  if (form.engine === 'model' && form.model === '') return 'Choose a model.';
  if (form.mode === 'uniform' && !(form.ratio >= 1 && form.ratio <= 1000))
    return 'A ratio lies between 1 and 1000.';
  if (!isWhole(form.distance, 0)) return 'A distance is a whole number, 0 or more.';
  if (!isWhole(form.skipFirst, 0)) return 'Messages to skip are a whole number.';
  if (form.mode === 'uniform' || form.preset !== 'custom') return undefined;
  let before = 0;
  for (const { endPercent, compactionRatio } of form.tiers) {
    if (!(endPercent > before)) return 'Each tier ends after the one before it.';
    if (!(compactionRatio >= 1 && compactionRatio <= 1000)) return 'A ratio lies between 1 and 1000.';
    before = endPercent;
  }
  return before === 100 ? undefined : 'The last tier ends at 100%.';
}
