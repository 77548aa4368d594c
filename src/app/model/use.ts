import type { Config } from '../../core/model/config-defaults.ts';
import { Fault } from '../../core/model/fault.ts';
import type { ProjectId } from '../../core/model/ids.ts';
import type { World } from '../world.ts';
import type { ModelUse } from './call.ts';
import { type Engine, openEngine } from './engine.ts';

/** What a model may do besides versions, and the setting that turns it on. */
export const MODEL_USES = [
  'exchanges',
  'concepts',
  'statements',
  'reviews',
  'archives',
  'summaries',
  'synthesis',
] as const;
export type OtherUse = Exclude<ModelUse, 'compress'>;

export function isOn({ model }: Config, use: OtherUse): boolean {
  return model.use.all || model.use[use];
}

/**
 * The model for a use: the one that is named, else that of the settings where the use is turned on. Undefined: this is
 * done offline. A use that is on without a model is a fault, never the offline way in disguise.
 */
export async function engineFor(
  world: World,
  use: OtherUse,
  project: ProjectId | undefined,
  named?: string,
): Promise<Engine | undefined> {
  const settings = project === undefined ? undefined : (await world.archive.head(project))?.settings;
  const { config } = await world.settings.resolve(settings);
  if (named !== undefined) return named === 'extractive' ? undefined : openEngine(world, config, named);
  if (!isOn(config, use)) return undefined;
  if (config.defaults.model === 'extractive')
    throw new Fault(
      'config',
      `model.use.${config.model.use[use] ? use : 'all'} is on, but no model is set.`,
      {
        hint: 'Set one: keepsake config set defaults.model haiku, or --model with the command.',
      },
    );
  return openEngine(world, config, config.defaults.model);
}
