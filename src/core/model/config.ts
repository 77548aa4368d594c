import { z } from 'zod';
import { CONFIG_DEFAULTS as d } from './config-defaults.ts';
import { modelSettings } from './model-settings.ts';

const ratio = z.number().min(1).max(100);
const weight = z.number().min(0).max(1);
/** At most what the agent takes from a hook: 10,000 characters. */
const tokens = z.number().int().min(0).max(2500);
const days = z.number().int().min(0).max(36_500);
const preset = z.enum(['gentle', 'standard', 'aggressive']);
const place = z
  .string()
  .regex(/^(auto|off|~|[/\\]|[A-Za-z]:)/, { message: 'expected auto, off, or the whole path of a folder' });
const base = d.keepitDecay.compressionBase;

/** The one schema: every setting with its default and the words that explain it. */
export const configSchema = z.object({
  version: z.string().default(d.version).describe('Version of this file. Keepsake writes it.'),
  storage: z.object({
    originals: z
      .enum(['copy', 'link', 'symlink'])
      .default(d.storage.originals)
      .describe(
        "How originals are kept: an own copy (safe), a copy with a hard link beside it, or only a symlink to the agent's file (lost when the agent cleans up).",
      ),
    maxCacheSize: z
      .string()
      .regex(/^\d+(\.\d+)? ?[KMGT]?B$/i, { message: 'expected a size such as 500MB or 1GB' })
      .default(d.storage.maxCacheSize)
      .describe('How big the cache may grow. It holds only what can be made again.'),
    compressionRetention: z
      .string()
      .regex(/^(all|newest|[1-9]\d{0,5}d?)$/, {
        message: 'expected all, newest, how many to keep (3), or for how many days (90d)',
      })
      .default(d.storage.compressionRetention)
      .describe(
        'Which compressed versions stay: all; newest, one of each level; 3, so many of the newest of each part; 90d, those of so many days. What a composition uses and the last one of a part always stay.',
      ),
  }),
  defaults: z.object({
    compressionPreset: z
      .enum(['gentle', 'standard', 'aggressive'])
      .default(d.defaults.compressionPreset)
      .describe('The preset a compression uses when none is named.'),
    keepitDecayEnabled: z
      .boolean()
      .default(d.defaults.keepitDecayEnabled)
      .describe('Whether keepits fade with distance. Off: every keepit survives.'),
    autoRegisterSessions: z
      .boolean()
      .default(d.defaults.autoRegisterSessions)
      .describe('Whether hooks register new sessions. Off: they are archived all the same.'),
    autoCreateVersions: z
      .boolean()
      .default(d.defaults.autoCreateVersions)
      .describe('Whether a new session gets a version of each level (light, moderate, aggressive) at once.'),
    model: z
      .string()
      .min(1)
      .default(d.defaults.model)
      .describe('What writes summaries: extractive (offline, no model), or a model such as opus or haiku.'),
  }),
  levels: z.object({
    light: ratio.default(d.levels.light).describe('Compression ratio of the level light (4 means 4:1).'),
    moderate: ratio.default(d.levels.moderate).describe('Compression ratio of the level moderate.'),
    aggressive: ratio.default(d.levels.aggressive).describe('Compression ratio of the level aggressive.'),
  }),
  compression: z.object({
    telegraphic: z
      .boolean()
      .default(d.compression.telegraphic)
      .describe('Whether aggressive compression leaves out small words to fit more in. Harder to read.'),
  }),
  keepit: z.object({
    extent: z
      .enum(['paragraph', 'message'])
      .default(d.keepit.extent)
      .describe('How far a keepit without a closing mark reaches.'),
  }),
  keepitDecay: z.object({
    compressionBase: z.object({
      light: weight.default(base.light).describe('Lowest surviving weight, light compression, distance 0.'),
      moderate: weight.default(base.moderate).describe('The same for moderate compression.'),
      aggressive: weight.default(base.aggressive).describe('The same for aggressive compression.'),
    }),
    maxSessionDistance: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(d.keepitDecay.maxSessionDistance)
      .describe('Sessions after which a keepit fades no further.'),
    pinnedWeight: weight
      .default(d.keepitDecay.pinnedWeight)
      .describe('From this weight on a keepit always survives.'),
  }),
  autoDecay: z.object({
    schedule: z
      .enum(['off', 'daily', 'weekly', 'on-access'])
      .default(d.autoDecay.schedule)
      .describe(
        'When sync and the end of a session compress what grew old and take away what is in between.',
      ),
    createAfterDays: days
      .default(d.autoDecay.createAfterDays)
      .describe('Days without use after which a session without a version gets one. 0: never.'),
    createPreset: preset.default(d.autoDecay.createPreset).describe('The preset of that version.'),
    aggressiveAfterDays: days
      .default(d.autoDecay.aggressiveAfterDays)
      .describe('Days without use after which a session gets a much shorter version. 0: never.'),
    aggressivePreset: preset.default(d.autoDecay.aggressivePreset).describe('The preset of that one.'),
    pruneIntermediateAfterDays: days
      .default(d.autoDecay.pruneIntermediateAfterDays)
      .describe('Days after which versions that a shorter one follows are taken away. 0: never.'),
  }),
  hooks: z.object({
    enabled: z
      .boolean()
      .default(d.hooks.enabled)
      .describe('Whether the hooks do anything inside the agent. Off: they end at once.'),
    startTokens: tokens
      .default(d.hooks.startTokens)
      .describe('Tokens that memory may take when a session starts. 0: nothing is told.'),
    promptTokens: tokens
      .default(d.hooks.promptTokens)
      .describe('Tokens that memory may take beside a prompt. 0: nothing is told.'),
    compactTokens: tokens
      .default(d.hooks.compactTokens)
      .describe('Tokens for what a compaction lost. 0: nothing is told.'),
    everyToolCalls: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(d.hooks.everyToolCalls)
      .describe('After so many tool calls a running session is read.'),
    everyStops: z
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(d.hooks.everyStops)
      .describe('After so many stops a running session is read; sooner when there is much to read.'),
  }),
  memory: z.object({
    interval: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(d.memory.interval)
      .describe('Checks (tool calls and stops) after which memory.md takes in what is new.'),
    claudeMd: z
      .boolean()
      .default(d.memory.claudeMd)
      .describe("Whether a block with the project's rules is kept up to date in its CLAUDE.md."),
  }),
  agents: z.object({
    codex: place
      .default(d.agents.codex)
      .describe('Sessions of Codex CLI: auto (taken from where it keeps them), off, or a folder.'),
    gemini: place.default(d.agents.gemini).describe('Sessions of Gemini CLI: auto, off, or a folder.'),
    opencode: place.default(d.agents.opencode).describe('Sessions of OpenCode: auto, off, or a folder.'),
  }),
  synthesis: z.object({
    maxTokens: z
      .number()
      .int()
      .min(500)
      .max(50_000)
      .default(d.synthesis.maxTokens)
      .describe('Tokens that _memory/master.md may take. What has no room stays in its summary.'),
    sections: z
      .enum(['fixed', 'content'])
      .default(d.synthesis.sections)
      .describe('Sections of master.md: the five fixed ones, or one for each theme of the project.'),
    autoAfter: z
      .number()
      .int()
      .min(0)
      .max(1000)
      .default(d.synthesis.autoAfter)
      .describe('New summaries after which a summarize makes master.md anew by itself. 0: never.'),
    warnAfterDays: z
      .number()
      .int()
      .min(0)
      .max(3650)
      .default(d.synthesis.warnAfterDays)
      .describe('Days after which a master.md with newer summaries beside it counts as old. 0: never.'),
  }),
  model: modelSettings,
  ui: z.object({
    defaultView: z
      .enum(['timeline', 'list'])
      .default(d.ui.defaultView)
      .describe('How the page lists sessions first: by month (timeline), or one below the other (list).'),
    showTokenEstimates: z
      .boolean()
      .default(d.ui.showTokenEstimates)
      .describe('Whether the page estimates tokens before it compresses.'),
    confirmDestructiveActions: z
      .boolean()
      .default(d.ui.confirmDestructiveActions)
      .describe('Whether commands and page ask before they remove something.'),
  }),
});

/** One setting, as lists and the page show it. */
export type Setting = { key: string; schema: z.ZodType; fallback: unknown; about: string };

/** Every setting by its dotted key. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  leaves(configSchema, '').map((s) => [s.key, s]),
);

function leaves(schema: z.ZodObject, prefix: string): Setting[] {
  return Object.entries(schema.shape).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    if (child instanceof z.ZodObject) return leaves(child, `${key}.`);
    const leaf = child as z.ZodType;
    return [{ key, schema: leaf, fallback: leaf.parse(undefined), about: leaf.description ?? '' }];
  });
}

/** The words that a setting is chosen from; undefined: it is free. */
export function choicesOf({ schema }: Setting): string[] | undefined {
  const type = schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return type instanceof z.ZodEnum ? type.options.map(String) : undefined;
}

/** Undefined when the value fits, otherwise what was expected, in words. */
export function whatIsWrong(setting: Setting, value: unknown): string | undefined {
  if (value === undefined) return 'no value';
  const issue = setting.schema.safeParse(value).error?.issues[0];
  if (!issue) return undefined;
  if (issue.code === 'invalid_value') return `expected one of ${issue.values.join(', ')}`;
  const type = setting.schema instanceof z.ZodDefault ? setting.schema.unwrap() : setting.schema;
  if (type instanceof z.ZodNumber) {
    const kind = type.isInt ? 'a whole number' : 'a number';
    return `expected ${kind} from ${type.minValue} to ${type.maxValue}`;
  }
  if (issue.code === 'invalid_type') return `expected ${words(issue.expected)}`;
  return issue.message;
}

function words(type: string): string {
  if (type === 'boolean') return 'true or false';
  return 'a text';
}
