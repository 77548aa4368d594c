import { agentTitle } from '../../text/agent-titles.ts';

/** Settings as people call them. */
const NAMES: Record<string, string> = {
  record: 'Record sessions',
  'ui.defaultView': 'How sessions are listed',
  'ui.showTokenEstimates': 'Show token estimates',
  'ui.confirmDestructiveActions': 'Ask before deleting',
  'defaults.compressionPreset': 'Compression preset',
  'defaults.keepitDecayEnabled': 'Keepits lose weight with distance',
  'defaults.autoRegisterSessions': 'Add new sessions to memory',
  'defaults.autoCreateVersions': 'Compress new sessions',
  'defaults.model': 'Writer of summaries',
  'storage.originals': 'Storage of originals',
  'storage.maxCacheSize': 'Cache size limit',
  'storage.compressionRetention': 'Versions to keep',
  'levels.light': 'Light ratio',
  'levels.moderate': 'Moderate ratio',
  'levels.aggressive': 'Aggressive ratio',
  'compression.telegraphic': 'Leave out small words',
  'keepit.extent': 'Extent of a keepit',
  'keepitDecay.compressionBase.light': 'Lowest weight that survives light compression',
  'keepitDecay.compressionBase.moderate': 'Lowest weight that survives moderate compression',
  'keepitDecay.compressionBase.aggressive': 'Lowest weight that survives aggressive compression',
  'keepitDecay.maxSessionDistance': 'Sessions until decay stops',
  'keepitDecay.pinnedWeight': 'Weight that always survives',
  'autoDecay.schedule': 'Schedule',
  'autoDecay.createAfterDays': 'Days until the first version',
  'autoDecay.createPreset': 'Preset of the first version',
  'autoDecay.aggressiveAfterDays': 'Days until a much shorter version',
  'autoDecay.aggressivePreset': 'Preset of the shorter version',
  'autoDecay.pruneIntermediateAfterDays': 'Days until intermediate versions are deleted',
  'hooks.enabled': 'Use hooks inside the agent',
  'hooks.startTokens': 'Tokens at the start of a session',
  'hooks.promptTokens': 'Tokens beside a prompt',
  'hooks.compactTokens': 'Tokens after a compaction',
  'hooks.actionTokens': 'Tokens before an edit or a command',
  'hooks.everyToolCalls': 'Tool calls between reads',
  'hooks.everyStops': 'Stops between reads',
  'memory.interval': 'Checks between updates of memory.md',
  'memory.claudeMd': "Rules in the project's CLAUDE.md",
  'remote.auto': 'Sync remotes automatically',
  'remote.inject': 'Facts of colleagues at the start of a session',
  'synthesis.maxTokens': 'Token limit of master.md',
  'synthesis.sections': 'Sections of master.md',
  'synthesis.autoAfter': 'New summaries until an automatic synthesis',
  'synthesis.warnAfterDays': 'Days until master.md is outdated',
  'model.service': 'Service',
  'model.url': 'Server address',
  'model.keyFile': 'Key file',
  'model.atOnce': 'Parallel calls',
  'model.timeoutSeconds': 'Timeout in seconds',
  'model.dailyCap': 'Daily limit',
  'model.price': 'Price per million tokens',
  'model.use.all': 'Use a model for everything',
  'model.use.exchanges': 'Use a model for exchanges',
  'model.use.concepts': 'Use a model for concepts',
  'model.use.statements': 'Use a model for statements',
  'model.use.reviews': 'Use a model for reviews',
  'model.use.archives': 'Use a model for archives',
  'model.use.summaries': 'Use a model for the journal',
  'model.use.synthesis': 'Use a model for master.md',
};

/** Values that are not words of their own. */
const CHOICES: Record<string, Record<string, string>> = {
  'storage.originals': { copy: 'Copy', link: 'Copy with a hard link', symlink: 'Symlink only' },
  'remote.inject': { off: 'Off', team: 'Accepted by the team' },
  'synthesis.sections': { fixed: 'Five fixed sections', content: 'One for each theme' },
  'model.service': {
    auto: 'Automatic',
    anthropic: 'Anthropic API',
    claude: 'The claude command',
    openai: 'OpenAI-compatible server',
  },
};
const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** One that has no name here is shown by the words of its key. */
export function settingName(key: string): string {
  const [group, last = key] = [key.split('.')[0], key.split('.').at(-1)];
  if (group === 'agents') return agentTitle(last);
  return NAMES[key] ?? capitalized(last.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** A value of a setting as people read it. */
export function settingValueText(key: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (value === '') return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return CHOICES[key]?.[text] ?? text;
}

/** One of the values to choose from. */
export function choiceTitle(key: string, choice: string): string {
  return CHOICES[key]?.[choice] ?? capitalized(choice.replaceAll('-', ' '));
}
