import { HOOKS_VARIABLE } from './hook-guard.ts';

type Variables = Record<string, string | undefined>;

/** What the environment says about models. Holds keys: never to be logged. */
export type ModelVariables = {
  keys: { anthropic: string | undefined; openai: string | undefined; other: string | undefined };
  anthropicUrl: string | undefined;
  /** For an agent that Keepsake starts: all as it is, but its hooks stay off. */
  agentVariables: Variables;
};

export function modelVariables(vars: Variables = process.env): ModelVariables {
  return {
    keys: {
      anthropic: vars.ANTHROPIC_API_KEY || undefined,
      openai: vars.OPENAI_API_KEY || undefined,
      other: vars.KEEPSAKE_MODEL_KEY || undefined,
    },
    anthropicUrl: vars.ANTHROPIC_BASE_URL || undefined,
    agentVariables: { ...vars, [HOOKS_VARIABLE]: 'off' },
  };
}
