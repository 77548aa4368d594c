import { agentName, OTHER_AGENTS, type OtherAgent } from './agent.ts';
import { CONFIG_DEFAULTS } from './config-defaults.ts';
import { valueAt } from './resolve-config.ts';
import { isSettingKey, SETTING_RULES, type SettingKey, type SettingRule } from './setting-rules.ts';

/** What each setting does, for a person. Hooks need no words: these stand apart from the rules. */
const ABOUT: Readonly<Record<SettingKey, string>> = {
  version: 'Version of this file. Keepsake writes it.',
  record:
    'Whether sessions are recorded. Off, usually for one project: nothing of its sessions is copied, refined, indexed or noted by hooks. What was recorded before stays.',
  'storage.originals':
    "How originals are kept: an own copy (safe), a copy with a hard link beside it, or only a symlink to the agent's file (lost when the agent cleans up).",
  'storage.maxCacheSize': 'How big the cache may grow. It holds only what can be made again.',
  'storage.compressionRetention':
    'Which compressed versions stay: all; newest, one of each level; 3, so many of the newest of each part; 90d, those of so many days. What a composition uses and the last one of a part always stay.',
  'defaults.compressionPreset': 'The preset a compression uses when none is named.',
  'defaults.keepitDecayEnabled': 'Whether keepits fade with distance. Off: every keepit survives.',
  'defaults.autoRegisterSessions':
    'Whether hooks register new sessions. Off: they are archived all the same.',
  'defaults.autoCreateVersions':
    'Whether a new session gets a version of each level (light, moderate, aggressive) at once.',
  'defaults.model':
    'What writes summaries: extractive (offline, no model), or a model such as opus or haiku.',
  'levels.light': 'Compression ratio of the level light (4 means 4:1).',
  'levels.moderate': 'Compression ratio of the level moderate.',
  'levels.aggressive': 'Compression ratio of the level aggressive.',
  'compression.telegraphic':
    'Whether aggressive compression leaves out small words to fit more in. Harder to read.',
  'keepit.extent': 'How far a keepit without a closing mark reaches.',
  'keepitDecay.compressionBase.light': 'Lowest surviving weight, light compression, distance 0.',
  'keepitDecay.compressionBase.moderate': 'The same for moderate compression.',
  'keepitDecay.compressionBase.aggressive': 'The same for aggressive compression.',
  'keepitDecay.maxSessionDistance': 'Sessions after which a keepit fades no further.',
  'keepitDecay.pinnedWeight': 'From this weight on a keepit always survives.',
  'autoDecay.schedule':
    'When sync and the end of a session compress what grew old and take away what is in between.',
  'autoDecay.createAfterDays': 'Days without use after which a session without a version gets one. 0: never.',
  'autoDecay.createPreset': 'The preset of that version.',
  'autoDecay.aggressiveAfterDays':
    'Days without use after which a session gets a much shorter version. 0: never.',
  'autoDecay.aggressivePreset': 'The preset of that one.',
  'autoDecay.pruneIntermediateAfterDays':
    'Days after which versions that a shorter one follows are taken away. 0: never.',
  'hooks.enabled': 'Whether the hooks do anything inside the agent. Off: they end at once.',
  'hooks.startTokens': 'Tokens that memory may take when a session starts. 0: nothing is told.',
  'hooks.promptTokens': 'Tokens that memory may take beside a prompt. 0: nothing is told.',
  'hooks.compactTokens': 'Tokens for what a compaction lost. 0: nothing is told.',
  'hooks.actionTokens':
    'Tokens that memory may take before an edit or a command, where an earlier session has something to say to it. 0: nothing is said.',
  'hooks.everyToolCalls': 'After so many tool calls a running session is read.',
  'hooks.everyStops': 'After so many stops a running session is read; sooner when there is much to read.',
  'memory.interval': 'Checks (tool calls and stops) after which memory.md takes in what is new.',
  'memory.claudeMd': "Whether a block with the project's rules is kept up to date in its CLAUDE.md.",
  'remote.auto':
    'Whether remotes are synced with every `keepsake sync` and, in the background, after a session.',
  'remote.inject':
    'Whether hooks may add facts of colleagues when a session starts: at most 3, offered by one member, accepted by another, quoted.',
  ...(Object.fromEntries(
    OTHER_AGENTS.map((agent) => [
      `agents.${agent}`,
      `Sessions of ${agentName(agent)}: auto (taken from where it keeps them), off, or a folder.`,
    ]),
  ) as Record<`agents.${OtherAgent}`, string>),
  'synthesis.maxTokens': 'Tokens that _memory/master.md may take. What has no room stays in its summary.',
  'synthesis.sections': 'Sections of master.md: the five fixed ones, or one for each theme of the project.',
  'synthesis.autoAfter': 'New summaries after which a summarize makes master.md anew by itself. 0: never.',
  'synthesis.warnAfterDays':
    'Days after which a master.md with newer summaries beside it counts as old. 0: never.',
  'model.service':
    'How a model is reached: the Anthropic API (anthropic), the installed claude command (claude), a server that speaks the protocol of OpenAI (openai), or whatever is there (auto).',
  'model.url': "The server's address. Empty: the service's own.",
  'model.keyFile':
    'A file that holds the key, readable by you alone. Empty: the environment, or keys/ in the archive.',
  'model.atOnce': 'Calls to a model at the same time.',
  'model.timeoutSeconds': 'A call that says nothing for so long is given up and tried again.',
  'model.dailyCap':
    'What models may take in a day, in USD or tokens. The call that would pass it is not made.',
  'model.price': 'What a million tokens cost, in and out, as 2/10. Empty: the list price, where it is known.',
  'model.use.all': 'Whether a model does all of the following.',
  'model.use.exchanges': 'Whether a model sums up exchanges.',
  'model.use.concepts': 'Whether a model names concepts.',
  'model.use.statements': 'Whether a model words and merges statements.',
  'model.use.reviews': 'Whether a model looks at facts that were contradicted.',
  'model.use.archives': 'Whether a model sums up archives of memory.md.',
  'model.use.summaries': "Whether a model writes the journal's pages.",
  'model.use.synthesis': "Whether a model writes the journal's master.",
  'ui.defaultView': 'How the page lists sessions first: by month (timeline), or one below the other (list).',
  'ui.showTokenEstimates': 'Whether the page estimates tokens before it compresses.',
  'ui.confirmDestructiveActions': 'Whether commands and page ask before they remove something.',
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
