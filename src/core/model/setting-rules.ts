import { OTHER_AGENTS, type OtherAgent } from './agent.ts';
import type { Config } from './config-defaults.ts';
import { readCap } from './daily-cap.ts';
import { readPrice } from './model-names.ts';
import { EVERY, fitsNumber, type NumberRule } from './number-rule.ts';

/** Which values a setting takes. Plain data: commands and hooks go by the same rules, and hooks must not load a schema. */
export type SettingRule =
  | { is: 'flag' }
  | { is: 'choice'; of: readonly string[] }
  | NumberRule
  | { is: 'text'; fits?: (text: string) => boolean; expected?: string };

type Keys<T, P extends string = ''> = {
  [K in keyof T & string]: T[K] extends object ? Keys<T[K], `${P}${K}.`> : `${P}${K}`;
}[keyof T & string];
/** A setting's dotted key. */
export type SettingKey = Keys<Config>;

type AgentPlaces = Record<`agents.${OtherAgent}`, SettingRule>;

const flag: SettingRule = { is: 'flag' };
const text: SettingRule = { is: 'text' };
const whole = (from: number, to: number): SettingRule => ({ is: 'number', from, to, whole: true });
const number = (from: number, to: number): SettingRule => ({ is: 'number', from, to });
const choice = (...of: string[]): SettingRule => ({ is: 'choice', of });
const matching = (pattern: RegExp, expected: string): SettingRule => ({
  is: 'text',
  fits: (it) => pattern.test(it),
  expected,
});

const ratio = number(1, 100);
const weight = number(0, 1);
/** At most what the agent takes from a hook: 10,000 characters. */
const tokens = whole(0, 2500);
const days = whole(0, 36_500);
const preset = choice('gentle', 'standard', 'aggressive');
const place = matching(/^(auto|off|~|[/\\]|[A-Za-z]:)/, 'auto, off, or the whole path of a folder');

/** Every setting there is, in the order in which they are listed. */
export const SETTING_RULES: Readonly<Record<SettingKey, SettingRule>> = {
  version: text,
  record: flag,
  'storage.originals': choice('copy', 'link', 'symlink'),
  'storage.maxCacheSize': matching(/^\d+(\.\d+)? ?[KMGT]?B$/i, 'a size such as 500MB or 1GB'),
  'storage.compressionRetention': matching(
    /^(all|newest|[1-9]\d{0,5}d?)$/,
    'all, newest, how many to keep (3), or for how many days (90d)',
  ),
  'defaults.compressionPreset': preset,
  'defaults.keepitDecayEnabled': flag,
  'defaults.autoRegisterSessions': flag,
  'defaults.autoCreateVersions': flag,
  'defaults.model': matching(/./s, 'a name such as extractive or haiku'),
  'levels.light': ratio,
  'levels.moderate': ratio,
  'levels.aggressive': ratio,
  'compression.telegraphic': flag,
  'keepit.extent': choice('paragraph', 'message'),
  'keepitDecay.compressionBase.light': weight,
  'keepitDecay.compressionBase.moderate': weight,
  'keepitDecay.compressionBase.aggressive': weight,
  'keepitDecay.maxSessionDistance': whole(1, 10_000),
  'keepitDecay.pinnedWeight': weight,
  'autoDecay.schedule': choice('off', 'daily', 'weekly', 'on-access'),
  'autoDecay.createAfterDays': days,
  'autoDecay.createPreset': preset,
  'autoDecay.aggressiveAfterDays': days,
  'autoDecay.aggressivePreset': preset,
  'autoDecay.pruneIntermediateAfterDays': days,
  'hooks.enabled': flag,
  'hooks.startTokens': tokens,
  'hooks.promptTokens': tokens,
  'hooks.compactTokens': tokens,
  'hooks.actionTokens': whole(0, 120),
  'hooks.everyToolCalls': EVERY,
  'hooks.everyStops': EVERY,
  'memory.interval': whole(1, 10_000),
  'memory.claudeMd': flag,
  'remote.auto': flag,
  'remote.inject': choice('off', 'team'),
  ...(Object.fromEntries(OTHER_AGENTS.map((agent) => [`agents.${agent}`, place])) as AgentPlaces),
  'synthesis.maxTokens': whole(500, 50_000),
  'synthesis.sections': choice('fixed', 'content'),
  'synthesis.autoAfter': whole(0, 1000),
  'synthesis.warnAfterDays': whole(0, 3650),
  'model.service': choice('auto', 'anthropic', 'claude', 'openai'),
  'model.url': matching(/^(?:https?:\/\/[^\s@]+)?$/i, 'a URL such as http://localhost:11434'),
  'model.keyFile': text,
  'model.atOnce': whole(1, 16),
  'model.timeoutSeconds': whole(1, 3600),
  'model.dailyCap': {
    is: 'text',
    fits: (it) => readCap(it) !== undefined,
    expected: 'an amount such as "5 USD", "200000 tokens" or "none"',
  },
  'model.price': {
    is: 'text',
    fits: (it) => it === '' || readPrice(it) !== undefined,
    expected: 'USD for a million tokens in and out, such as "2/10"',
  },
  'model.use.all': flag,
  'model.use.exchanges': flag,
  'model.use.concepts': flag,
  'model.use.statements': flag,
  'model.use.reviews': flag,
  'model.use.archives': flag,
  'model.use.summaries': flag,
  'model.use.synthesis': flag,
  'ui.defaultView': choice('timeline', 'list'),
  'ui.showTokenEstimates': flag,
  'ui.confirmDestructiveActions': flag,
};

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTING_RULES, key);
}

/** Undefined when the value fits, otherwise what was expected, in words. */
export function whatIsWrong(rule: SettingRule, value: unknown): string | undefined {
  if (value === undefined) return 'no value';
  switch (rule.is) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'expected true or false';
    case 'choice':
      return typeof value === 'string' && rule.of.includes(value)
        ? undefined
        : `expected one of ${rule.of.join(', ')}`;
    case 'number':
      if (fitsNumber(rule, value)) return undefined;
      return `expected ${rule.whole ? 'a whole number' : 'a number'} from ${rule.from} to ${rule.to}`;
    case 'text':
      if (typeof value !== 'string') return 'expected a text';
      return rule.fits?.(value) === false ? `expected ${rule.expected}` : undefined;
  }
}
