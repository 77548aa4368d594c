import { OTHER_AGENTS, type OtherAgent } from './agent.ts';
import { EVERY_DEFAULTS } from './number-rule.ts';
/** All settings. Their values are checked in `setting-rules.ts` and described in `config.ts`. */
export type Config = {
  version: string;
  /** False: sessions are kept out of the archive. */
  record: boolean;
  storage: {
    originals: 'copy' | 'link' | 'symlink';
    maxCacheSize: string;
    compressionRetention: string;
  };
  defaults: {
    compressionPreset: 'gentle' | 'standard' | 'aggressive';
    keepitDecayEnabled: boolean;
    autoRegisterSessions: boolean;
    autoCreateVersions: boolean;
    model: string;
  };
  levels: { light: number; moderate: number; aggressive: number };
  compression: { telegraphic: boolean };
  keepit: { extent: 'paragraph' | 'message' };
  keepitDecay: {
    compressionBase: { light: number; moderate: number; aggressive: number };
    maxSessionDistance: number;
    pinnedWeight: number;
  };
  autoDecay: {
    schedule: 'off' | 'daily' | 'weekly' | 'on-access';
    createAfterDays: number;
    createPreset: 'gentle' | 'standard' | 'aggressive';
    aggressiveAfterDays: number;
    aggressivePreset: 'gentle' | 'standard' | 'aggressive';
    pruneIntermediateAfterDays: number;
  };
  hooks: {
    enabled: boolean;
    startTokens: number;
    promptTokens: number;
    compactTokens: number;
    actionTokens: number;
    everyToolCalls: number;
    everyStops: number;
  };
  memory: { interval: number; claudeMd: boolean };
  remote: { auto: boolean; inject: 'off' | 'team' };
  agents: Record<OtherAgent, string>;
  synthesis: {
    maxTokens: number;
    sections: 'fixed' | 'content';
    autoAfter: number;
    warnAfterDays: number;
  };
  model: {
    service: 'auto' | 'anthropic' | 'claude' | 'openai';
    url: string;
    keyFile: string;
    atOnce: number;
    timeoutSeconds: number;
    dailyCap: string;
    price: string;
    use: {
      all: boolean;
      exchanges: boolean;
      concepts: boolean;
      statements: boolean;
      reviews: boolean;
      archives: boolean;
      summaries: boolean;
      synthesis: boolean;
    };
  };
  ui: { defaultView: 'timeline' | 'list'; showTokenEstimates: boolean; confirmDestructiveActions: boolean };
};

export const CONFIG_VERSION = '1.0.0';

export const CONFIG_DEFAULTS: Config = {
  version: CONFIG_VERSION,
  record: true,
  storage: { originals: 'copy', maxCacheSize: '1GB', compressionRetention: 'all' },
  defaults: {
    compressionPreset: 'standard',
    keepitDecayEnabled: true,
    autoRegisterSessions: true,
    autoCreateVersions: false,
    model: 'extractive',
  },
  levels: { light: 4, moderate: 10, aggressive: 30 },
  compression: { telegraphic: false },
  keepit: { extent: 'paragraph' },
  keepitDecay: {
    compressionBase: { light: 0.1, moderate: 0.3, aggressive: 0.5 },
    maxSessionDistance: 10,
    pinnedWeight: 1,
  },
  autoDecay: {
    schedule: 'off',
    createAfterDays: 7,
    createPreset: 'standard',
    aggressiveAfterDays: 30,
    aggressivePreset: 'aggressive',
    pruneIntermediateAfterDays: 60,
  },
  hooks: {
    enabled: true,
    startTokens: 1500,
    promptTokens: 700,
    compactTokens: 1000,
    actionTokens: 0,
    ...EVERY_DEFAULTS,
  },
  memory: { interval: 25, claudeMd: false },
  remote: { auto: false, inject: 'off' },
  agents: Object.fromEntries(OTHER_AGENTS.map((agent) => [agent, 'auto'])) as Record<OtherAgent, string>,
  synthesis: { maxTokens: 4000, sections: 'fixed', autoAfter: 0, warnAfterDays: 30 },
  model: {
    service: 'auto',
    url: '',
    keyFile: '',
    atOnce: 4,
    timeoutSeconds: 180,
    dailyCap: '5 USD',
    price: '',
    use: {
      all: false,
      exchanges: false,
      concepts: false,
      statements: false,
      reviews: false,
      archives: false,
      summaries: false,
      synthesis: false,
    },
  },
  ui: { defaultView: 'timeline', showTokenEstimates: true, confirmDestructiveActions: true },
};
