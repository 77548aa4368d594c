import type { Config } from '../model/config-defaults.ts';
import { Fault } from '../model/fault.ts';
import type { Aggressiveness, CompressSettings, Tier } from '../model/version.ts';
import { aggressivenessOf, checkTiers, type TierPreset } from './choose/tiers.ts';

export type Level = 'light' | 'moderate' | 'aggressive';

/** What a user asks for; all that is not said comes from the settings. */
export type CompressRequest = {
  mode?: 'uniform' | 'tiered';
  ratio?: number;
  level?: Level;
  aggressiveness?: Aggressiveness;
  preset?: TierPreset;
  tiers?: Tier[];
  /** By exchange: makes a version by hand. */
  choices?: Record<string, 'keep' | 'shrink' | 'drop'>;
  keepit?: CompressSettings['keepitMode'];
  distance?: number;
  skipFirst?: number;
  model?: string;
  telegraphic?: boolean;
};

/** What the archive knows: how far away the session is, and what its markers weigh. */
export type Circumstances = {
  distance: number;
  weights: Record<string, number>;
  held: string[];
  title?: string | undefined;
};

const LARGEST_RATIO = 1000;

/** The settings that a version is made with and that it records. */
export function compressSettings(
  request: CompressRequest,
  config: Config,
  { distance, weights, held, title }: Circumstances,
): CompressSettings {
  const decay = structuredClone(config.keepitDecay);
  const skipFirstMessages = request.skipFirst ?? 0;
  if (!Number.isInteger(skipFirstMessages) || skipFirstMessages < 0)
    throw new Fault('usage', `Invalid number of messages to skip: ${skipFirstMessages}.`, {
      hint: 'Give 0 or more.',
    });
  const sessionDistance = request.distance ?? distance;
  if (!Number.isInteger(sessionDistance) || sessionDistance < 0)
    throw new Fault('usage', `Invalid distance: ${sessionDistance}.`, {
      hint: 'Give a whole number: 1 is the latest session, 10 one long ago.',
    });
  return {
    ...shapeOf(request, config),
    // A version by hand is put together of the original's own words.
    model: request.model ?? (request.choices ? 'extractive' : config.defaults.model),
    skipFirstMessages,
    keepitMode: request.keepit ?? (config.defaults.keepitDecayEnabled ? 'decay' : 'preserve-all'),
    sessionDistance,
    telegraphic: request.telegraphic ?? config.compression.telegraphic,
    decay,
    weights,
    ...(held.length > 0 ? { held } : {}),
    ...(title === undefined ? {} : { title }),
  };
}

type Shape = Pick<
  CompressSettings,
  'mode' | 'compactionRatio' | 'aggressiveness' | 'tierPreset' | 'customTiers' | 'choices'
>;

function shapeOf(request: CompressRequest, config: Config): Shape {
  if (request.choices) return { mode: 'manual', choices: request.choices };
  const flat = request.ratio ?? request.level ?? request.aggressiveness;
  const tiered = request.preset ?? request.tiers;
  refuseBoth(request, flat !== undefined, tiered !== undefined);
  if (request.mode === 'uniform' || (request.mode === undefined && flat !== undefined))
    return uniform(request, config);
  if (request.tiers) {
    const customTiers = checkTiers(request.tiers).map((tier) => ({
      ...tier,
      aggressiveness: plainName(tier.aggressiveness),
    }));
    return { mode: 'tiered', tierPreset: 'custom', customTiers };
  }
  return { mode: 'tiered', tierPreset: request.preset ?? config.defaults.compressionPreset };
}

function uniform(request: CompressRequest, config: Config): Shape {
  const level = request.level ?? levelLike(request.aggressiveness);
  const compactionRatio = request.ratio ?? config.levels[level];
  if (!(compactionRatio >= 1 && compactionRatio <= LARGEST_RATIO))
    throw new Fault('usage', `Invalid compression ratio: ${compactionRatio}:1.`, {
      hint: 'Give a number from 1 (uncompressed) to 1,000; 10 keeps a tenth of the tokens.',
    });
  const named = request.aggressiveness === undefined ? request.level : plainName(request.aggressiveness);
  return { mode: 'uniform', compactionRatio, aggressiveness: named ?? aggressivenessOf(compactionRatio) };
}

/** The name that levels have. */
function plainName(aggressiveness: Aggressiveness): Level {
  return aggressiveness === 'minimal' ? 'light' : aggressiveness;
}

function levelLike(aggressiveness: Aggressiveness | undefined): Level {
  return plainName(aggressiveness ?? 'moderate');
}

function refuseBoth(request: CompressRequest, flat: boolean, tiered: boolean): void {
  const wrong =
    (flat && tiered) || (request.mode === 'uniform' && tiered) || (request.mode === 'tiered' && flat);
  if (!wrong && !(request.preset && request.tiers)) return;
  throw new Fault('usage', 'These settings contradict each other.', {
    hint: 'Uniform takes --ratio, --level, --aggressiveness; tiered takes --preset or --tiers.',
  });
}

/** `tiered-standard`, `uniform-aggressive`, `manual`: what a version's file is called after its number. */
export function settingsName(settings: CompressSettings): string {
  if (settings.mode === 'tiered') return `tiered-${settings.tierPreset ?? 'custom'}`;
  if (settings.mode === 'manual') return 'manual-custom';
  return `uniform-${plainName(settings.aggressiveness ?? aggressivenessOf(settings.compactionRatio ?? 10))}`;
}
