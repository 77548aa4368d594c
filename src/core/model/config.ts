import { agentName, OTHER_AGENTS, type OtherAgent } from './agent.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { valueAt } from './resolve-config.ts';
import { isSettingKey, SETTING_RULES, type SettingKey, type SettingRule } from './setting-rules.ts';

/** What each setting does, for a person. Apart from the rules, since hooks do not need them. */
const ABOUT: Readonly<Record<SettingKey, string>> = {
  version: 'Version of this file. Keepsake writes it.',
  record:
    'Whether sessions are recorded. If off (usually for one project), Keepsake does not copy, refine or index its sessions, and hooks ignore them. Sessions recorded before are kept.',
  'storage.originals':
    "How originals are stored: a copy (safe), a copy plus a hard link, or only a symlink to the agent's file (lost when the agent deletes its file).",
  'storage.maxCacheSize': 'Maximum size of the cache. Everything in it can be rebuilt.',
  'storage.compressionRetention':
    'Which compressed versions are kept: all; newest (one of each level); a number such as 3 (the newest 3 of each part); a period such as 90d. Versions used by a composition and the last version of a part are always kept.',
  'defaults.compressionPreset': 'Default preset of compressions.',
  'defaults.keepitDecayEnabled': 'Whether keepits lose weight with distance. Off: every keepit survives.',
  'defaults.autoRegisterSessions':
    'Whether hooks register new sessions. Off: sessions are archived but not registered.',
  'defaults.autoCreateVersions':
    'Whether Keepsake makes a version of each level (light, moderate, aggressive) for every new session.',
  'defaults.model':
    'What writes summaries: extractive (offline, no model), or a model such as opus or haiku.',
  'levels.light': 'Compression ratio of the level light (4 means 4:1).',
  'levels.moderate': 'Compression ratio of the level moderate.',
  'levels.aggressive': 'Compression ratio of the level aggressive.',
  'compression.telegraphic':
    'Whether aggressive compression omits small words to fit more content. Harder to read.',
  'keepit.extent': 'How much text a keepit without a closing mark covers.',
  'keepitDecay.compressionBase.light': 'Lowest surviving weight, light compression, distance 0.',
  'keepitDecay.compressionBase.moderate': 'The same for moderate compression.',
  'keepitDecay.compressionBase.aggressive': 'The same for aggressive compression.',
  'keepitDecay.maxSessionDistance': 'Distance in sessions after which a keepit loses no more weight.',
  'keepitDecay.pinnedWeight': 'A keepit of this weight or more always survives.',
  'autoDecay.schedule':
    'When retention runs: it compresses old sessions and deletes intermediate versions, after a sync or at the end of a session.',
  'autoDecay.createAfterDays': 'Days without use after which a session without a version gets one. 0: never.',
  'autoDecay.createPreset': 'The preset of that version.',
  'autoDecay.aggressiveAfterDays':
    'Days without use after which a session gets a much shorter version. 0: never.',
  'autoDecay.aggressivePreset': 'The preset of the shorter version.',
  'autoDecay.pruneIntermediateAfterDays':
    'Days after which versions that have a shorter successor are deleted. 0: never.',
  'hooks.enabled': 'Whether hooks run inside the agent. Off: they exit immediately.',
  'hooks.startTokens': 'Maximum tokens of memory added when a session starts. 0: none.',
  'hooks.promptTokens': 'Maximum tokens of memory added to a prompt. 0: none.',
  'hooks.compactTokens': 'Maximum tokens added after a compaction to restore what it dropped. 0: none.',
  'hooks.actionTokens':
    'Maximum tokens of memory added before an edit or a command that an earlier session has a note on. 0: none.',
  'hooks.everyToolCalls': 'Number of tool calls after which Keepsake reads a running session.',
  'hooks.everyStops':
    'Number of stops after which Keepsake reads a running session; sooner if there is a lot to read.',
  'memory.interval': 'Number of checks (tool calls and stops) after which memory.md is updated.',
  'memory.claudeMd': "Whether Keepsake maintains a block with the project's rules in its CLAUDE.md.",
  'remote.auto':
    'Whether remotes are synced with every `keepsake sync` and, in the background, after a session.',
  'remote.inject':
    'Whether hooks may add facts of colleagues when a session starts: at most 3, offered by one member, accepted by another, quoted.',
  ...(Object.fromEntries(
    OTHER_AGENTS.map((agent) => [
      `agents.${agent}`,
      `Sessions of ${agentName(agent)}: auto (read from the default folder), off, or another folder.`,
    ]),
  ) as Record<`agents.${OtherAgent}`, string>),
  'synthesis.maxTokens': 'Maximum tokens of _memory/master.md. What does not fit remains in the summaries.',
  'synthesis.sections': 'Sections of master.md: the five fixed ones, or one for each theme of the project.',
  'synthesis.autoAfter':
    'Number of new summaries after which `keepsake summarize` also rebuilds master.md. 0: never.',
  'synthesis.warnAfterDays':
    'Days after which a master.md that lacks newer summaries counts as old. 0: never.',
  'model.service':
    'How a model is reached: the Anthropic API (anthropic), the installed claude command (claude), a server with an OpenAI-compatible API (openai), or the first available of these (auto).',
  'model.url': 'URL of the server. Empty: the default of the service.',
  'model.keyFile':
    'A file that contains the key, readable only by you. Empty: the environment variable, or keys/ in the archive.',
  'model.atOnce': 'Maximum number of simultaneous calls to a model.',
  'model.timeoutSeconds': 'Seconds without a response after which a call is aborted and retried.',
  'model.dailyCap':
    'Daily limit for models, in USD or tokens. Keepsake does not make a call that would exceed it.',
  'model.price': 'Price of a million input and output tokens, such as 2/10. Empty: the list price, if known.',
  'model.use.all': 'Whether a model does all of the following.',
  'model.use.exchanges': 'Whether a model summarizes exchanges.',
  'model.use.concepts': 'Whether a model names concepts.',
  'model.use.statements': 'Whether a model words and merges statements.',
  'model.use.reviews': 'Whether a model reviews contradicted facts.',
  'model.use.archives': 'Whether a model summarizes archives of memory.md.',
  'model.use.summaries': "Whether a model writes the journal's pages.",
  'model.use.synthesis': "Whether a model writes the journal's master.",
  'ui.defaultView': 'Default view of sessions on the page: by month (timeline) or as a list (list).',
  'ui.showTokenEstimates': 'Whether the page estimates tokens before it compresses.',
  'ui.confirmDestructiveActions': 'Whether commands and the page ask before they delete something.',
};

/** One setting, as lists and the page show it. */
export type Setting = { key: SettingKey; rule: SettingRule; fallback: unknown; about: string };

/** Every setting by its dotted key. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map(
  Object.entries(SETTING_RULES).flatMap(([key, rule]) =>
    isSettingKey(key)
      ? [[key, { key, rule, fallback: valueAt(CONFIG_DEFAULTS, key), about: ABOUT[key] }]]
      : [],
  ),
);

/** The words that a setting is chosen from; undefined: it is free. */
export function choicesOf({ rule }: Setting): string[] | undefined {
  return rule.is === 'choice' ? [...rule.of] : undefined;
}
