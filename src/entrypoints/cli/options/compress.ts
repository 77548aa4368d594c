import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { withoutUndefined } from '../../../app/without-undefined.ts';
import type { CompressRequest } from '../../../core/compress/compress-settings.ts';
import { Fault } from '../../../core/model/fault.ts';
import { AGGRESSIVENESS, KEEPIT_MODES, type Tier, tierSchema } from '../../../core/model/version.ts';

export type CompressOptions = {
  mode?: string;
  ratio?: string;
  level?: string;
  aggressiveness?: string;
  preset?: string;
  tiers?: string;
  keepit?: string;
  distance?: string;
  skipFirst?: string;
  model?: string;
  telegraphic?: boolean;
};

/** How a version shall be made; the same wherever one is. */
export function compressOptions(command: Command): void {
  command
    .option('--level <level>', 'light (4:1), moderate (10:1) or aggressive (30:1), for the whole session')
    .option('--ratio <n>', 'compress n:1, for the whole session')
    .option('--preset <preset>', 'compress older messages more: gentle, standard or aggressive')
    .option('--tiers <file>', 'your own preset: JSON list of endPercent, compactionRatio, aggressiveness')
    .option('--mode <mode>', 'uniform or tiered, if no other option decides it')
    .option('--aggressiveness <how>', 'minimum weight of keepits: light, moderate or aggressive')
    .option('--keepit <mode>', 'decay (default), preserve-all or ignore; pinned keepits always stay')
    .option('--distance <n>', 'compress as if the session were n sessions ago')
    .option('--skip-first <n>', 'leave out the first n messages')
    .option('--telegraphic', 'leave out small words where the level is aggressive')
    .option('--model <model>', 'extractive (offline), opus, sonnet, haiku, or a model id');
}

export async function compressRequest(options: CompressOptions): Promise<CompressRequest> {
  return withoutUndefined({
    mode: oneOf('--mode', options.mode, ['uniform', 'tiered'] as const),
    ratio: number('--ratio', options.ratio),
    level: oneOf('--level', levelNames[options.level ?? ''] ?? options.level, LEVELS),
    aggressiveness: oneOf('--aggressiveness', options.aggressiveness, AGGRESSIVENESS),
    preset: oneOf('--preset', options.preset, ['gentle', 'standard', 'aggressive'] as const),
    tiers: options.tiers === undefined ? undefined : await readTiers(options.tiers),
    keepit: oneOf('--keepit', options.keepit, KEEPIT_MODES),
    distance: number('--distance', options.distance),
    skipFirst: number('--skip-first', options.skipFirst),
    model: options.model,
    telegraphic: options.telegraphic,
  });
}

const LEVELS = ['light', 'moderate', 'aggressive'] as const;
/** Levels by number, the lightest first. */
const levelNames: Record<string, string> = { 1: 'light', 2: 'moderate', 3: 'aggressive' };

function oneOf<const T extends string>(
  option: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text.toLowerCase());
  if (found !== undefined) return found;
  throw new Fault('usage', `${option} ${JSON.stringify(text)} is not valid.`, {
    hint: `Choose from ${choices.join(', ')}.`,
  });
}

function number(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text.replace(/:1$/, ''));
  if (Number.isFinite(value)) return value;
  throw new Fault('usage', `${option} takes a number, not ${JSON.stringify(text)}.`);
}

async function readTiers(path: string): Promise<Tier[]> {
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new Fault('unreadable', `${path} can't be read.`, { cause });
  });
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (cause) {
    throw new Fault('bad-input', `${path} is not JSON.`, { cause });
  }
  const read = tierSchema.array().safeParse(list);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const [tier, ...field] = issue?.path ?? [];
  const where = typeof tier === 'number' ? ` Tier ${tier + 1}, ${field.join('.')}:` : '';
  throw new Fault('bad-input', `${path} can't be used.${where} ${issue?.message ?? ''}.`, {
    hint: 'Expected a list such as [{"endPercent": 100, "compactionRatio": 10, "aggressiveness": "moderate"}].',
  });
}
